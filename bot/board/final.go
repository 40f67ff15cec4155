package board

import (
	"errors"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// FinalOf returns the number of the season whose final a table is, and whether it is one.
func FinalOf(t store.Table) (season int64, is bool) {
	o := OccasionOf(t)
	return o.Number, o.Kind == AtFinal
}

// sayFinal adds, on the board of a final, of which season it is or, once it is over, who is the champion.
func (s *BoardView) sayFinal() {
	id, is := FinalOf(s.Table)
	if !is {
		return
	}
	of := readOnce(s, "season", func(int64) (store.Season, error) {
		of, err := s.Tx.Chats.Season(id)
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return of, err
	})
	args := games.Args{"Season": chat.Isolate(of.Name)}
	switch seat := SeatOf(s.Table, chat.User(of.Champion)); {
	case of.ID == 0:
	case s.Table.State != store.Over:
		s.tell(s.Say("bot.final.of", args))
	case of.FinalTable == s.Table.ID && seat >= 0:
		args["Seat"] = games.Seat(seat)
		s.tell(s.Say("bot.final.champion", args))
	}
}
