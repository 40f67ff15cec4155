package bot_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/sheet/sets"
	"knobel/games/zehntausend"
	"knobel/store"
)

// TestAVariantIsCalledByItsOwnName plays a game of each variant with its own command in each language. No board, page
// or answer on the way calls it by the name of the game whose variant it is.
func TestAVariantIsCalledByItsOwnName(t *testing.T) {
	for _, c := range []struct {
		command string
		others  []string // names of the game whose variant it is
	}{
		{"yahtzee", []string{"Kniffel"}},
		{"farkle", []string{"Zehntausend", "Ten Thousand"}},
	} {
		for _, lang := range []string{"en", "de"} {
			t.Run(c.command+" "+lang, func(t *testing.T) {
				h := bare.New(t, sets.Kniffel(), zehntausend.New())
				anna, ben := h.Person("Anna"), h.Person("Ben")
				anna.Locale, ben.Locale = lang, lang
				read := func(what string, m *chat.Message) {
					t.Helper()
					if m == nil {
						return
					}
					text := bare.Show(*m)
					if m.Sheet != nil {
						for _, row := range m.Sheet.Rows {
							text += "\n" + row.Label + "\n" + row.Short
						}
					}
					for _, name := range c.others {
						if strings.Contains(text, name) {
							t.Errorf("%s says %s:\n%s", what, name, text)
						}
					}
				}
				reply := func(what string, r chat.Reply) {
					t.Helper()
					read(what, r.Private)
					for _, name := range c.others {
						if strings.Contains(r.Toast, name) {
							t.Errorf("%s says %s: %s", what, name, r.Toast)
						}
					}
				}
				board := func() *chat.Message {
					m := anna.Board()
					return &m
				}
				reply("opening", anna.Writes("/"+c.command))
				reply("joining", ben.Sends(chat.LobbyPress(ben.Board(), "join")))
				read("the lobby", board())
				anna.Sends(chat.LobbyPress(anna.Board(), "page rules"))
				read("the options", board())
				for _, b := range slices.Concat(board().Buttons...) {
					if strings.Contains(b.Press, ":!page ") {
						reply(b.Label, anna.Sends(b.Press))
						read("page "+b.Label, board())
					}
				}
				reply("rules", anna.Writes("/rules"))
				anna.Sends(chat.LobbyPress(anna.Board(), "start"))
				for range 300 {
					if anna.Table().State != store.Playing {
						break
					}
					mover, m := h.ToMove([]*bare.Person{anna, ben})
					read("the board", &m)
					reply("a move", mover.Sends(bare.Onward(m).Press))
				}
				read("the end", board())
				check(t, h.Bot.AwaitReview(context.Background(), anna.Table().ID))
				for _, line := range []string{"/history", "/history 1 first", "/review", "/leaderboard", "/fair",
					"/table", "/settle why", "/rules " + c.command} {
					reply(line, anna.Writes(line))
				}
			})
		}
	}
}
