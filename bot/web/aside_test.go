package web

import (
	"testing"

	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store/storetest"
)

// rowsOfDice counts the rows in which dice lie, from where they would lie untilted.
const rowsOfDice = `new Set([...document.querySelectorAll("#entries .dice .die")].map((die) => die.offsetTop)).size`

// Two people at one screen play Zehntausend to the end: dice that count are picked
// already and can be put back, others are no buttons, and one throws on or stops.
func setAside(t *testing.T, tab *tab) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, &fakes.Restless{}, zehntausend.Game{})
	twoBegin(tab, url, "/zehntausend target=1000")
	const (
		over   = `Boolean(document.querySelector(".board.over"))`
		head   = `document.querySelector(".board .head").textContent`
		lies   = `[...document.querySelectorAll(".board .said, .board .dice")].map((part) => part.textContent).join()`
		picked = `document.querySelectorAll('.dice .pickable[aria-pressed="true"]').length`
		all    = `document.querySelectorAll(".dice .pickable").length`
		back   = `document.querySelector('.dice .pickable[aria-pressed="false"]')`
	)
	putBack, stopped := false, 0
	for presses := 0; !ask[bool](tab, over); presses++ {
		if presses > 300 {
			t.Fatalf("it does not end: %s", ask[string](tab, head))
		}
		tab.until(over + ` || Boolean(` + begins("Throw") + ` || ` + back + `)`)
		before := ask[string](tab, lies)
		switch {
		case !putBack && ask[int](tab, all) > 1:
			if n := ask[int](tab, picked); n == 0 || n > ask[int](tab, all) {
				t.Errorf("%d dice are picked to begin with", n)
			}
			seen(t, tab, "aside")
			for _, width := range []int64{320, 390, 1280} {
				tab.look(width, "light")
				if rows := ask[int](tab, rowsOfDice); rows != 1 {
					t.Errorf("in a window of %d pixels six dice lie in %d rows", width, rows)
				}
				if !ask[bool](tab, `[...document.querySelectorAll(".dice > .die")].every((die) =>
					Math.abs(die.offsetWidth - die.offsetHeight) < 2)`) {
					t.Errorf("in a window of %d pixels dice are no squares", width)
				}
			}
			tab.look(390, "light")
			tab.press(`document.querySelector('.dice .pickable[aria-pressed="true"]')`)
			putBack = true
		case ask[bool](tab, `Boolean(`+begins("Stop with ")+`)`):
			tab.press(begins("Stop with "))
			stopped++
		case !ask[bool](tab, `Boolean(`+begins("Throw")+`)`): // the die that was put back counts only with the others
			tab.press(back)
		default:
			tab.press(begins("Throw"))
		}
		tab.until(`(` + over + ` || ` + lies + ` !== ` + quoted(before) + `) && ` + rested)
	}
	if !putBack || stopped < 2 {
		t.Errorf("a die is put back: %v; they have stopped %d times", putBack, stopped)
	}
	seen(t, tab, "aside-over")
}
