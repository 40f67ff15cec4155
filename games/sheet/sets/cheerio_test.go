package sets

import (
	"os"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// Cheerio is a set that Knobel does not offer; it shows how to add one. Five dice, three throws, eleven rows: ones to
// sixes count their dice; the little straight (1-5) gives 20, the big one (2-6) 25; a full house (3+2) and the big hand
// (anything) count all dice; a cheerio (five equal) gives 50. There is no bonus.

// cheerio returns the set as data; its sentences are in testdata/words/cheerio.
func cheerio() sheet.Game {
	return sheet.New(&sheet.Set{
		Name:     "cheerio",
		Variants: []games.Variant{{Name: "classic"}},
		Words:    sheet.WithFamily(os.DirFS("testdata/words/cheerio")),
		Paper:    cheerioPaper,
	})
}

func cheerioPaper(sheet.Chosen) sheet.Paper {
	return sheet.Paper{
		Dice: 5, Throws: 3,
		Sections: []sheet.Section{{Rows: sheet.Faces()}, {Rows: []sheet.Row{
			{Name: "small-straight", Need: sheet.AnyOf(sheet.From(1, 5)), Points: sheet.Fixed(20)},
			{Name: "big-straight", Need: sheet.AnyOf(sheet.From(2, 6)), Points: sheet.Fixed(25)},
			{Name: "full-house", Need: fullHouse, Points: all},
			{Name: "big-hand", Points: all},
			{Name: "cheerio", Need: sheet.Equal(5), Points: sheet.Fixed(50), Cheers: true},
		}}},
	}
}

// naiveCheerio returns the naive implementation of the same rules.
func naiveCheerio() *sheettest.Naive {
	return &sheettest.Naive{Dice: 5, Throws: 3, Rows: append(faceRows(),
		row{Name: "small-straight", Score: func(h hand) (int, bool) { return 20, h.Has(1, 2, 3, 4, 5) }},
		row{Name: "big-straight", Score: func(h hand) (int, bool) { return 25, h.Has(2, 3, 4, 5, 6) }},
		row{Name: "full-house", Score: func(h hand) (int, bool) { return h.Sum(), h.Two(3, 2) > 0 }},
		row{Name: "big-hand", Score: sum},
		row{Name: "cheerio", Score: func(h hand) (int, bool) { return 50, h.Same() > 0 }},
	)}
}

// TestASetIsAddedAsDataAndSentences plays Cheerio with the house, explains it, scores every hand and solves it.
func TestASetIsAddedAsDataAndSentences(t *testing.T) {
	g := cheerio()
	sheettest.Sound(t, g)
	sheettest.Hands{Game: g, Naive: naiveCheerio()}.Check(t)
	gametest.Run(t, g)
	gametest.Perfect(t, g, nil, 2)
}
