package shutbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// Transcripts in testdata read like the rules. "== TITLE" begins a case;
// "rules: NAME=VALUE …" and "seats: N" set the table; then
//
//	A: throw 2 (5 6), shut 9+2     seat A plays these moves, dice as given
//	may: throw 2, throw 1          exactly these moves are legal now
//	not: declare                   this one is not
//	turn: B                        who is to move ("nobody": the match is over)
//	open: 3 6                      the tiles that stand ("none"), in Canoga in A's row
//	open B: 3 6                    those in B's row
//	totals: 12 0                   what is written down, by seat
//	round: 2                       the number of the round
//	roll-off: A C                  who rolls off
//	scores: 12 0 -                 the result by seat ("-": no score)
//	places: 2 1 3                  the places by seat
//	pool: B                        who shares the pool
//	doubles: B B                   to whom every other seat owes one stake more
//
// and "#" begins a remark.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split("\n"+string(text), "\n== ") {
			title, lines, _ := strings.Cut(part, "\n")
			if i > 0 {
				name := strings.TrimSuffix(filepath.Base(file), ".txt")
				t.Run(name+"/"+title, func(t *testing.T) { runTranscript(t, lines) })
			}
		}
	}
}

type transcript struct {
	t     *testing.T
	rules games.Rules
	match games.Match
	told  int // statements that have been checked
}

func runTranscript(t *testing.T, lines string) {
	tr := &transcript{t: t, rules: games.Rules{}}
	for n, line := range strings.Split(lines, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		word, rest, ok := strings.Cut(line, ":")
		if !ok {
			t.Fatalf("line %d: %q is no statement", n+1, line)
		}
		if err := tr.state(word, strings.TrimSpace(rest)); err != nil {
			t.Fatalf("line %d: %s: %v", n+1, line, err)
		}
	}
	if tr.told == 0 {
		t.Fatal("nothing is stated")
	}
}

func (tr *transcript) state(word, rest string) error {
	switch {
	case word == "rules":
		tr.rules = rulesOf(rest)
		return nil
	case word == "seats":
		seats, err := strconv.Atoi(rest)
		if err == nil {
			tr.match, err = Game{}.New(tr.rules, seats)
		}
		return err
	case len(word) == 1:
		return tr.play(seatNamed(word), rest)
	}
	tr.told++
	if word == "not" {
		return tr.isNot(games.Move(rest))
	}
	if got := tr.fact(word); got != strings.Join(strings.Fields(rest), " ") {
		return fmt.Errorf("it is %q", got)
	}
	return nil
}

func seatNamed(name string) games.Seat { return games.Seat(name[0] - 'A') }

func nameOf(s games.Seat) string { return string(rune('A' + s)) }

// play plays "throw 2 (5 6), shut 9+2".
func (tr *transcript) play(s games.Seat, moves string) error {
	for step := range strings.SplitSeq(moves, ",") {
		move, thrown, _ := strings.Cut(step, "(")
		var faces []int
		for face := range strings.FieldsSeq(strings.TrimSuffix(strings.TrimSpace(thrown), ")")) {
			n, err := strconv.Atoi(face)
			if err != nil {
				return err
			}
			faces = append(faces, n)
		}
		mv := games.Move(strings.TrimSpace(move))
		if strings.HasPrefix(string(mv), "throw") != (len(faces) > 0) {
			return fmt.Errorf("%q with the dice %v", mv, faces)
		}
		fall := dice.NewScripted(tr.t, faces...)
		next, _, err := games.Play(tr.match, s, mv, fall)
		if err != nil {
			return fmt.Errorf("%s: %w", mv, err)
		}
		if left := fall.Left(); len(left) > 0 {
			return fmt.Errorf("%s leaves the dice %v", mv, left)
		}
		tr.match = next
	}
	return nil
}

func (tr *transcript) isNot(mv games.Move) error {
	for _, s := range tr.match.Turn() {
		if slices.Contains(tr.match.Moves(s), mv) {
			return fmt.Errorf("%q is legal", mv)
		}
	}
	return nil
}

// fact is how a statement about the match reads.
func (tr *transcript) fact(word string) string {
	result, _ := tr.match.Result()
	switch word {
	case "may":
		var moves []string
		for _, mv := range tr.match.Moves(tr.match.Turn()[0]) {
			moves = append(moves, string(mv))
		}
		return strings.Join(moves, ", ")
	case "turn":
		return seatNames(tr.match.Turn(), "nobody")
	case "open":
		return openTiles(tr.match.View().Tiles[0])
	case "open B":
		return openTiles(tr.match.View().Tiles[1])
	case "scores":
		return rowsAs(result.Rows, func(r games.Row) string {
			if !r.Threw {
				return "-"
			}
			return strconv.Itoa(r.Score)
		})
	case "places":
		return rowsAs(result.Rows, func(r games.Row) string { return strconv.Itoa(r.Place) })
	case "pool":
		return seatNames(result.Winners, "nobody")
	case "doubles":
		return seatNames(result.Doubles, "none")
	}
	return tr.sheetFact(word)
}

func (tr *transcript) sheetFact(word string) string {
	m := sheetOf(tr.match)
	switch word {
	case "totals":
		return strings.Trim(fmt.Sprint(m.totals[:m.seats]), "[]")
	case "round":
		return strconv.Itoa(m.round)
	case "roll-off":
		if m.rollOff == 0 {
			return "none"
		}
		return seatNames(m.playing.list(), "none")
	}
	return "no such statement"
}

// sheetOf returns the sheet that every kind of match keeps.
func sheetOf(m games.Match) sheet {
	switch m := m.(type) {
	case *classic:
		return m.sheet
	case duel:
		return m.sheet
	case lucky:
		return m.sheet
	}
	return sheet{}
}

func seatNames(seats []games.Seat, none string) string {
	if len(seats) == 0 {
		return none
	}
	var names []string
	for _, s := range seats {
		names = append(names, nameOf(s))
	}
	return strings.Join(names, " ")
}

func openTiles(row games.TileRow) string {
	var open []string
	for _, tile := range row.Tiles {
		if tile.Open {
			open = append(open, strconv.Itoa(tile.Number))
		}
	}
	if len(open) == 0 {
		return "none"
	}
	return strings.Join(open, " ")
}

func rowsAs(rows []games.Row, say func(games.Row) string) string {
	var words []string
	for _, row := range rows {
		words = append(words, say(row))
	}
	return strings.Join(words, " ")
}
