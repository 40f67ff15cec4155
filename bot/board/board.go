// Package board draws tables as messages and answers questions about stored tables, such as who may press a button.
package board

// Drawing a board: its data, its sentences and its buttons.

import (
	"cmp"
	"fmt"
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Boards draws the boards of tables.
type Boards struct {
	*bot.Bot
	// Result, if set, adds to the board of a finished game, and reports whether the game has a review.
	Result func(s *BoardView) (reviewed bool, err error)

	replays Memory[int64, replay] // replays by table ID, so that many viewers of a table cost one
}

// New returns the boards of a bot.
func New(b *bot.Bot) *Boards { return &Boards{Bot: b} }

// BoardView is a board while it is drawn: the stored table, data read for it, and the Message so far.
type BoardView struct {
	bot       *Boards
	Tx        *store.Tx
	Table     store.Table
	Game      games.Game
	lang      string
	names     []string
	host      store.Player       // the opener of the table, as stored
	owner     string             // user ID, if this is a person's private chat with the bot; "": a group
	paper     bool               // the game has a sheet
	large     bool               // the sheet has too many columns for the board
	kept      []store.HouseRules // the chat's house rules for the game that new tables can use; only in a lobby
	read      bot.Cache          // results of queries by name, shared by all viewers
	flows     games.Match        // the match if the chat's pace plays forced moves at once; else nil
	pressed   []store.Move       // the moves of the last press, if flows is set
	viewer    *chat.Viewer       // nil: the board that all share
	turn      []games.Seat       // the seats to move
	undo      []games.Seat       // the seats that may undo the last choice
	boxHolder string             // the holder of the box (jackpot), as stored; only in a lobby
	Message   chat.Message
	Err       error // the first error of a query; if set, Message is incomplete
}

// readOnce returns the result of a query about the table. The query runs once for all viewers and is cached by name. An
// error is kept in s.Err, and the value may then be zero.
func readOnce[T any](s *BoardView, name string, query func(table int64) (T, error)) T {
	value, err := bot.Cached(s.read, name, func() (T, error) { return query(s.Table.ID) })
	s.Err = cmp.Or(s.Err, err)
	return value
}

// settings returns the settings of the table's chat.
func (s *BoardView) settings() bot.Settings {
	read := func() (bot.Settings, error) { return bot.SettingsOf(s.Tx, s.Table.Chat) }
	set, err := bot.Cached(s.read, "settings", read)
	s.Err = cmp.Or(s.Err, err)
	return set
}

// chatBox returns the box (jackpot) of the chat for the table's unit of stakes.
func (s *BoardView) chatBox() store.Box {
	return readOnce(s, "box", func(int64) (store.Box, error) { return s.Tx.Books.Box(s.Table.Chat, s.Table.Unit) })
}

// seatName returns the name at a seat, or the word for “someone” if the table has no such seat.
func (s *BoardView) seatName(seat games.Seat) string {
	if seat < 0 || int(seat) >= len(s.names) {
		return s.Say("bot.somebody", nil)
	}
	return s.names[seat]
}

// Line returns l as text in the board's language, with seats as names.
func (s *BoardView) Line(l games.Line) string {
	return s.bot.Words.Say(s.lang, l, words.Context{Name: s.seatName, Spell: s.bot.Spell(chat.Place(s.Table.Place))})
}

// Say returns the sentence of a key as text in the board's language.
func (s *BoardView) Say(key string, args games.Args) string { return s.Line(games.Say(key, args)) }

// tell adds a sentence to the top of the board: as the heading if that is empty, else below it.
func (s *BoardView) tell(sentence string) {
	if s.Message.Head == "" {
		s.Message.Head = sentence
		return
	}
	s.Message.Told = append(s.Message.Told, sentence)
}

// tellAll adds lines to the top of the board.
func (s *BoardView) tellAll(lines []games.Line) {
	for _, l := range lines {
		s.tell(s.Line(l))
	}
}

// tellFirst makes a sentence the heading and moves the present heading below it.
func (s *BoardView) tellFirst(sentence string) {
	said := append([]string{s.Message.Head}, s.Message.Told...)
	s.Message.Head, s.Message.Told = sentence, said
}

// press returns the text that a button of this board carries: the table, its turn, and what it does ("!join", a move).
func (s *BoardView) press(action string) string {
	return chat.Press{Table: s.Table.ID, Turn: BoardTurn(s.Table), What: action}.String()
}

// button returns a button with a label, shortened to fit, and the action of its press.
func (s *BoardView) button(label games.Line, action string, style games.Style) chat.Button {
	return chat.Button{Label: chat.Shorten(s.Line(label), chat.MaxButton), Press: s.press(action), Style: style}
}

// namedButton returns a button with the bot's sentence "bot.button."+name as its label, and the action of its press.
func (s *BoardView) namedButton(name, action string, style games.Style) chat.Button {
	return s.button(games.Say("bot.button."+name, nil), action, style)
}

// addSeats adds one line for each seat. text returns the words beside the name of seat i, and its state.
func (s *BoardView) addSeats(text func(i int) (string, games.StandState)) {
	for i, seat := range s.Table.Seats {
		said, state := text(i)
		s.Message.People = append(s.Message.People, chat.Person{
			Seat: i, User: chat.User(seat.Player), Name: s.names[i], Text: said, State: state, House: seat.House != "",
			Reserved: !seat.Confirmed,
		})
	}
}

// Note adds the sentence of a key to the lines of the board.
func (s *BoardView) Note(key string, args games.Args) {
	s.Message.Lines = append(s.Message.Lines, s.Say(key, args))
}

// Rendering of whole boards.

// shownSeal is the number of characters of the dice seal in the small print.
const shownSeal = 12

// Render returns the board of t for viewer, in their language. Without a viewer it is the board that all share, in the
// language of the chat or else of the opener; on platforms with Pages it is then the board of a viewer without a seat.
// Views holds the boards of others, except those that fail. Queries run once for all of them.
func (b *Boards) Render(tx *store.Tx, t store.Table, viewer *chat.Viewer, others ...chat.Viewer) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	if viewer == nil && b.Traits(chat.Place(t.Place)).Pages {
		viewer = &chat.Viewer{}
	}
	m, err := s.drawFor(viewer)
	if err != nil {
		return chat.Message{}, fmt.Errorf("board of table %d: %w", t.ID, err)
	}
	var views []chat.View // not an empty slice: adapters compare boards
	for _, other := range others {
		seen := m
		if viewer == nil || !s.isShared(*viewer) || !s.isShared(other) {
			if seen, err = s.drawFor(&other); err != nil {
				continue
			}
		}
		views = append(views, chat.View{By: other, Message: seen})
	}
	m.Views = views
	return m, nil
}

