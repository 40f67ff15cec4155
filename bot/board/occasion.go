package board

import (
	"fmt"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Occasion says why the bot has opened a table by itself.
type Occasion struct {
	Kind   string // AtEvening or AtFinal; "": a person has opened it
	Number int64  // of a fixed evening: how many minutes the bot was late; of a final: the season
	Calls  bool   // the first post of the board notifies the people with reserved seats
}

// The kinds of occasions.
const (
	AtEvening = "evening"
	AtFinal   = "final"
)

// String returns o as store.Origin holds it.
func (o Occasion) String() string {
	if o.Calls {
		return fmt.Sprint(o.Kind, " ", o.Number, " call")
	}
	return fmt.Sprint(o.Kind, " ", o.Number)
}

// OccasionOf returns the occasion of a table.
func OccasionOf(t store.Table) (o Occasion) {
	fields := strings.Fields(t.Occasion)
	if len(fields) < 2 {
		return o
	}
	o.Kind, o.Calls = fields[0], len(fields) > 2
	o.Number, _ = strconv.ParseInt(fields[1], 10, 64)
	return o
}

// addOccasion adds to a lobby that the bot has opened by itself how late that was, and the people whom its first post
// calls.
func (s *BoardView) addOccasion() {
	o := OccasionOf(s.Table)
	if o.Kind == AtEvening && o.Number > 0 {
		s.Note("bot.evening.late", games.Args{"N": int(o.Number)})
	}
	if !o.Calls || s.Table.Board.Message != "" {
		return
	}
	for i, seat := range s.Table.Seats {
		if seat.Confirmed {
			continue
		}
		player := readOnce(s, fmt.Sprint("player ", i), func(int64) (store.Player, error) {
			return s.Tx.Chats.Player(seat.Player)
		})
		if !player.Uncalled {
			s.Message.Call = append(s.Message.Call, chat.User(seat.Player))
		}
	}
}
