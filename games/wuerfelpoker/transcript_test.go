package wuerfelpoker_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/wuerfelpoker"
)

// TestTranscripts plays the transcripts in testdata/rules. Each begins with a
// sentence of the rules and tells a match line by line: what is thrown and
// written, and what must then be so.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/rules/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var title string
		var body []string
		play := func() {
			if title != "" {
				t.Run(strings.TrimSuffix(filepath.Base(name), ".txt")+"/"+title, func(t *testing.T) { playTranscript(t, body) })
			}
			body = nil
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			line := strings.TrimSpace(lines.Text())
			if next, ok := strings.CutPrefix(line, "== "); ok {
				play()
				title = next
			} else if line != "" && !strings.HasPrefix(line, "#") {
				body = append(body, line)
			}
		}
		play()
	}
}

// transcript is a match that is told.
type transcript struct {
	t     *testing.T
	line  string
	rules games.Rules
	seats int
	match games.Match
}

func playTranscript(t *testing.T, lines []string) {
	if len(lines) == 0 {
		t.Fatal("the transcript is empty")
	}
	s := &transcript{t: t, rules: games.Rules{}, seats: 1}
	s.begin()
	for _, line := range lines {
		s.line = line
		verb, rest, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(verb); err == nil {
			for range n * s.seats {
				s.round(rest)
			}
			continue
		}
		tell, known := verbs[verb]
		if !known {
			t.Fatalf("%q: nobody knows what this means", line)
		}
		tell(s, rest)
	}
}

// verbs are the first words of lines.
var verbs = map[string]func(*transcript, string){
	"rules":   (*transcript).readRules,
	"seats":   func(s *transcript, rest string) { s.seats = s.number(rest); s.begin() },
	"school":  (*transcript).school,
	"throw":   func(s *transcript, rest string) { s.play("throw", faces(rest)...) },
	"keep":    (*transcript).keep,
	"write":   (*transcript).write,
	"strike":  func(s *transcript, rest string) { s.play(games.Move("strike " + rest)) },
	"miss":    func(s *transcript, _ string) { s.play("miss") },
	"row":     (*transcript).row,
	"score":   func(s *transcript, rest string) { s.score(rest, false) },
	"first":   func(s *transcript, rest string) { s.score(rest, true) },
	"may":     (*transcript).may,
	"refused": (*transcript).refused,
	"dice":    (*transcript).dice,
	"turn":    func(s *transcript, rest string) { s.same("turn", fmt.Sprint(s.match.Turn()[0]), rest) },
	"total":   func(s *transcript, rest string) { s.same("total", s.cell("total", 0), rest) },
	"totals":  (*transcript).totals,
	"bonus":   func(s *transcript, rest string) { s.same("bonus", s.cell("bonus", 0), rest) },
	"cell": func(s *transcript, rest string) {
		row, want, _ := strings.Cut(rest, " ")
		s.same(row, s.cell(row, 0), want)
	},
	"over":   func(s *transcript, _ string) { s.same("moves left", fmt.Sprint(s.match.Turn()), "[]") },
	"places": (*transcript).places,
	"point": func(s *transcript, rest string) {
		result, _ := s.match.Result()
		s.same("point", fmt.Sprint(result.Point), rest)
	},
}

func (s *transcript) readRules(rest string) {
	for _, option := range strings.Fields(rest) {
		name, value, _ := strings.Cut(option, "=")
		s.rules[name] = value
	}
	s.begin()
}

func (s *transcript) begin() {
	s.t.Helper()
	m, err := wuerfelpoker.Game{}.New(s.rules, s.seats)
	if err != nil {
		s.t.Fatal(err)
	}
	s.match = m
}

func (s *transcript) fatalf(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%q: %s", s.line, fmt.Sprintf(format, args...))
}

func (s *transcript) same(what, got, want string) {
	s.t.Helper()
	if got != strings.Replace(want, "open", "·", 1) {
		s.fatalf("the %s is %s", what, got)
	}
}

func (s *transcript) number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		s.fatalf("%q is no number", text)
	}
	return n
}

func faces(text string) []int {
	var list []int
	for _, field := range strings.Fields(text) {
		list = append(list, int(field[0]-'0'))
	}
	return list
}

// play plays a move of whoever is to move; all given faces must be thrown.
func (s *transcript) play(move games.Move, fall ...int) {
	s.t.Helper()
	d := dice.NewScripted(s.t, fall...)
	m, _, err := games.Play(s.match, s.match.Turn()[0], move, d)
	if err != nil || len(d.Left()) > 0 {
		s.fatalf("%s: %v, not thrown: %v", move, err, d.Left())
	}
	s.match = m
}

func (s *transcript) keep(rest string) {
	set, fall, _ := strings.Cut(rest, " ")
	s.play(games.Move("keep "+set), faces(fall)...)
}

// write writes a row: "pair = 24*", "pair = 12".
func (s *transcript) write(rest string) {
	row, want, _ := strings.Cut(rest, " = ")
	seat := int(s.match.Turn()[0])
	s.play(games.Move("write " + row))
	s.same(row, s.cell(row, seat), want)
}

