package table

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// verb is a button action on the table, such as join or start, as opposed to a move in the game.
type verb struct {
	states []string // states of a table in which it can be pressed
	do     func(v *Visit, t *store.Table, rest string) error
	by     int // the people who may press it
}

const (
	byAll    = iota
	byHost   // people who decide the terms
	bySeated // people who sit there
)

var inLobby, inPlay = []string{store.Lobby}, []string{store.Playing}

// verbs holds all actions by the word that starts a press.
var verbs = map[string]verb{
	"join":    {inLobby, (*Visit).join, byAll},
	"agree":   {inLobby, (*Visit).agreeNow, bySeated},
	"leave":   {inLobby, (*Visit).leave, byAll},
	"free":    {inLobby, (*Visit).free, byHost},
	"start":   {inLobby, (*Visit).begin, byAll},
	"house":   {inLobby, (*Visit).addHouse, byHost},
	"unhouse": {inLobby, (*Visit).removeHouse, byHost},
	"page":    {inLobby, (*Visit).turnPage, byAll},
	"set":     {inLobby, (*Visit).setRule, byHost},
	"stake":   {inLobby, (*Visit).setStake, byHost},
	"pick":    {inPlay, (*Visit).pick, byAll},
	"play":    {inPlay, (*Visit).playPicked, byAll},
	"more":    {inPlay, (*Visit).playPicked, byAll},
	"show":    {[]string{store.Playing, store.Over}, (*Visit).showPage, byAll},
	"back":    {inPlay, (*Visit).imBack, bySeated},
	"keep":    {[]string{store.Lobby, store.Playing}, (*Visit).keepTable, byAll},
	"stay":    {inPlay, (*Visit).withdrawOffer, bySeated},
	"take":    {inPlay, (*Visit).take, byAll},
	"hand":    {inPlay, (*Visit).handOn, byAll},
	"undo":    {inPlay, (*Visit).undo, byAll},
	"end":     {[]string{store.Lobby, store.Playing}, (*Visit).end, byAll},
	"vote":    {[]string{store.Lobby, store.Playing}, (*Visit).vote, bySeated},
	"rematch": {[]string{store.Over, store.Abandoned}, (*Visit).rematch, byAll},
}

// press runs the action of the pressed button, and refuses the second press of a double tap if it would play.
func (v *Visit) press() error {
	p := v.Pressed()
	t, err := v.load(p.Table)
	if err != nil {
		return err
	}
	tapped := false // a press from the same device has just changed the board
	since := time.Duration(v.At-t.Board.Tapped) * time.Millisecond
	if by := t.Board.Tapper; !v.Event.Typed && since >= 0 && since < doubleTap && by >= 0 && by < len(t.Seats) {
		last := chat.User(t.Seats[by].Player)
		tapped = last != "" && (last == v.Event.User || v.bot.Same(last, v.Event.User))
	}
	known := board.SeatOf(t, v.Event.User) >= 0
	if t.State == store.Lobby {
		if err := v.present(&t); err != nil {
			return err
		}
	}
	if err := v.pressAt(&t, p); err != nil {
		return err
	}
	if tapped && plays(p) { // the refusal rolls back its effect
		return games.Refuse("bot.tapped-twice", nil)
	}
	if known {
		return nil
	}
	return v.Met()
}

// pressAt runs the action of press p at a table: a verb if it has one, else a move of the match. It refuses actions
// that the table's state or the person's role does not allow.
func (v *Visit) pressAt(t *store.Table, p chat.Press) error {
	name, rest, ok := p.Verb()
	if !ok {
		seat, g, m, err := v.myMatch(t)
		if err != nil {
			return err
		}
		return v.playMove(t, g, m, seat, games.Move(p.What))
	}
	does, known := verbs[name]
	if !known {
		return games.Refuse("bot.no-such-button", nil)
	}
	switch {
	case !slices.Contains(does.states, t.State):
		return Gone(*t)
	case does.by == byHost && !v.hosts(*t):
		return v.onlyHost(*t)
	case does.by == bySeated && board.SeatOf(*t, v.Event.User) < 0:
		return notSeated(*t)
	}
	return does.do(v, t, rest)
}

