// Package board says what a stored table means and how it looks, in pure functions of the stored
// data.
package board

// Boards: how tables look, as a function of what is stored.

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

// Boards draw tables.
type Boards struct {
	*bot.Bot
	// Result adds to the board of a table that is over, and reports whether it has been reviewed; nil: nothing does.
	Result func(s *BoardView) (reviewed bool, err error)

	stepping Memory[int64, stepped] // by table, so that many who look at one have it played again once
}

// New returns the boards of a bot.
func New(b *bot.Bot) *Boards { return &Boards{Bot: b} }

// BoardView builds the board of a table from what is stored.
type BoardView struct {
	bot     *Boards
	Tx      *store.Tx
	Table   store.Table
	Game    games.Game
	lang    string
	names   []string
	host    store.Player       // the opener of the table
	owner   string             // the person in whose private chat with the bot it is; "": it is in a group
	paper   bool               // the game has a sheet
	large   bool               // the board has no room for all columns of the sheet
	kept    []store.HouseRules // of the chat, in a lobby
	read    bot.Cache          // answers of queries, for all viewers
	flows   games.Match        // the match if forced moves are played at once; else nil
	pressed []store.Move       // the moves of the last press then
	viewer  *chat.Viewer       // nil: the board is for all
	turn    []games.Seat       // the seats to move
	undo    []games.Seat       // the seats that may take the last choice back
	boxed   string             // the holder of the box, in a lobby
	Message chat.Message
	Err     error // the first error of reading; with it the Message must not be shown
}

// readOnce returns the result of a query about the table, which runs once for all viewers. The first error is kept in
// Err, and the value may then be zero.
func readOnce[T any](s *BoardView, name string, query func(table int64) (T, error)) T {
	value, err := bot.Cached(s.read, name, func() (T, error) { return query(s.Table.ID) })
	s.Err = cmp.Or(s.Err, err)
	return value
}

// settings is what the chat has set.
func (s *BoardView) settings() bot.Settings {
	read := func() (bot.Settings, error) { return bot.SettingsOf(s.Tx, s.Table.Chat) }
	set, err := bot.Cached(s.read, "settings", read)
	s.Err = cmp.Or(s.Err, err)
	return set
}

// box returns the box of the chat.
func (s *BoardView) box() store.Box {
	return readOnce(s, "box", func(int64) (store.Box, error) { return s.Tx.Books.Box(s.Table.Chat, s.Table.Unit) })
}

func (s *BoardView) name(seat games.Seat) string {
	if seat < 0 || int(seat) >= len(s.names) {
		return s.Say("bot.somebody", nil)
	}
	return s.names[seat]
}

func (s *BoardView) Line(l games.Line) string {
	return s.bot.Words.Say(s.lang, l, words.Context{Name: s.name, Spell: s.bot.Spell(chat.Place(s.Table.Place))})
}

func (s *BoardView) Say(key string, args games.Args) string { return s.Line(games.Say(key, args)) }

// tell adds a sentence to the top of the board: as its heading, if it has none.
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

// tellFirst makes a sentence the heading, above the present one.
func (s *BoardView) tellFirst(sentence string) {
	said := append([]string{s.Message.Head}, s.Message.Told...)
	s.Message.Head, s.Message.Told = sentence, said
}

// press returns the text that a button of this board carries.
func (s *BoardView) press(what string) string {
	return chat.Press{Table: s.Table.ID, Turn: BoardTurn(s.Table), What: what}.String()
}

func (s *BoardView) button(label games.Line, what string, style games.Style) chat.Button {
	return chat.Button{Label: chat.Shorten(s.Line(label), chat.MaxButton), Press: s.press(what), Style: style}
}

// key returns a button whose label is a sentence of the bot.
func (s *BoardView) key(name, what string, style games.Style) chat.Button {
	return s.button(games.Say("bot.button."+name, nil), what, style)
}

// people adds one line for each seat; text returns its standing.
func (s *BoardView) people(text func(i int) (string, games.StandState)) {
	for i, seat := range s.Table.Seats {
		said, state := text(i)
		s.Message.People = append(s.Message.People, chat.Person{
			Seat: i, User: chat.User(seat.Player), Name: s.names[i], Text: said, State: state, House: seat.House != "",
			Reserved: !seat.Confirmed,
		})
	}
}

