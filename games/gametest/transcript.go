package gametest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
)

// Facts holds further statements for the transcripts of one game: by word, the function that returns the value.
type Facts map[string]func(games.Match) string

// Transcripts plays the transcripts in files, a pattern such as "testdata/*.txt".
// "== TITLE" begins a case, "-- NAME" a piece (lines that cases of the file play by
// its name), "#" a remark. A case is made of lines:
//
//	rules: NAME=VALUE …            options that differ from the defaults
//	seats: N                       the number of seats; without this line 1
//	play: NAME                     the lines of the piece NAME
//	A: throw 2 (5 6), shut 9+2     seat A plays these moves, dice as given
//	each: throw (4 4 1 6 2)        every seat plays them, one after the other
//	each 9: …                      the same nine times
//	try: MOVES => FACT             FACT is true after these moves, which are then undone
//	stored: {…}                    continues from a saved match
//	no match: {…}                  Load refuses this text
//	check: RULES => RULES          canonical form of the rules, or "refused KEY"
//
// Among moves, "not MOVE" means that MOVE is not legal for the seat to move. Other lines state a fact of the match:
//
//	may: throw 2, keep …           all legal moves; "keep …" means all that begin with "keep"
//	not: declare                   this move is not legal
//	turn: B                        the seat to move ("nobody": the match is over)
//	dice: 4 4 3 5 4 kept 11000     the thrown dice, and which are kept, if any
//	open: 3 6                      the open tiles of the first row ("none")
//	open B: 3 6                    the open tiles of the second row
//	cell pair: 24* —               a row of the sheet, by seat with all columns ("·": open, "—": struck, "_": none)
//	scores: 12 0 -                 the result by seat ("-": no score)
//	places: 2 1 3                  the places by seat
//	pool: B                        the seats that share the pool
//	doubles: B B                   for each entry, every other seat owes the seat one more stake
//	first move: write ones         the first of the legal moves
//	house greedy: write ones       the move that this house plays
//	why write ones than miss: …    the reason why it is better: key and arguments, or "nothing"
//	first: write poker             the suggested move: the first button, or "throw again"
//	offers: write ones, write max  the moves of the first row of buttons
//	point: 5                       the worth of a point
//	owed: 2 -1 -1                  the gains of the seats at a stake of 1, without a pool
//	figure total: 248.4399893779   an exact figure; parameters follow its name: "goal=shut"
//
// and the words of facts.
func Transcripts(t *testing.T, g games.Game, files string, facts ...Facts) {
	t.Helper()
	names, err := filepath.Glob(files)
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts are called %s: %v", files, err)
	}
	own := Facts{}
	for _, some := range facts {
		for word, fact := range some {
			own[word] = fact
		}
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		Check(t, err)
		pieces, cases := splitTranscript(string(text))
		if len(cases) == 0 {
			t.Errorf("%s holds no case", name)
		}
		for _, c := range cases {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txt")+"/"+c.title, func(t *testing.T) {
				tr := &transcript{t: t, game: g, facts: own, pieces: pieces, rules: games.Rules{}, seats: 1}
				tr.run(c.lines)
				if tr.told == 0 {
					t.Fatal("nothing is stated")
				}
			})
		}
	}
}

// transcript is the state of a running case.
type transcript struct {
	t      *testing.T
	game   games.Game
	facts  Facts
	pieces map[string][]string
	rules  games.Rules
	seats  int
	match  games.Match // nil before the first move or statement
	told   int         // number of checked statements
}

// run executes lines and fails the test at the first wrong one.
func (tr *transcript) run(lines []string) {
	tr.t.Helper()
	for _, line := range lines {
		word, rest, ok := strings.Cut(line, ":")
		if !ok {
			tr.t.Fatalf("%s: that is no statement", line)
		}
		if err := tr.execute(word, strings.TrimSpace(rest)); err != nil {
			tr.t.Fatalf("%s: %v", line, err)
		}
	}
}