// playMove plays a move, the forced moves after it, and then those of computer seats. The person's toast is the win, or
// else the first event of the move if it is short.
func (v *Visit) playMove(t *store.Table, g games.Game, m games.Match, seat games.Seat, move games.Move) error {
	v.playing = true
	threw := t.Dice.Thrown
	next, events, err := v.apply(t, m, seat, move, false)
	if err != nil {
		return err
	}
	if next, events, err = v.goOn(t, next, seat, events, threw); err != nil {
		return err
	}
	t.Board.Page, t.Seats[seat].Ends = board.PageGame, false // a move withdraws a vote to end
	if err := v.CarryOn(t, g, next); err != nil {
		return err
	}
	if v.wentOn {
		if told, err := v.tellPace(t); told || err != nil {
			return err
		}
		events = events[len(events)-1:] // the last event is the outcome
	}
	var won games.Line
	if t.State == store.Over && len(t.Seats) > 1 {
		if won, err = v.wins(*t, g, seat); err != nil {
			return err
		}
	}
	if len(events) == 0 {
		return nil
	}
	for _, line := range []games.Line{won, events[0].You(), games.Line(events[0])} {
		if !v.bot.Words.Has(line.Key) {
			continue
		}
		if said := v.Say(line); utf8.RuneCountInString(said) <= bot.ShortToast {
			v.Reply.Toast = said
			return nil
		}
	}
	return nil
}

// wins returns the sentence for a seat that has won, with the amount from the pool; the zero Line if it has not.
func (v *Visit) wins(t store.Table, g games.Game, seat games.Seat) (games.Line, error) {
	_, m, err := v.bot.Match(t)
	if err != nil {
		return games.Line{}, err
	}
	result, _ := m.Result()
	result = board.WithoutOut(t, result)
	if int(seat) >= len(result.Rows) || result.Rows[seat].Place != 1 {
		return games.Line{}, nil
	}
	first := 0
	for _, row := range result.Rows {
		if row.Place == 1 {
			first++
		}
	}
	total := board.PoolOf(t).Total()
	switch {
	case first > 1:
		return games.Say("bot.won-shared", nil), nil
	case g.Shape(t.Rules) == games.ShapePool && total > 0:
		return games.Say("bot.won-amount", games.Args{"Amount": bot.Amount(t.Unit, total)}), nil
	}
	return games.Say("bot.won", nil), nil
}

// pick adds an item of the present choice to the draft, or removes it; rest is its number. The toast names the kept
// dice. On platforms where drawing is expensive, a board that offers the same for every pick is not redrawn: it shows
// the picks with its next change.
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
	if !board.PicksDice(offered) || offered.Refusal.Key == "" || v.Event.Carries || t.Board.Away ||
		!v.bot.Traits(chat.Place(t.Place)).Sparing || v.Event.Place == chat.Place(t.Place) && v.Room() {
		return v.save(t)
	}
	t.Changed = v.At
	v.Reply.Board = t.ID
	return v.Tx.Tables.SaveTable(*t)
}

// playPicked plays the draft, or refuses with the reason why it cannot be played.
func (v *Visit) playPicked(t *store.Table, _ string) error {
	seat, g, m, err := v.myMatch(t)
	if err != nil {
		return err
	}
	offered := m.View().Pick
	if offered == nil {
		return games.Refuse("bot.moved-on", nil)
	}
	picked := board.ParseDraft(t.Draft)
	move, whole := picked.Whole(*offered)
	if !whole {
		return &games.Refusal{Line: picked.More(*offered)}
	}
	return v.playMove(t, g, m, seat, move)
}

// Forced moves that are played together with a press.

// maxThrows is the largest number of rolls of one press, which have to fit on one line.
const maxThrows = 3

// goOn plays the forced moves of seat that follow its move, if the chat plays these at once, and sets v.wentOn. events
// are those of the first move; the result adds the others. threw is t.Dice.Thrown before the first move.
func (v *Visit) goOn(t *store.Table, m games.Match, seat games.Seat, events []games.Event, threw int64) (games.Match,
	[]games.Event, error) {
	set, err := v.Settings(t.Chat)
	if err != nil || !board.IsQuick(v.bot.Bot, set, t.Place) {
		return m, events, err
	}
	throws := 0
	if t.Dice.Thrown > threw {
		throws++
	}
	for throws < maxThrows {
		move, ok := games.Follows(m, seat)
		if !ok {
			break
		}
		before := t.Dice.Thrown
		next, more, err := v.apply(t, m, seat, move, false)
		if err != nil {
			return m, events, err
		}
		if t.Dice.Thrown > before {
			throws++
		}
		m, events, v.wentOn = next, append(events, more...), true
	}
	return m, events, nil
}

// paceTold is the key under which the chat stores that tellPace has run.
const paceTold = "pace-told"

// tellPace sets a toast on how to change the pace, once in each chat, and reports whether it did.
func (v *Visit) tellPace(t *store.Table) (bool, error) {
	set, err := v.Settings(t.Chat)
	if err != nil || set[paceTold] != "" {
		return false, err
	}
	v.Toast("bot.pace-told", nil)
	return true, v.Remember(t.Chat, paceTold, "yes")
}

// usualPace returns the default of the setting "pace" for a chat.
func usualPace(b *bot.Bot, chat string) string {
	if board.IsQuick(b, nil, chat) {
		return board.Quick
	}
	return board.Calm
}
