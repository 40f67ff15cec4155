package shutbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// played is a move that was played, with its dice and all moves that were legal then.
type played struct {
	seat  games.Seat
	move  games.Move
	faces []int
	legal []games.Move
}

// referee computes the result of a classic match from its moves and dice alone, to compare it with that of the game. It
// shares no code with the game and is simple and slow: tiles are lists, sets are found by trying all subsets.
type referee struct {
	rules   games.Rules
	seats   int
	moves   []played     // those that are not replayed yet
	board   []int        // all tiles
	doubles []games.Seat // the seats that are paid double, so far
}

// verdict is the result of a match according to the referee.
type verdict struct {
	totals  []int
	threw   []bool
	places  []int
	doubles []games.Seat
}

// rule returns the value of the option name, or fallback if it is not set.
func (r *referee) rule(name, fallback string) string {
	if value, ok := r.rules[name]; ok {
		return value
	}
	return fallback
}

// judge replays the whole match and returns its result. The error names a wrong move.
func (r *referee) judge() (v verdict, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("with %d moves left: %v", len(r.moves), fault)
		}
	}()
	v = verdict{totals: make([]int, r.seats), threw: slices.Repeat([]bool{true}, r.seats), places: make([]int, r.seats)}
	groups := r.rounds(v)
	if r.rule("ties", "share") == "roll-off" {
		for n := 0; len(groups[0]) > 1 && n < 100; n++ { // after 100 roll-offs, tied seats share
			groups = append(r.rollOff(groups[0]), groups[1:]...)
		}
	}
	place := 1
	for _, g := range groups {
		for _, s := range g {
			v.places[s] = place
		}
		place += len(g)
	}
	if len(r.moves) > 0 {
		return v, fmt.Errorf("%d moves after the end", len(r.moves))
	}
	v.doubles = r.doubles
	return v, nil
}

// rounds replays all rounds that count and sets v.totals and v.threw. It returns the seats in groups of tied ones, the
// best group first.
func (r *referee) rounds(v verdict) (groups [][]int) {
	kind, number, _ := strings.Cut(r.rule("match", "single"), ":")
	limit, _ := strconv.Atoi(number)
	var in []int
	for s := range r.seats {
		in = append(in, s)
	}
	for round := 1; ; round++ {
		got, kept := r.round(in)
		if kind == "single" {
			for _, s := range kept {
				v.threw[s] = false
				got[s] = 0
			}
		}
		var out, left []int
		for _, s := range in {
			v.totals[s] += got[s]
			if v.totals[s] >= limit {
				out = append(out, s)
			} else {
				left = append(left, s)
			}
		}
		switch {
		case kind == "knockout":
			groups = append(group(out, v.totals), groups...)
			if in = left; len(in) == 1 && r.seats > 1 {
				return append([][]int{in}, groups...)
			} else if len(in) == 0 {
				return groups
			}
		case kind == "single", kind == "rounds" && round == limit, kind == "until" && len(out) > 0:
			return r.finish(in, kept, kind, v.totals)
		}
	}
}

// finish returns seats in groups of tied ones, the best group first. In a match of one round (kind is "single"), the
// seats in kept, which had no turn because the box was shut before, are the last group.
func (r *referee) finish(seats, kept []int, kind string, scores []int) [][]int {
	if kind != "single" || len(kept) == 0 {
		return group(seats, scores)
	}
	threw := slices.DeleteFunc(slices.Clone(seats), func(s int) bool { return slices.Contains(kept, s) })
	return append(group(threw, scores), kept)
}

// group returns seats in groups with equal scores, the group with the lowest score first.
func group(seats, scores []int) [][]int {
	byScore := map[int][]int{}
	var all []int
	for _, s := range seats {
		if byScore[scores[s]] == nil {
			all = append(all, scores[s])
		}
		byScore[scores[s]] = append(byScore[scores[s]], s)
	}
	slices.Sort(all)
	var groups [][]int
	for _, score := range all {
		groups = append(groups, byScore[score])
	}
	return groups
}

// rollOff replays a roll-off among the seats tied and returns them in groups of tied ones, the best group first.
func (r *referee) rollOff(tied []int) [][]int {
	got, kept := r.round(tied)
	scores := make([]int, r.seats)
	for s, score := range got {
		scores[s] = score
	}
	return r.finish(tied, kept, r.rule("match", "single"), scores)
}

// round replays one round of seats and returns their scores by seat. kept holds the seats that had no turn because the
// box was shut before; they score all tiles.
func (r *referee) round(seats []int) (got map[int]int, kept []int) {
	got = map[int]int{}
	shut := r.rule("shut", "wins")
	for i, s := range seats {
		open, endsRound := r.turn(s, got, i == len(seats)-1)
		got[s] = r.points(open)
		if len(open) == 0 && shut == "pays-double" {
			r.doubles = append(r.doubles, games.Seat(s))
		}
		if len(open) == 0 && shut != "scores-zero" {
			kept = seats[i+1:]
			endsRound = true
		}
		if endsRound {
			for _, later := range seats[i+1:] {
				got[later] = r.points(r.board)
			}
			return got, kept
		}
	}
	return got, nil
}

