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

// seasonOfFinal returns the season whose final the table is; ok is false if it is none, or if the season is gone.
func (s *BoardView) seasonOfFinal() (of store.Season, ok bool) {
	id, is := FinalOf(s.Table)
	if !is {
		return of, false
	}
	of = readOnce(s, "season", func(int64) (store.Season, error) {
		of, err := s.Tx.Chats.Season(id)
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return of, err
	})
	return of, of.ID != 0
}

// sayFinal adds, on the board of a final, of which season it is or, once it is over, who is the champion.
func (s *BoardView) sayFinal() {
	of, ok := s.seasonOfFinal()
	if !ok {
		return
	}
	args := games.Args{"Season": chat.Isolate(of.Name)}
	seat := SeatOf(s.Table, chat.User(of.Champion))
	args["Seat"] = games.Seat(seat)
	switch {
	case s.Table.State == store.Lobby:
		s.tell(s.Say("bot.final.alone", nil))
	case s.Table.State == store.Playing:
		s.tell(s.Say("bot.final.of", args))
	case seat < 0:
	case of.FinalTable == s.Table.ID:
		s.tell(s.Say("bot.final.champion", args))
	case of.FinalTable == 0:
		s.tell(s.Say("bot.final.first", args))
	}
}
