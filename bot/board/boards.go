// Package board says what a stored table means and how it looks, in pure functions of the stored
// data.
package board

// Boards: how tables look, as a function of what is stored.

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Boards draw tables.
type Boards struct {
	*bot.Bot
	// Result add to the board of a table that is over, and report whether it has been
	// reviewed.
	Result []func(s *BoardView) (reviewed bool, err error)

	stepping replays[stepped]
	won      replays[wonBox]
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
	host    store.Player       // who has opened the table
	owner   string             // whose conversation with the bot alone it is in, "": it is in a group
	paper   bool               // the game has a sheet
	large   bool               // of which the board has no room for all columns
	kept    []store.HouseRules // of the chat, in a lobby
	read    bot.Cache          // for all who look
	flows   games.Match        // the match, where what needs no decision is played at once; else nil
	pressed []store.Move       // what was played with the last press there
	viewer  *chat.Viewer       // for whom it is drawn, nil: for all
	turn    []games.Seat       // who is to move
	undo    []games.Seat       // who may take the last choice back
	boxed   string             // who holds the box, in a lobby
	Message chat.Message
}

// settings is what the chat has set.
func (s *BoardView) settings() (bot.Settings, error) {
	return bot.Cached(s.read, "settings", func() (bot.Settings, error) { return bot.SettingsOf(s.Tx, s.Table.Chat) })
}

// readOnce returns what a query returns about the table. It is asked once for all who look.
func readOnce[T any](s *BoardView, name string, query func(table int64) (T, error)) (T, error) {
	return bot.Cached(s.read, name, func() (T, error) { return query(s.Table.ID) })
}

// box returns the box of the chat.
func (s *BoardView) box() (store.Box, error) {
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

// number spells a number for the readers of the board.
func (s *BoardView) number(n games.Number) string { return s.bot.Words.Number(s.lang, n) }

func (s *BoardView) Say(key string, args games.Args) string { return s.Line(games.Say(key, args)) }

// tell adds a sentence to what a board says first: the heading, while there is none.
func (s *BoardView) tell(sentence string) {
	if s.Message.Head == "" {
		s.Message.Head = sentence
		return
	}
	s.Message.Told = append(s.Message.Told, sentence)
}

// tellAll adds lines to what a board says first.
func (s *BoardView) tellAll(lines []games.Line) {
	for _, l := range lines {
		s.tell(s.Line(l))
	}
}

// tellFirst puts a sentence before all that a board says.
func (s *BoardView) tellFirst(sentence string) {
	said := append([]string{s.Message.Head}, s.Message.Told...)
	s.Message.Head, s.Message.Told = sentence, said
}

// press is what a button of this board carries.
func (s *BoardView) press(what string) string {
	return chat.Press{Table: s.Table.ID, Turn: BoardTurn(s.Table), What: what}.String()
}

func (s *BoardView) button(label games.Line, what string, style games.Style) chat.Button {
	return chat.Button{Label: chat.Shorten(s.Line(label), chat.MaxButton), Press: s.press(what), Style: style}
}

// key is a button whose label is a sentence of the bot's own.
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