// turn replays the turn of seat s and returns the tiles left open, and whether it ends the round. before holds the
// scores of the round so far; last is true if s plays last.
func (r *referee) turn(s int, before map[int]int, last bool) (open []int, endsRound bool) {
	open = slices.Clone(r.board)
	for first := true; len(open) > 0; first = false {
		legal := r.mayThrow(open)
		if last && r.seats > 1 && r.leads(open, before) {
			legal = append(legal, "declare")
		}
		mv := r.next(s, legal)
		if mv.move == "declare" {
			return open, false
		}
		sum := 0
		for _, face := range mv.faces {
			sum += face
		}
		if seven := r.rule("seven", "none"); sum == 7 && seven != "none" {
			return open, seven == "ends-round"
		}
		legal = r.legal(open, mv.faces, sum, first)
		if len(legal) == 0 {
			return open, false
		}
		choice := r.next(s, legal)
		for _, n := range strings.Split(strings.TrimPrefix(string(choice.move), "shut "), "+") {
			open = slices.DeleteFunc(open, func(tile int) bool { return strconv.Itoa(tile) == n })
		}
	}
	return open, false
}

// leads reports whether the score of the tiles open is lower than all of the scores others.
func (r *referee) leads(open []int, others map[int]int) bool {
	for _, score := range others {
		if score <= r.points(open) {
			return false
		}
	}
	return true
}

// next removes and returns the next move, which must be one of seat s. It panics unless the move is in legal and legal
// holds the recorded legal moves.
func (r *referee) next(s int, legal []games.Move) played {
	mv := r.moves[0]
	r.moves = r.moves[1:]
	slices.Sort(legal)
	offered := slices.Sorted(slices.Values(mv.legal))
	if int(mv.seat) != s || !slices.Contains(legal, mv.move) || !slices.Equal(legal, offered) {
		panic(fmt.Sprintf("seat %d plays %s of %v, where seat %d may play %v", mv.seat, mv.move, offered, s, legal))
	}
	if verb, count, _ := strings.Cut(string(mv.move), " "); verb == "throw" && count != strconv.Itoa(len(mv.faces)) {
		panic(fmt.Sprintf("%s with %v", mv.move, mv.faces))
	}
	return mv
}

// mayThrow returns the legal throws at the tiles open.
func (r *referee) mayThrow(open []int) []games.Move {
	all := map[string]games.Move{"2d6": "throw 2", "1d6": "throw 1", "4d6": "throw 4",
		"1d20": "throw 1"}[r.rule("dice", "2d6")]
	if all == "throw 1" || r.rule("close", "sum") == "one-tile" {
		return []games.Move{all}
	}
	sum := 0
	for _, n := range open {
		sum += n
	}
	high := slices.Max(open) > 6
	one := map[string]bool{
		"high-shut": !high, "high-shut-forced": !high, "sum-six": sum <= 6,
		"last-one": len(open) == 1 && open[0] == 1, "never": false,
	}[r.rule("one-die", "high-shut")]
	switch {
	case one && r.rule("one-die", "high-shut") == "high-shut-forced":
		return []games.Move{"throw 1"}
	case one:
		return []games.Move{all, "throw 1"}
	}
	return []games.Move{all}
}

// legal returns the legal moves after a throw of faces with that total, found by trying all subsets of the tiles open.
// first is true for the first throw of a turn.
func (r *referee) legal(open, faces []int, total int, first bool) []games.Move {
	difference := 0
	if len(faces) == 2 {
		difference = max(faces[0]-faces[1], faces[1]-faces[0])
	}
	var moves []games.Move
	for subset := 1; subset < 1<<len(open); subset++ {
		sum := 0
		var set []int
		for i, n := range open {
			if subset>>i&1 == 1 {
				sum += n
				set = append(set, n)
			}
		}
		if sum > total {
			continue
		}
		fits := sum == total
		switch r.rule("close", "sum") {
		case "sum-or-difference":
			fits = fits || difference > 0 && sum == difference
		case "sum-or-tile":
			fits = fits || difference > 0 && len(set) == 1 && sum == difference
		case "two-tiles":
			fits = fits && len(set) <= 2
		case "one-tile":
			fits = len(set) == 1 && (sum == total || slices.Contains(faces, sum))
		}
		must, _ := strconv.Atoi(r.rule("first-throw", "0"))
		if fits && (must == 0 || !first || slices.Contains(set, must)) {
			slices.Reverse(set)
			moves = append(moves, games.Move("shut "+strings.ReplaceAll(strings.Trim(fmt.Sprint(set), "[]"), " ", "+")))
		}
	}
	return moves
}

// points returns the score of a turn that leaves the tiles open.
func (r *referee) points(open []int) int {
	sum, digits := 0, ""
	for _, n := range open {
		sum += n
		digits += strconv.Itoa(n)
	}
	switch r.rule("score", "sum") {
	case "count":
		return len(open)
	case "digits":
		number, _ := strconv.Atoi("0" + digits)
		return number
	}
	return sum
}
