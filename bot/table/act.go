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

// verb is the action of a button such as Join or Start at a table. Buttons for moves of the game have no verb.
type verb struct {
	states []string                                          // states of a table in which it can be pressed
	do     func(v *Visit, t *store.Table, rest string) error // rest is the text after the verb
	by     int                                               // who may press it: byAll, byHost or bySeated
}

const (
	byAll    = iota // everyone in the chat
	byHost          // people who may decide the terms
	bySeated        // people with a seat at the table
)

var lobbyOnly, playingOnly = []string{store.Lobby}, []string{store.Playing}

// verbs holds all verbs by the word that follows “!” in the data of their buttons, such as "!join".
var verbs = map[string]verb{
	"join":    {lobbyOnly, (*Visit).join, byAll},
	"agree":   {lobbyOnly, (*Visit).agreeNow, bySeated},
	"leave":   {lobbyOnly, (*Visit).leave, byAll},
	"free":    {lobbyOnly, (*Visit).freeReserved, byHost},
	"start":   {lobbyOnly, (*Visit).begin, byAll},
	"house":   {lobbyOnly, (*Visit).addHouse, byHost},
	"unhouse": {lobbyOnly, (*Visit).removeHouse, byHost},
	"page":    {lobbyOnly, (*Visit).turnPage, byAll},
	"set":     {lobbyOnly, (*Visit).setRule, byHost},
	"stake":   {lobbyOnly, (*Visit).setStake, byHost},
	"pick":    {playingOnly, (*Visit).togglePick, byAll},
	"play":    {playingOnly, (*Visit).playPicked, byAll},
	"more":    {playingOnly, (*Visit).playPicked, byAll},
	"show":    {[]string{store.Playing, store.Over}, (*Visit).showPage, byAll},
	"back":    {playingOnly, (*Visit).endAbsence, bySeated},
	"keep":    {[]string{store.Lobby, store.Playing}, (*Visit).keepTable, byAll},
	"stay":    {playingOnly, (*Visit).withdrawOffer, bySeated},
	"take":    {playingOnly, (*Visit).takeSeat, byAll},
	"hand":    {playingOnly, (*Visit).agreeToHandover, byAll},
	"undo":    {playingOnly, (*Visit).undo, byAll},
	"end":     {[]string{store.Lobby, store.Playing}, (*Visit).end, byAll},
	"vote":    {[]string{store.Lobby, store.Playing}, (*Visit).vote, bySeated},
	"refresh": {[]string{store.Lobby, store.Playing, store.Over, store.Abandoned}, refresh, byAll},
	"unseen":  {lobbyOnly, closeUnseen, byAll},
	"rematch": {[]string{store.Over, store.Abandoned}, (*Visit).rematch, byAll},
}

// press performs the action of the pressed button. If it is irreversible, the second press of a double tap is refused.
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
		if err := v.noteActivity(&t); err != nil {
			return err
		}
	}
	if err := v.pressAt(&t, p); err != nil {
		return err
	}
	if tapped && isIrreversible(p) { // the refusal rolls back its effect
		return games.Refuse("bot.tapped-twice", nil)
	}
	if known {
		return nil
	}
	return v.Met()
}

// pressAt performs the press p at a table: its verb, such as "!join", if it has one, else a move of the match. It
// refuses verbs that the state of the table or the rights of the person do not allow.
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
	case does.by == byHost && !v.isHost(*t):
		return v.hostRefusal(*t)
	case does.by == bySeated && board.SeatOf(*t, v.Event.User) < 0:
		return notSeated(*t)
	}
	return does.do(v, t, rest)
}

// playMove plays a move of seat, the moves that the move forces, and then those of computer players. The toast (brief
// answer) tells the person that they have won, or the effect of the move if that is short.
func (v *Visit) playMove(t *store.Table, g games.Game, m games.Match, seat games.Seat, move games.Move) error {
	v.playing = true
	threw := t.Dice.Thrown
	next, events, err := v.applyMove(t, m, seat, move, false)
	if err != nil {
		return err
	}
	if next, events, err = v.playForced(t, next, seat, events, threw); err != nil {
		return err
	}
	t.Board.Page, t.Seats[seat].Ends = board.PageGame, false // a move withdraws a vote to end
	if err := v.CarryOn(t, g, next); err != nil {
		return err
	}
	if v.playedForced {
		if told, err := v.tellPace(t); told || err != nil {
			return err
		}
		events = events[len(events)-1:] // the last event is the outcome
	}
	var won games.Line
	if t.State == store.Over && len(t.Seats) > 1 {
		if won, err = v.winLine(*t, g, seat); err != nil {
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

// winLine returns the sentence to the player at seat about the win; the zero Line if they did not win.
func (v *Visit) winLine(t store.Table, g games.Game, seat games.Seat) (games.Line, error) {
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

// togglePick adds an item, such as a die to keep, to the picked items or takes it back. rest is the item's number. The
// toast (brief answer) names the picked items. Where drawing is expensive and picks change none of its buttons, the
// board is redrawn only if the write limits leave room (see Room); otherwise its next drawing shows the picks.
func (v *Visit) togglePick(t *store.Table, rest string) error {
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
	if !board.ParseDraft(t.Draft).CanToggle(item, *offered) {
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

// playPicked plays the move of the picked items. It refuses with a reason if they make no move.
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
		return &games.Refusal{Line: picked.Reason(*offered)}
	}
	return v.playMove(t, g, m, seat, move)
}

// Forced moves (moves that need no decision), which one press plays together with the person's own move.

// maxThrows is how many rolls one press plays at most, since their dice must fit on one line.
const maxThrows = 3

// playForced plays the forced moves of seat after its first move, if the setting "pace" is quick, and then sets
// v.playedForced. It returns the match after them. events are those of the first move; the returned events add the
// later ones. thrownBefore is the number of dice thrown before the first move.
func (v *Visit) playForced(t *store.Table, m games.Match, seat games.Seat, events []games.Event,
	thrownBefore int64) (games.Match, []games.Event, error) {
	set, err := v.Settings(t.Chat)
	if err != nil || !board.IsQuick(v.bot.Bot, set, t.Place) {
		return m, events, err
	}
	throws := 0
	if t.Dice.Thrown > thrownBefore {
		throws++
	}
	for throws < maxThrows {
		move, ok := games.Follows(m, seat)
		if !ok {
			break
		}
		before := t.Dice.Thrown
		next, more, err := v.applyMove(t, m, seat, move, false)
		if err != nil {
			return m, events, err
		}
		if t.Dice.Thrown > before {
			throws++
		}
		m, events, v.playedForced = next, append(events, more...), true
	}
	return m, events, nil
}

// paceTold is the setting that a chat stores once tellPace has told its people about the pace.
const paceTold = "pace-told"

// tellPace explains in a toast (brief answer), once per chat, how to change the pace, and reports whether it did.
func (v *Visit) tellPace(t *store.Table) (bool, error) {
	set, err := v.Settings(t.Chat)
	if err != nil || set[paceTold] != "" {
		return false, err
	}
	v.Toast("bot.pace-told", nil)
	return true, v.Remember(t.Chat, paceTold, "yes")
}

// defaultPace returns the default "pace" of the chat: board.Quick where drawing is expensive, else board.Calm.
func defaultPace(b *bot.Bot, chat string) string {
	if board.IsQuick(b, nil, chat) {
		return board.Quick
	}
	return board.Calm
}
