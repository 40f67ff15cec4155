package terminal

import (
	"context"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// openTable opens the table described by t.table, seats everyone, starts the game and returns its board. If the bot
// refuses, the error is a *games.Refusal.
func (t *Terminal) openTable(ctx context.Context) (chat.Message, error) {
	opener := slices.IndexFunc(t.table.Seats, func(name string) bool { return !strings.HasPrefix(name, housePrefix) })
	if opener < 0 {
		return chat.Message{}, games.Refuse("terminal.nobody", nil)
	}
	e := t.event(userAt(opener))
	e.Command, e.Options = t.table.Game, map[string]string{"turn": "none"} // turns at one keyboard have no time limit
	maps.Copy(e.Options, t.table.Options)
	reply := t.bot.Handle(ctx, e)
	if reply.Refused {
		return chat.Message{}, refusalOf(reply)
	}
	return t.seatAll(ctx, reply.Board, opener)
}

// seatAll seats the people and computer players of t.table in the lobby whose number is table, starts the game and
// returns its board. opener is the seat of the person who has opened the lobby.
func (t *Terminal) seatAll(ctx context.Context, table int64, opener int) (chat.Message, error) {
	for i, name := range t.table.Seats {
		press, by := "join", userAt(i)
		if house, ok := strings.CutPrefix(name, housePrefix); ok {
			press, by = "house "+house, userAt(opener)
		} else if i == opener {
			if i == 0 {
				continue
			}
			// The opener got the first seat, but has a later one in the list: leave, and join again at this point.
			if err := t.pressLobby(ctx, by, table, "leave"); err != nil {
				return chat.Message{}, err
			}
		}
		if err := t.pressLobby(ctx, by, table, press); err != nil {
			return chat.Message{}, err
		}
	}
	return t.start(ctx, userAt(opener), table)
}

// start starts the game in the lobby table, as if user pressed the button, shows the board and returns it. First it
// agrees to the computer players for all people at the table, who share this screen, in case the bot asks them.
func (t *Terminal) start(ctx context.Context, user chat.User, table int64) (chat.Message, error) {
	board, err := t.newestBoard(ctx, table)
	if err != nil {
		return board, err
	}
	t.pressForAll(ctx, board, "agree") // a repeated agreement changes nothing
	if err := t.pressLobby(ctx, user, table, "start"); err != nil {
		return chat.Message{}, err
	}
	return t.showBoard(ctx, table)
}

// pressForAll presses a lobby button for each person at the table of board. verb names the button: "join" or "agree".
// Refusals are ignored.
func (t *Terminal) pressForAll(ctx context.Context, board chat.Message, verb string) {
	for _, p := range board.People {
		if !p.House {
			e := t.event(p.User)
			e.Press = chat.LobbyPress(board, verb)
			t.bot.Handle(ctx, e)
		}
	}
}

// pressLobby presses a button in the lobby of table for user. verb names the button, such as "leave". If the bot
// refuses, the error is a *games.Refusal.
func (t *Terminal) pressLobby(ctx context.Context, user chat.User, table int64, verb string) error {
	board, err := t.newestBoard(ctx, table)
	if err != nil {
		return err
	}
	e := t.event(user)
	e.Press = chat.LobbyPress(board, verb)
	if reply := t.bot.Handle(ctx, e); reply.Refused {
		return refusalOf(reply)
	}
	return nil
}
