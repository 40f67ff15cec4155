package table

import (
	"net/url"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
)

// Howto holds how to play a game, as data for a page.
type Howto struct {
	Title string   `json:"title"`
	Steps []string `json:"steps"`
	Text  []string `json:"text"` // the rules in sentences
	// Scoring holds dice and their points; empty in games with tiles, which have Tiles instead.
	Scoring []Scoring     `json:"scoring"`
	Tiles   *TilesExample `json:"tiles,omitempty"`
}

// Scoring is a row of a sheet or a set of dice, with dice that give points in it.
type Scoring struct {
	Label  string `json:"label"`
	Dice   []int  `json:"dice"`
	Points int    `json:"points"`
}

// TilesExample is a throw of dice with that many sides while the tiles of Board are open, and the sets it may close.
type TilesExample struct {
	Board []int         `json:"board"`
	Dice  []int         `json:"dice"`
	Sides int           `json:"sides"`
	Sets  []games.Tiles `json:"sets"`
}

// Howto returns how to play at the table that query names or, without one, how to play its "game": a game or a variant,
// by the name of its command.
func (b *Tables) Howto(v *bot.Visit, query url.Values) (*Howto, error) {
	g, rules, err := b.queriedRules(v, query)
	if err != nil {
		return nil, err
	}
	h := &Howto{Title: v.Say(b.FullLabel("bot.rules", g, rules)), Steps: []string{}, Text: []string{},
		Scoring: []Scoring{}}
	for _, line := range g.Explain(rules) {
		h.Text = append(h.Text, v.Say(line))
	}
	taught, ok := g.(games.Taught)
	if !ok {
		return h, nil
	}
	for _, line := range taught.Steps(rules) {
		h.Steps = append(h.Steps, v.Say(line))
	}
	for _, e := range taught.Examples(rules) {
		var faces []int
		for _, d := range e.Dice {
			faces = append(faces, d.Face)
		}
		if len(e.Board) > 0 {
			h.Tiles = &TilesExample{e.Board, faces, e.Dice[0].Sides, e.Sets}
			continue
		}
		h.Scoring = append(h.Scoring, Scoring{v.Say(e.Label), faces, e.Points})
	}
	return h, nil
}

// queriedRules returns the game and the rules of the table that query names, else of its game.
func (b *Tables) queriedRules(v *bot.Visit, query url.Values) (games.Game, games.Rules, error) {
	if query.Has("table") {
		t, err := board.QueriedTable(v, query)
		if err != nil {
			return nil, nil, err
		}
		g, err := b.Game(t.Game)
		return g, t.Rules, err
	}
	key := strings.TrimPrefix(query.Get("game"), "/")
	openings := b.OpeningsOf(b.Games, v.Lang)
	i := slices.IndexFunc(openings, func(o bot.Opening) bool { return o.Command == key })
	if i < 0 {
		return nil, nil, bot.NoSuchChoice(key, b.GameChoices())
	}
	rules, err := games.Choose(openings[i].Game, openings[i].Variant, nil)
	return openings[i].Game, rules, err
}