// row writes a row with these dice after the second throw.
func (s *transcript) row(rest string) {
	row, fall, _ := strings.Cut(rest, " ")
	s.throwTwice(fall)
	s.play(games.Move("write " + row))
}

func (s *transcript) throwTwice(fall string) {
	s.play("throw", 1, 2, 3, 4, 6)
	s.play("keep 00000", faces(fall)...)
}

var schoolRows = []string{"ones", "twos", "threes", "fours", "fives", "sixes"}

// school plays part one with three dice of each face, 0 points; "school -1"
// asks for its sum.
func (s *transcript) school(rest string) {
	if rest != "" {
		s.same("school", s.cell("school", 0), rest)
		return
	}
	for i, row := range schoolRows {
		for range s.seats {
			other := fmt.Sprint(i%6 + 2 - i/5*5)
			s.row(row + strings.Repeat(" "+fmt.Sprint(i+1), 3) + strings.Repeat(" "+other, 2))
		}
	}
}

// round plays a round of one seat: a miss, or the first of these rows that it
// has left.
func (s *transcript) round(kind string) {
	if kind == "misses" {
		s.play("throw", 1, 2, 3, 4, 6)
		s.play("miss")
		return
	}
	for _, row := range []string{"pair 6 6 1 2 3", "two-pairs 5 5 1 1 2", "three 6 6 6 1 2", "small-straight 1 2 3 4 6", "four 4 4 4 4 1",
		"big-straight 1 2 3 4 6", "full-house 1 1 1 2 2", "poker 1 2 3 4 6", "chance 1 1 1 1 1"} {
		name, fall, _ := strings.Cut(row, " ")
		if s.cell(name, int(s.match.Turn()[0])) != "·" {
			continue
		}
		s.throwTwice(fall)
		move := games.Move("write " + name)
		if !slices.Contains(s.match.Moves(s.match.Turn()[0]), move) {
			move = games.Move("strike " + name)
		}
		s.play(move)
		return
	}
}

// score asks what a row gives in a match in which nothing else is written.
func (s *transcript) score(rest string, first bool) {
	s.begin()
	left, want, _ := strings.Cut(rest, " = ")
	row, fall, _ := strings.Cut(left, " ")
	partOne := slices.Contains(schoolRows, row)
	if !partOne {
		s.school("")
	}
	if first {
		s.play("throw", faces(fall)...)
	} else {
		s.throwTwice(fall)
	}
	moves := s.match.Moves(0)
	write, strike := games.Move("write "+row), games.Move("strike "+row)
	if there := slices.Contains(moves, write); there == (want == "—") || !partOne && there == slices.Contains(moves, strike) {
		s.fatalf("legal are %q", moves)
	}
	if want == "—" {
		s.play(strike)
	} else {
		s.play(write)
	}
	s.same(row, s.cell(row, 0), want)
}

// may lists all legal moves but the ways to throw again, as they are offered.
func (s *transcript) may(rest string) {
	var moves []string
	late := []string{} // what Moves puts behind throwing again
	keeps := false
	for _, move := range s.match.Moves(s.match.Turn()[0]) {
		switch {
		case strings.HasPrefix(string(move), "keep"):
			keeps = true
		case keeps:
			late = append(late, string(move))
		default:
			moves = append(moves, string(move))
		}
	}
	s.same("choice", strings.Join(append(moves, late...), ", "), rest)
}

func (s *transcript) refused(rest string) {
	_, _, err := games.Play(s.match, s.match.Turn()[0], games.Move(rest), dice.NewScripted(s.t))
	if _, ok := games.Refused(err); !ok {
		s.fatalf("it is not refused: %v", err)
	}
}

// dice tells how the dice lie: "4 4 3 5 4 kept 11000".
func (s *transcript) dice(rest string) {
	var lie []string
	kept := ""
	for _, die := range s.match.View().Dice {
		lie = append(lie, fmt.Sprint(die.Face))
		kept += map[bool]string{true: "1", false: "0"}[die.Kept]
	}
	s.same("throw", strings.Join(lie, " ")+" kept "+kept, rest)
}

func (s *transcript) totals(rest string) {
	var totals []string
	for seat := range s.seats {
		totals = append(totals, s.cell("total", seat))
	}
	s.same("totals", strings.Join(totals, " "), rest)
}

func (s *transcript) places(rest string) {
	result, over := s.match.Result()
	if !over {
		s.fatalf("the match is not over")
	}
	var places []string
	for _, row := range result.Rows {
		places = append(places, fmt.Sprint(row.Place))
	}
	s.same("places", strings.Join(places, " "), rest)
}

// cell reads the sheet: "12", "24*", "—", "·".
func (s *transcript) cell(name string, seat int) string {
	s.t.Helper()
	for _, row := range s.match.View().Sheet.Rows {
		if row.Name.Key != "wuerfelpoker.row."+name && row.Name.Key != "wuerfelpoker.sum."+name {
			continue
		}
		switch cell := row.Cells[seat]; cell.Mark {
		case games.Open:
			return "·"
		case games.Struck:
			return "—"
		case games.Doubled:
			return fmt.Sprint(cell.Points, "*")
		default:
			return fmt.Sprint(cell.Points)
		}
	}
	s.fatalf("the sheet has no row %s", name)
	return ""
}
