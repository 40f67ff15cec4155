// Package board says what a stored table means and how it looks, in pure functions of the stored
// data.
package board

// Boards: how tables look, as a function of what is stored.

import (
	"strings"

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
	paper   bool               // the game has a sheet
	kept    []store.HouseRules // of the chat, in a lobby
	set     bot.Settings       // what the chat has set, once it is known
	Message chat.Message
}

// settings is what the chat has set.
func (s *BoardView) settings() (set bot.Settings, err error) {
	if s.set == nil {
		s.set, err = bot.SettingsOf(s.Tx, s.Table.Chat)
	}
	return s.set, err
}

func (s *BoardView) name(seat games.Seat) string {
	if seat < 0 || int(seat) >= len(s.names) {
		return s.Say("bot.somebody", nil)
	}
	return s.names[seat]
}

func (s *BoardView) Line(l games.Line) string {
	return s.bot.Words.Say(s.lang, l, words.Context{Name: s.name, Sign: s.bot.Sign(chat.Place(s.Table.Place))})
}

func (s *BoardView) Say(key string, args games.Args) string { return s.Line(games.Say(key, args)) }

// sentences says lines one after the other.
func (s *BoardView) sentences(lines []games.Line) string {
	said := make([]string, len(lines))
	for i, l := range lines {
		said[i] = s.Line(l)
	}
	return strings.Join(said, " ")
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

func (s *BoardView) row(buttons ...chat.Button) { s.Message.Row(buttons...) }

// rows adds buttons in rows of at most wide.
func (s *BoardView) rows(wide int, buttons ...chat.Button) { s.Message.Rows(wide, buttons...) }

// people adds one line for each seat; text returns its standing.
func (s *BoardView) people(text func(i int) (string, games.StandState)) {
	for i, seat := range s.Table.Seats {
		said, state := text(i)
		s.Message.People = append(s.Message.People, chat.Person{
			Seat: i, User: chat.User(seat.Player), Name: s.names[i], Text: said, State: state, House: seat.House != "",
		})
	}
}

func (s *BoardView) Note(key string, args games.Args) {
	s.Message.Lines = append(s.Message.Lines, s.Say(key, args))
}
