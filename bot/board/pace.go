package board

// The pace of a chat: whether what needs no decision is played with the press before it.

import (
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The paces of a chat.
const (
	Quick = "quick" // what needs no decision is played with the press before it
	Calm  = "calm"  // each move is a press of its own
)

// IsQuick reports whether forced moves are played at once in a place of a chat with these settings: by default where
// drawing is expensive.
func IsQuick(b *bot.Bot, set bot.Settings, place string) bool {
	if pace := set["pace"]; pace != "" {
		return pace == Quick
	}
	return b.Traits(chat.Place(place)).Sparing
}

// WentOn reports whether the moves of one moment end with one that followed another of its seat without a decision.
// Dice had fallen for it, and it is not taken back.
func WentOn(at []store.Move) bool {
	last := len(at) - 1
	return last > 0 && at[last].Seat == at[last-1].Seat && len(at[last-1].Dice) > 0
}

// pace learns whether the table plays at once what needs no decision, and what was played with the last press.
func (s *BoardView) pace(m games.Match) error {
	flowing, ok := m.(games.Flowing)
	if !ok {
		return nil
	}
	set, err := s.settings()
	if err != nil || !IsQuick(s.bot.Bot, set, s.Table.Place) {
		return err
	}
	s.flows = flowing
	s.pressed, err = readOnce(s, "moves of press", func(table int64) ([]store.Move, error) {
		return s.Tx.Tables.MovesAt(table, s.Table.Clock.Moved)
	})
	return err
}

// wentOn reports whether the last move was played at once with another.
func (s *BoardView) wentOn() bool { return WentOn(s.pressed) }

// throwsAtOnce tells what a person has thrown with the last press where the board does not show it otherwise: several
// throws, "Anna 6 2 · 3 3", and one whose dice do not lie there any more, as the turn has ended. At a box the tiles say
// enough of that.
func (s *BoardView) throwsAtOnce() {
	var throws []string
	for _, m := range s.pressed {
		if m.Seat != s.pressed[0].Seat || m.Auto || s.Table.Seats[m.Seat].House != "" {
			break // what follows is told as others' turns are
		}
		if len(m.Dice) > 0 {
			throws = append(throws, spelled(m.Dice))
		}
	}
	if len(throws) == 0 {
		return
	}
	seat := games.Seat(s.pressed[0].Seat)
	if len(throws) == 1 && (s.atBox() || len(s.Message.Dice) > 0 && slices.Equal(s.turn, []games.Seat{seat})) {
		return
	}
	ended := slices.IndexFunc(s.Message.Tiles, func(row chat.TileRow) bool {
		return row.Owner == s.name(seat) && len(row.Dice) > 0
	})
	if ended >= 0 && aboveTheRow(&s.Message.Tiles[ended], throws) {
		return
	}
	s.Note("bot.throws-at-once", games.Args{"Seat": seat, "Throws": strings.Join(throws, " · ")})
}

// atBox reports whether the board shows tiles.
func (s *BoardView) atBox() bool {
	return slices.ContainsFunc(s.Message.Tiles, func(row chat.TileRow) bool { return len(row.Tiles) > 0 })
}

// aboveTheRow puts throws before the last of them where that lies above the row of a turn that has ended: "Anna 6 2 ·
// 🎲 3 3". It reports whether the row tells all throws then; of a single one others may lie there that were kept.
func aboveTheRow(row *chat.TileRow, throws []string) bool {
	last := len(throws) - 1
	if last == 0 {
		return true
	}
	var faces []int
	for _, die := range row.Dice {
		faces = append(faces, die.Face)
	}
	if spelled(faces) != throws[last] {
		return false
	}
	row.Whose = row.Owner
	row.Owner += " " + strings.Join(throws[:last], " · ") + " ·"
	return true
}

// throwsOn returns the label of a move, which says so where the press throws as well.
func (s *BoardView) throwsOn(label games.Line, move games.Move) games.Line {
	if s.flows == nil {
		return label
	}
	if turn := s.flows.Turn(); len(turn) != 1 || !games.ThrowsOn(s.flows, turn[0], move) {
		return label
	}
	return games.Say("bot.button.and-throw", games.Args{"Move": label})
}
