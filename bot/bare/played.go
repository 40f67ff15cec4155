package bare

// The steps of stories that play whole games and look at what is kept of them.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"knobel/games/record"
)

// game plays one from its opening to its end: its command, who sits there, what each of them plays.
func (s *story) game(text string) string {
	line, rest, _ := strings.Cut(text, " by ")
	names, moves, _ := strings.Cut(rest, ": ")
	s.Game(line, strings.Split(names, ", "), strings.Split(moves, ", ")...)
	s.whoIs(strings.Split(names, ", ")[0])
	return ""
}

// record shows some keys of the record of the newest table, which has to stand up to a check.
func (s *story) record(keys string) string {
	r := s.RecordOf(s.last.Table().ID)
	for _, fault := range record.Verify(r, s.Games, &record.Solutions{}) {
		s.T.Error(fault)
	}
	line, err := r.Encode()
	all := map[string]json.RawMessage{}
	if err := errors.Join(err, json.Unmarshal(line, &all)); err != nil {
		s.T.Fatal(err)
	}
	var said []string
	for _, key := range strings.Fields(keys) {
		said = append(said, key+" "+string(all[key]))
	}
	return strings.Join(said, "\n")
}

// clockAt lets time go by until a moment.
func (s *story) clockAt(text string) string {
	now, err := time.Parse(time.RFC3339, text)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Wait(now.Sub(s.Time()))
	return ""
}

func (s *story) zoneOf(name string) (_ string) {
	zone, err := time.LoadLocation(name)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Zone = zone
	s.Restart()
	return ""
}

// reviewed waits until all games are reviewed.
func (s *story) reviewed(string) string {
	err := s.Bot.CatchUp(s.T.Context())
	for id := range s.last.Table().ID {
		err = errors.Join(err, s.Bot.AwaitReview(s.T.Context(), id+1))
	}
	if err != nil {
		s.T.Fatal(err)
	}
	return ""
}

// puzzle shows a puzzle by its number.
func (s *story) puzzle(number string) string {
	id, err := strconv.ParseInt(number, 10, 64)
	m, err2 := s.Bot.Puzzle(s.T.Context(), id, s.last.Locale)
	if err := errors.Join(err, err2); err != nil {
		s.T.Fatal(err)
	}
	Proper(s.T, m)
	return Show(m)
}

// solved asks for hints until perfect play is known.
func (s *story) solved(string) string {
	NewStage().Until(s.T, "a hint", func([]string) bool { return s.last.Writes("/hint").Private != nil })
	return ""
}

// faults returns those that a check finds after the database was tampered with.
func (s *story) faults(string) string {
	books, err := s.Store.Check(s.T.Context())
	tables, err2 := s.Bot.Check(s.T.Context(), nil)
	if err := errors.Join(err, err2); err != nil {
		s.T.Fatal(err)
	}
	s.tampered = true
	for _, fault := range books {
		tables = append(tables, fmt.Sprint(fault))
	}
	return strings.Join(tables, "\n")
}