// execute executes the line "word: rest", or checks its statement.
func (tr *transcript) execute(word, rest string) (err error) {
	tr.t.Helper()
	switch word {
	case "stored":
		tr.match, err = tr.load(rest)
		return err
	case "no match":
		tr.told++
		if m, err := tr.load(rest); err == nil {
			return fmt.Errorf("it is %+v", m)
		}
		return nil
	case "check":
		return tr.checkSpelling(rest)
	}
	if tr.match == nil && word != "rules" && word != "seats" {
		if tr.match, err = tr.game.New(tr.rules, tr.seats); err != nil {
			return err
		}
	}
	verb, number, _ := strings.Cut(word, " ")
	switch {
	case tr.match != nil && (word == "rules" || word == "seats"):
		return errors.New("the match is on already")
	case word == "rules":
		maps.Copy(tr.rules, RulesOf(rest))
		return nil
	case word == "seats":
		tr.seats, err = strconv.Atoi(rest)
		return err
	case word == "play":
		lines, known := tr.pieces[rest]
		if !known {
			return errors.New("there is no such piece")
		}
		tr.run(lines)
		return nil
	case verb == "each":
		return tr.playEach(number, rest)
	case word == "try":
		return tr.try(rest)
	case len(word) == 1:
		return tr.play(games.Seat(word[0]-'A'), rest)
	}
	return tr.check(word, rest)
}

// load loads a match under the rules of the case.
func (tr *transcript) load(saved string) (games.Match, error) {
	rules, err := tr.game.Check(tr.rules)
	Check(tr.t, err)
	return tr.game.Load(rules, []byte(saved))
}

// RulesOf parses rules such as "tiles=9 match=rounds:3".
func RulesOf(text string) games.Rules {
	rules := games.Rules{}
	for option := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(option, "=")
		rules[name] = value
	}
	return rules
}

// checkSpelling checks "RULES => RULES": the second are the canonical spelling of the first, and Check is idempotent.
func (tr *transcript) checkSpelling(rest string) error {
	tr.told++
	entered, want, _ := strings.Cut(rest, "=>")
	rules, err := tr.game.Check(RulesOf(entered))
	got := ""
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		got += " " + name + "=" + rules[name]
	}
	if r, ok := games.Refused(err); ok {
		got = " refused " + r.Key
	} else if again, wrong := tr.game.Check(rules); err != nil || wrong != nil || !maps.Equal(again, rules) {
		return fmt.Errorf("%v, and then %v, %w", rules, again, errors.Join(err, wrong))
	}
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		return fmt.Errorf("it is %q", got)
	}
	return nil
}

// playEach lets all seats play the same moves, number times; "" means once.
func (tr *transcript) playEach(number, moves string) error {
	times := 1
	if number != "" {
		var err error
		if times, err = strconv.Atoi(number); err != nil {
			return err
		}
	}
	for range times * tr.seats {
		turn := tr.match.Turn()
		if len(turn) == 0 {
			return errors.New("the match is over")
		}
		if err := tr.play(turn[0], moves); err != nil {
			return err
		}
	}
	return nil
}

// try checks "MOVES => FACT": it plays the moves, checks the statement, and undoes the moves.
func (tr *transcript) try(rest string) error {
	moves, fact, ok := strings.Cut(rest, "=>")
	word, want, said := strings.Cut(fact, ":")
	if !ok || !said || len(tr.match.Turn()) == 0 {
		return errors.New("it says not what holds then")
	}
	before := tr.match
	defer func() { tr.match = before }()
	if err := tr.play(tr.match.Turn()[0], moves); err != nil {
		return err
	}
	return tr.check(strings.TrimSpace(word), strings.TrimSpace(want))
}

// play plays moves of seat s, such as "throw 2 (5 6), shut 9+2". All dice in parentheses must be thrown.
func (tr *transcript) play(s games.Seat, moves string) error {
	for step := range strings.SplitSeq(moves, ",") {
		move, thrown, _ := strings.Cut(step, "(")
		move = strings.TrimSpace(move)
		if wrong, ok := strings.CutPrefix(move, "not "); ok {
			if err := tr.checkRefused(wrong); err != nil {
				return err
			}
			continue
		}
		var faces []int
		for face := range strings.FieldsSeq(strings.TrimSuffix(strings.TrimSpace(thrown), ")")) {
			n, err := strconv.Atoi(face)
			if err != nil {
				return err
			}
			faces = append(faces, n)
		}
		fall := dice.NewFallen(faces)
		next, _, err := games.Play(tr.match, s, games.Move(move), fall)
		if err != nil {
			return fmt.Errorf("%s: %w", move, err)
		}
		if err := fall.Err(); err != nil {
			return fmt.Errorf("%s with the dice %v: %w", move, faces, err)
		}
		tr.match = next
	}
	return nil
}