func (s *BoardView) Note(key string, args games.Args) {
	s.Message.Lines = append(s.Message.Lines, s.Say(key, args))
}

// A board of a table, drawn from what is stored: the match, its buttons and the small print.

// shownSeal is the number of characters of the dice seal on a board.
const shownSeal = 12

// Render renders a table for a viewer, in their language; nil: for all who share its board, in the language of the chat
// or else of its opener, and on platforms with Pages as for a viewer without a seat. The boards of others are returned
// as Views, except those that fail. Data that all of them show is read once.
func (b *Boards) Render(tx *store.Tx, t store.Table, by *chat.Viewer, others ...chat.Viewer) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	if by == nil && b.Traits(chat.Place(t.Place)).Pages {
		by = &chat.Viewer{}
	}
	m, err := s.drawFor(by)
	if err != nil {
		return chat.Message{}, fmt.Errorf("board of table %d: %w", t.ID, err)
	}
	var views []chat.View // nil without others: adapters compare boards
	for _, other := range others {
		seen := m
		if by == nil || !s.watches(*by) || !s.watches(other) {
			if seen, err = s.drawFor(&other); err != nil {
				continue
			}
		}
		views = append(views, chat.View{By: other, Message: seen})
	}
	m.Views = views
	return m, nil
}

// watches reports whether a viewer gets the same board as all viewers without a seat, in the board's language. In a
// lobby a person without a seat also gets the button that gives a seat.
func (s *BoardView) watches(by chat.Viewer) bool {
	lang := s.bot.Words.Match(by.Lang)
	return len(by.People) == 0 && !by.Offers && (!by.Unseated || s.Table.State != store.Lobby) &&
		by.Open.Table != s.Table.ID && (lang == "" || lang == s.lang)
}

// drawFor draws the board for one who looks, nil: for all.
func (s BoardView) drawFor(by *chat.Viewer) (chat.Message, error) {
	if by != nil {
		s.lang = cmp.Or(s.bot.Words.Match(by.Lang), s.lang)
		s.names, s.Message.Lang = s.bot.NamesAt(s.Table, s.lang), s.lang
		s.viewer, s.Table.Board.Page = by, openPage(s.Table, *by, s.bot.Now())
	}
	s.Message.Turn, s.Message.Version = s.Table.Turn, s.Table.Version
	s.Message.Live = s.Table.State == store.Lobby || s.Table.State == store.Playing
	s.Message.Game = s.Line(s.bot.TableLabel(s.Game, s.Table.Rules))
	switch {
	case by != nil && by.Offers:
		s.offers()
	case s.Table.State == store.Lobby:
		s.lobby()
	case s.Table.State == store.Playing:
		s.playing()
	case s.Table.State == store.Over:
		s.over()
	default:
		s.abandoned()
	}
	if by != nil && s.Err == nil {
		s.forViewer()
	}
	return s.Message, s.Err
}

// Offers returns the message to all about the seats of a table that are offered, in the language of its board.
func (b *Boards) Offers(tx *store.Tx, t store.Table) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	s.offers()
	return s.Message, s.Err
}

// prepare returns the view of a table in the language of its board: the message names the table alone.
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
	s := b.view(tx, t, g, lang)
	if s.host, err = tx.Chats.Player(t.Opener); err != nil {
		return BoardView{}, err
	}
	s.owner, s.Message.Table = group.Owner, t.ID
	concerns := []chat.User{chat.User(t.Opener)} // whose board can differ from that of all others
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

// view returns an empty board of a table in a language.
func (b *Boards) view(tx *store.Tx, t store.Table, g games.Game, lang string) BoardView {
	return BoardView{bot: b, Tx: tx, Table: t, Game: g, lang: lang, names: b.NamesAt(t, lang), read: bot.Cache{},
		Message: chat.Message{Lang: lang, Accent: -1}}
}

// SmallPrint sets the small print: the seal of the dice and the name of the rules.
func (s *BoardView) SmallPrint() {
	args := games.Args{"Seal": s.Table.Dice.Commitment[:min(shownSeal, len(s.Table.Dice.Commitment))],
		"Rules": s.rulesName()}
	if last := LastWord(s.Table); s.Table.State == store.Lobby && last >= 0 && len(Voting(s.Table)) > 1 {
		args["Seat"] = games.Seat(last)
		s.Message.Small = s.Say("bot.small-last", args)
		return
	}
	s.Message.Small = s.Say("bot.small", args)
}
