package table

import (
	"slices"
	"strconv"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// verb is what a button can do to a table itself, beside the moves of a game.
type verb struct {
	states []string // in which it can be pressed
	do     func(v *Visit, t *store.Table, rest string) error
}

// verbs are all of them, by the word that a press carries.
var verbs = map[string]verb{
	"join":    {[]string{store.Lobby}, (*Visit).join},
	"agree":   {[]string{store.Lobby}, (*Visit).agreeNow},
	"leave":   {[]string{store.Lobby}, (*Visit).leave},
	"free":    {[]string{store.Lobby}, (*Visit).free},
	"start":   {[]string{store.Lobby}, (*Visit).begin},
	"house":   {[]string{store.Lobby}, (*Visit).addHouse},
	"unhouse": {[]string{store.Lobby}, (*Visit).removeHouse},
	"page":    {[]string{store.Lobby}, (*Visit).turnPage},
	"set":     {[]string{store.Lobby}, (*Visit).setRule},
	"stake":   {[]string{store.Lobby}, (*Visit).setStake},
	"pick":    {[]string{store.Playing}, (*Visit).pick},
	"play":    {[]string{store.Playing}, (*Visit).playPicked},
	"show":    {[]string{store.Playing, store.Over}, (*Visit).showPage},
	"back":    {[]string{store.Playing}, (*Visit).imBack},
	"keep":    {[]string{store.Lobby, store.Playing}, (*Visit).keepTable},
	"stay":    {[]string{store.Playing}, (*Visit).withdrawOffer},
	"take":    {[]string{store.Playing}, (*Visit).take},
	"hand":    {[]string{store.Playing}, (*Visit).handOn},
	"undo":    {[]string{store.Playing}, (*Visit).undo},
	"end":     {[]string{store.Lobby, store.Playing}, (*Visit).end},
	"vote":    {[]string{store.Lobby, store.Playing}, (*Visit).vote},
	"rematch": {[]string{store.Over, store.Abandoned}, (*Visit).rematch},
}

// press carries out a pressed button.
func (v *Visit) press() error {
	p := v.Pressed()
	t, err := v.load(p.Table)
	if err != nil {
		return err
	}
	name, rest, ok := p.Verb()
	if !ok {
		return v.move(&t, games.Move(p.What))
	}
	does, known := verbs[name]
	if !known {
		return games.Refuse("bot.no-such-button", nil)
	}
	if !slices.Contains(does.states, t.State) {
		return Gone(t)
	}
	return does.do(v, &t, rest)
}

// move plays the move on a button.
func (v *Visit) move(t *store.Table, move games.Move) error {
	seat, g, m, err := v.myMatch(t)
	if err != nil {
		return err
	}
	return v.playMove(t, g, m, seat, move)
}

// playMove plays a move and says what it did, where that is short.
func (v *Visit) playMove(t *store.Table, g games.Game, m games.Match, seat games.Seat, move games.Move) error {
	events, err := v.play(t, g, m, seat, move)
	if err != nil {
		return err
	}
	if len(events) > 0 {
		if said := v.Say(games.Line(events[0])); len([]rune(said)) <= bot.ShortToast {
			v.Reply.Toast = said
		}
	}
	return nil
}

// pick puts an item of the present choice into the draft, or takes it out.
func (v *Visit) pick(t *store.Table, rest string) error {
	seat, _, m, err := v.myMatch(t)
	if err != nil {
		return err
	}
	if !slices.Contains(m.Turn(), seat) {
		return games.Refuse("games.not-your-turn", games.Args{"Seat": m.Turn()[0]})
	}
	offered := m.View().Pick
	item, err := strconv.Atoi(rest)
	if err != nil || offered == nil || item < 0 || item >= len(offered.Items) {
		return games.Refuse("bot.moved-on", nil)
	}
	d := board.ParseDraft(t.Draft).Toggle(item)
	if !board.ParseDraft(t.Draft).Toggles(item, *offered) {
		return games.Refuse("bot.pick-wrong", nil)
	}
	t.Draft = d.String()
	v.Reply.Toast = v.Say(d.Line(*offered))
	return v.drawPicked(t, *offered)
}

// playPicked plays what the draft holds, when that is a whole choice.
func (v *Visit) playPicked(t *store.Table, _ string) error {
	seat, g, m, err := v.myMatch(t)
	if err != nil {
		return err
	}
	offered := m.View().Pick
	if offered == nil {
		return games.Refuse("bot.moved-on", nil)
	}
	move, whole := board.ParseDraft(t.Draft).Whole(*offered)
	if !whole && offered.Refusal.Key != "" {
		return &games.Refusal{Line: offered.Refusal}
	}
	if !whole {
		return games.Refuse("bot.pick-more", nil)
	}
	return v.playMove(t, g, m, seat, move)
}
