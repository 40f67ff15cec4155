package board

// The pace of a chat: whether what needs no decision is played with the press before it.

import (
	"fmt"
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

// UsualPace is the pace where none is set: quick where drawing is dear.
func UsualPace(b *bot.Bot, at string) string {
	if b.Sparing(chat.Place(at)) {
		return Quick
	}
	return Calm
}

// IsQuick reports whether what needs no decision is played at once in a chat, at a place of it.
func IsQuick(b *bot.Bot, set bot.Settings, place string) bool {
	if pace := set["pace"]; pace != "" {
		return pace == Quick
	}
	return UsualPace(b, place) == Quick
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
	s.pressed, err = s.Tx.MovesAt(s.Table.ID, s.Table.Moved)
	return err
}

// wentOn reports whether the last move was played at once with another.
func (s *BoardView) wentOn() bool { return WentOn(s.pressed) }

// throwsAtOnce tells the throws of the last press where there were several: "Anna 6 2 · 3 3".
func (s *BoardView) throwsAtOnce() {
	var throws []string
	for _, m := range s.pressed {
		if m.Seat != s.pressed[0].Seat || m.Auto || s.Table.Seats[m.Seat].House != "" {
			break // what follows is told as others' turns are
		}
		if len(m.Dice) > 0 {
			throws = append(throws, strings.Trim(fmt.Sprint(m.Dice), "[]"))
		}
	}
	if len(throws) < 2 || s.aboveTheRow(throws) {
		return
	}
	s.Note("bot.throws-at-once",
		games.Args{"Seat": games.Seat(s.pressed[0].Seat), "Throws": strings.Join(throws, " · ")})
}

// aboveTheRow puts throws before the last of them where that lies above the row of a turn that has ended, if it does:
// "Anna 6 2 · 🎲 3 3".
func (s *BoardView) aboveTheRow(throws []string) bool {
	last := len(throws) - 1
	for i, row := range s.Message.Tiles {
		var faces []int
		for _, die := range row.Dice {
			faces = append(faces, die.Face)
		}
		if row.Owner == s.name(games.Seat(s.pressed[0].Seat)) && strings.Trim(fmt.Sprint(faces), "[]") == throws[last] {
			s.Message.Tiles[i].Whose = row.Owner
			s.Message.Tiles[i].Owner += " " + strings.Join(throws[:last], " · ") + " ·"
			return true
		}
	}
	return false
}

// throwsOn is the label of a move, which says so where the press throws as well.
func (s *BoardView) throwsOn(label games.Line, move games.Move) games.Line {
	if s.flows == nil {
		return label
	}
	if turn := s.flows.Turn(); len(turn) != 1 || !games.ThrowsOn(s.flows, turn[0], move) {
		return label
	}
	return games.Say("bot.button.and-throw", games.Args{"Move": label})
}