// checkRefused checks that a move is not legal for any seat that has the turn.
func (tr *transcript) checkRefused(move string) error {
	tr.told++
	for _, s := range tr.match.Turn() {
		_, _, err := games.Play(tr.match, s, games.Move(move), dice.NewFallen(nil))
		if _, ok := games.Refused(err); !ok {
			return fmt.Errorf("%q is legal: %v", move, err)
		}
	}
	return nil
}

// check compares the statement word about the match with the value want.
func (tr *transcript) check(word, want string) error {
	want = strings.Join(strings.Fields(want), " ")
	if word == "not" {
		return tr.checkRefused(want)
	}
	tr.told++
	got := tr.fact(word)
	if word == "may" {
		got = shortenMoves(got, want)
	}
	if got != want {
		return fmt.Errorf("it is %q", got)
	}
	return nil
}

// shortenMoves shortens moves, the legal ones, as the statement want does: if that contains "keep …", consecutive moves
// that begin with "keep" become one.
func shortenMoves(moves, want string) string {
	statement := strings.Split(want, ", ")
	var short []string
	for move := range strings.SplitSeq(moves, ", ") {
		verb, _, _ := strings.Cut(move, " ")
		if slices.Contains(statement, verb+" …") {
			move = verb + " …"
		}
		if last := len(short) - 1; last < 0 || short[last] != move {
			short = append(short, move)
		}
	}
	return strings.Join(short, ", ")
}

// fact returns the present value of the statement word about the match.
func (tr *transcript) fact(word string) string {
	if value, ok := tr.facts[word]; ok {
		return value(tr.match)
	}
	if row, ok := strings.CutPrefix(word, "cell "); ok {
		return spellCells(tr.match.View().Sheet, row)
	}
	if house, ok := strings.CutPrefix(word, "house "); ok {
		return tr.houseMove(house)
	}
	if better, worse, ok := strings.Cut(strings.TrimPrefix(word, "why "), " than "); ok {
		return spellReason(tr.game, tr.match, games.Move(better), games.Move(worse))
	}
	if figure, ok := strings.CutPrefix(word, "figure "); ok {
		return tr.figure(strings.Fields(figure))
	}
	switch result, _ := tr.match.Result(); word {
	case "first move":
		return string(tr.match.Moves(tr.match.Turn()[0])[0])
	case "may":
		return spellMoves(tr.match)
	case "turn":
		return SeatNames(tr.match.Turn(), "nobody")
	case "dice":
		return spellDice(tr.match.View().Dice)
	case "open":
		return spellOpenTiles(tr.match.View().Tiles, 0)
	case "open B":
		return spellOpenTiles(tr.match.View().Tiles, 1)
	case "scores":
		return join(result.Rows, spellScore)
	case "places":
		return join(result.Rows, func(r games.Row) string { return strconv.Itoa(r.Place) })
	case "pool":
		return SeatNames(result.Winners, "nobody")
	case "doubles":
		return SeatNames(result.Doubles, "none")
	case "first":
		return suggestedMove(tr.match.View())
	case "offers":
		return join(tr.match.View().Buttons[0], func(b games.Button) string { return string(b.Move) + "," })
	case games.Point:
		return strconv.Itoa(result.Point)
	case "owed":
		settled, err := money.Owe(tr.game.Shape(tr.rules), 1, result, nil)
		if err != nil {
			return err.Error()
		}
		return join(settled.Amounts, func(n int64) string { return strconv.FormatInt(n, 10) })
	}
	return "no such statement"
}

// houseMove returns the move that the computer player called name chooses for the seat to move.
func (tr *transcript) houseMove(name string) string {
	for _, h := range tr.game.Houses() {
		if h.Name == name {
			return string(h.Choose(tr.match, tr.match.Turn()[0], rand.New(rand.NewPCG(1, 7))))
		}
	}
	return "no such house"
}

// figure returns an exact figure of best play: words holds its name, then parameters such as "goal=shut".
func (tr *transcript) figure(words []string) string {
	game, asked := tr.game.(games.Figured), RulesOf(strings.Join(words[1:], " "))
	for _, a := range game.Asks() {
		if asked[a.Name] == "" {
			asked[a.Name] = a.Default
		}
	}
	figures, err := game.Figures(tr.rules, asked)
	if err != nil {
		return err.Error()
	}
	for _, f := range figures {
		if f.Name == words[0] {
			return join(f.Values, func(v float64) string { return strconv.FormatFloat(v, 'f', 10, 64) })
		}
	}
	return "no such figure"
}
