package terminal

import (
	"context"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// open opens the table, seats all people, starts the game and returns its board. If the bot refuses, the error is a
// *games.Refusal.
func (t *Terminal) open(ctx context.Context) (chat.Message, error) {
	opener := slices.IndexFunc(t.table.Seats, func(name string) bool { return !strings.HasPrefix(name, housePrefix) })
	if opener < 0 {
		return chat.Message{}, games.Refuse("terminal.nobody", nil)
	}
	e := t.event(user(opener))
	e.Command, e.Options = t.table.Game, map[string]string{"turn": "none"} // turns at one keyboard have no time limit
	maps.Copy(e.Options, t.table.Options)
	reply := t.bot.Handle(ctx, e)
	if reply.Refused {
		return chat.Message{}, refusal(reply)
	}
	return t.sit(ctx, reply.Board, opener)
}

// sit seats all people and computer players at table, opened by the person in seat opener, starts the game and returns
// its board.
func (t *Terminal) sit(ctx context.Context, table int64, opener int) (chat.Message, error) {
	for i, name := range t.table.Seats {
		press, by := "join", user(i)
		if house, ok := strings.CutPrefix(name, housePrefix); ok {
			press, by = "house "+house, user(opener)
		} else if i == opener {
			if i == 0 {
				continue
			}
			// The opener got the first seat: they leave it, and join again behind the people before them.
			if err := t.lobby(ctx, by, table, "leave"); err != nil {
				return chat.Message{}, err
			}
		}
		if err := t.lobby(ctx, by, table, press); err != nil {
			return chat.Message{}, err
		}
	}
	return t.start(ctx, user(opener), table)
}

// start starts the game at table for the person u, shows its board and returns it. People seated before the computer
// player agree to it: they share this screen.
func (t *Terminal) start(ctx context.Context, u chat.User, table int64) (chat.Message, error) {
	board, err := t.newest(ctx, table)
	if err != nil {
		return board, err
	}
	t.eachPresses(ctx, board, "agree") // a repeated agreement changes nothing
	if err := t.lobby(ctx, u, table, "start"); err != nil {
		return chat.Message{}, err
	}
	return t.draw(ctx, table)
}

// eachPresses presses the lobby button verb for each person at the table of board. Refusals are ignored.
func (t *Terminal) eachPresses(ctx context.Context, board chat.Message, verb string) {
	for _, p := range board.People {
		if !p.House {
			e := t.event(p.User)
			e.Press = chat.LobbyPress(board, verb)
			t.bot.Handle(ctx, e)
		}
	}
}

// lobby presses the lobby button verb of table for the person u. If the bot refuses, the error is a *games.Refusal.
func (t *Terminal) lobby(ctx context.Context, u chat.User, table int64, verb string) error {
	board, err := t.newest(ctx, table)
	if err != nil {
		return err
	}
	e := t.event(u)
	e.Press = chat.LobbyPress(board, verb)
	if reply := t.bot.Handle(ctx, e); reply.Refused {
		return refusal(reply)
	}
	return nil
}