// isShared reports whether the viewer gets the board that all viewers without a seat share. That is not so in another
// language, on an open page, or in a lobby for a person without a seat, who also gets the button Join.
func (s *BoardView) isShared(viewer chat.Viewer) bool {
	lang := s.bot.Words.Match(viewer.Lang)
	return len(viewer.People) == 0 && !viewer.Offers && (!viewer.Unseated || s.Table.State != store.Lobby) &&
		viewer.Open.Table != s.Table.ID && (lang == "" || lang == s.lang)
}

// drawFor draws the board for a viewer; nil: the board that all share.
func (s BoardView) drawFor(viewer *chat.Viewer) (chat.Message, error) {
	if viewer != nil {
		s.lang = cmp.Or(s.bot.Words.Match(viewer.Lang), s.lang)
		s.names, s.Message.Lang = s.bot.NamesAt(s.Table, s.lang), s.lang
		s.viewer, s.Table.Board.Page = viewer, openPage(s.Table, *viewer, s.bot.Now())
	}
	s.Message.Turn, s.Message.Version = s.Table.Turn, s.Table.Version
	s.Message.Live = s.Table.State == store.Lobby || s.Table.State == store.Playing
	s.Message.Game = s.Line(s.bot.TableLabel(s.Game, s.Table.Rules))
	switch {
	case viewer != nil && viewer.Offers:
		s.addOffers()
	case s.Table.State == store.Lobby:
		s.drawLobby()
	case s.Table.State == store.Playing:
		s.drawPlaying()
	case s.Table.State == store.Over:
		s.drawOver()
	default:
		s.drawAbandoned()
	}
	if viewer != nil && s.Err == nil {
		s.limitToViewer()
	}
	return s.Message, s.Err
}

// Offers returns the message to all about the offered seats of a table, in the language of its board.
func (b *Boards) Offers(tx *store.Tx, t store.Table) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	s.addOffers()
	return s.Message, s.Err
}

// prepare returns an empty board of a table in its language. The message holds only the table's ID and, in Concerns,
// the people whose boards can differ from that of the others.
func (b *Boards) prepare(tx *store.Tx, t store.Table) (BoardView, error) {
	group, err := tx.Chats.Chat(t.Chat)
	if err != nil {
		return BoardView{}, err
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return BoardView{}, err
	}
	lang, err := b.TableLanguage(tx, group, t)
	if err != nil {
		return BoardView{}, err
	}
	s := b.newView(tx, t, g, lang)
	if s.host, err = tx.Chats.Player(t.Opener); err != nil {
		return BoardView{}, err
	}
	s.owner, s.Message.Table = group.Owner, t.ID
	concerns := []chat.User{chat.User(t.Opener)} // people whose board can differ from that of the others
	for _, seat := range t.Seats {
		for _, user := range []chat.User{chat.User(seat.Player), chat.User(seat.Taker)} {
			if user != "" && !slices.Contains(concerns, user) {
				concerns = append(concerns, user)
			}
		}
	}
	s.Message.Concerns = concerns
	return s, nil
}

// newView returns an empty board of a table in a language.
func (b *Boards) newView(tx *store.Tx, t store.Table, g games.Game, lang string) BoardView {
	return BoardView{bot: b, Tx: tx, Table: t, Game: g, lang: lang, names: b.NamesAt(t, lang), read: bot.Cache{},
		Message: chat.Message{Lang: lang, Accent: -1}}
}

// SmallPrint sets the small print: the seal of the dice and the name of the rules. A lobby in which several people vote
// also shows who was the last to change the word for the dice.
func (s *BoardView) SmallPrint() {
	args := games.Args{"Seal": s.Table.Dice.Commitment[:min(shownSeal, len(s.Table.Dice.Commitment))],
		"Rules": s.rulesName()}
	if last := LastWord(s.Table); s.Table.State == store.Lobby && last >= 0 && len(VotingSeats(s.Table)) > 1 {
		args["Seat"] = games.Seat(last)
		s.Message.Small = s.Say("bot.small-last", args)
		return
	}
	s.Message.Small = s.Say("bot.small", args)
}
