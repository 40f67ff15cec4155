package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
)

// Fault is a sentence about one error in a record.
type Fault struct {
	format string
	args   []any
}

// String returns the sentence. An error in it that is a *games.Refusal appears as the key of its message.
func (f Fault) String() string { return fmt.Sprintf(f.format, f.args...) }

// Said returns the sentence as a single line. An error in it that is a *games.Refusal is translated by say.
func (f Fault) Said(say func(games.Line) string) string {
	args := slices.Clone(f.args)
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			if r, ok := games.Refused(err); ok {
				args[i] = strings.ReplaceAll(say(r.Line), "\n", `\n`)
			}
		}
	}
	return fmt.Sprintf(f.format, args...)
}

// newFault returns a fault whose sentence fmt.Sprintf makes from format and args.
func newFault(format string, args ...any) Fault { return Fault{format, args} }

// verifier verifies one record and collects its faults.
type verifier struct {
	record    Record
	game      games.Game
	shape     games.Shape // the way in which the game is settled under its rules
	solutions *Solutions
	perfect   games.Perfect // nil until a computer player that plays perfectly has its first move
	faults    []Fault
}

// fault adds a fault whose sentence names the table and continues with what fmt.Sprintf makes from format and args.
func (v *verifier) fault(format string, args ...any) {
	v.faults = append(v.faults, newFault("table %.64q: "+format, append([]any{v.record.Table}, args...)...))
}

// Verify returns the faults of r, a record of one of the games known. None means: the dice follow from the seed, the
// seed fits its commitment (its published hash), the moves are legal, computer players followed their strategies, and
// scores, places and amounts follow from the moves. To check a computer player that plays perfectly it solves the game,
// which may take seconds; solutions caches the result. If solutions is nil, such a player may make any legal move.
func Verify(r Record, known []games.Game, solutions *Solutions) []Fault {
	v := &verifier{record: r, solutions: solutions}
	i := slices.IndexFunc(known, func(g games.Game) bool { return g.Name() == r.Game })
	if i < 0 {
		v.fault("unknown game %.40q", r.Game)
		return v.faults
	}
	v.game = known[i]
	rules := r.Rules
	if canonical, err := v.game.Check(rules); err == nil {
		rules = canonical
	}
	v.shape = v.game.Shape(rules)
	v.checkTerms()
	v.checkOut()
	seed, fair := v.checkSeed()
	m, ok := v.newMatch()
	if ok && fair {
		if m, ok = v.replay(m, seed); ok {
			v.checkResult(m)
		}
	}
	v.checkBooks()
	return v.faults
}

// checkTerms adds a fault for each wrong value among those that were fixed before the first move.
func (v *verifier) checkTerms() {
	r := v.record
	if r.Version != Version {
		v.fault("the record has version %d, not %d", r.Version, Version)
	}
	v.checkShape()
	if dice.CheckTable(r.Table) != nil {
		v.fault("the id of the table is invalid")
	}
	if unit, err := money.CleanUnit(r.Unit); err != nil || unit != r.Unit {
		v.fault("invalid unit %.40q", r.Unit)
	}
	if err := money.CheckStake(r.Stake, len(r.Seats)); err != nil {
		v.fault("%d seats cannot play for a stake of %d: %v", len(r.Seats), r.Stake, err)
	}
	if h := r.HouseRules; h != nil && h.Version != games.VersionOf(r.Game, r.Rules) {
		v.fault("its house rules have version %.40q, its rules are %s", h.Version, games.VersionOf(r.Game, r.Rules))
	}
	for i, seat := range r.Seats {
		if err := dice.CheckEntropy(seat.Entropy); err != nil {
			v.fault("seat %d: its entropy is not allowed: %v", i, err)
		}
		if seat.House == "" {
			continue
		}
		if _, known := findStrategy(v.game, seat.House); !known {
			v.fault("seat %d: unknown strategy %.40q", i, seat.House)
		}
		if seat.Entropy != dice.HouseEntropy {
			v.fault("seat %d: a computer has the entropy %q, not %.64q", i, dice.HouseEntropy, seat.Entropy)
		}
	}
}

// checkShape adds a fault if the record has fields that belong to a way of settling that its game does not use.
func (v *verifier) checkShape() {
	told, want := v.record.shape(), v.shape
	switch {
	case told == want:
	case told.Owed() || want.Owed():
		v.fault("the result does not fit the game: it is settled by %q, not by %.40q", want, told)
	default:
		v.fault("the result does not fit the game: %s", map[games.Shape]string{
			games.ShapePool:       "it is played for a pool, not for differences",
			games.ShapeDifference: "it settles differences, not a pool",
		}[want])
	}
	switch {
	case want.Owed() && v.record.Box != nil:
		v.fault("a game without a pool has no box")
	case want == games.ShapeDifference && (v.record.Stake != 0 || v.record.Box != nil):
		v.fault("a game without a pool has no stake and no box")
	}
}

// checkSeed returns the seed, and false if it cannot be read. It adds faults for wrong values of the field Dice.
func (v *verifier) checkSeed() (dice.Seed, bool) {
	d := v.record.Dice
	if d.Scheme != dice.Scheme {
		v.fault("the dice follow %.40q, not %q", d.Scheme, dice.Scheme)
	}
	seed, err := dice.ParseSeed(d.Seed)
	if err != nil {
		v.fault("the seed cannot be read: %v", err)
		return seed, false
	}
	if seed.Commitment() != d.Commitment {
		v.fault("the seed does not fit its commitment: its SHA-256 is %s", seed.Commitment())
	}
	return seed, true
}

// newMatch returns the match before its first move. Unless the rules allow it, it adds a fault and returns false.
func (v *verifier) newMatch() (games.Match, bool) {
	rules, err := v.game.Check(v.record.Rules)
	if err != nil {
		v.fault("the rules are invalid: %v", err)
		return nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if _, written := v.record.Rules[name]; !written {
			v.fault("the rule %s=%s is missing", name, rules[name])
		}
	}
	if least, most := v.game.Seats(rules); len(v.record.Seats) < least || len(v.record.Seats) > most {
		v.fault("%d seats cannot play by these rules: %d to %d can", len(v.record.Seats), least, most)
		return nil, false
	}
	m, err := v.game.New(rules, len(v.record.Seats))
	if err != nil {
		v.fault("%d seats cannot play by these rules: %v", len(v.record.Seats), err)
		return nil, false
	}
	return m, true
}

// replay plays the recorded moves with the dice of seed, starting at the match m, and returns the finished match. It
// adds a fault for each wrong move or die. It returns false if the moves do not finish the match.
func (v *verifier) replay(m games.Match, seed dice.Seed) (games.Match, bool) {
	source := &dice.Fair{Seed: seed, Table: v.record.Table, Entropies: Entropies(v.record.Seats)}
	for i, move := range v.record.Moves {
		v.checkStrategy(m, i)
		source.Faces = nil
		next, _, err := games.Play(m, move.Seat, move.Move, source)
		if err != nil {
			v.fault("move %d, seat %d: %.40q is not allowed%s", i+1, move.Seat, move.Move, v.whyIllegal(m, move.Seat))
			return m, false
		}
		if !slices.Equal(source.Faces, move.Dice) {
			v.fault("move %d, seat %d: the dice show %v, the seed demands %v", i+1, move.Seat, move.Dice, source.Faces)
		}
		m = next
	}
	if turn := m.Turn(); len(turn) > 0 {
		v.fault("the game is not over after its last move, number %d: seat %d is to move", len(v.record.Moves), turn[0])
		return m, false
	}
	return m, true
}

// whyIllegal returns the end of a sentence on an illegal move of seat at m: whose turn it is, or some legal moves.
func (v *verifier) whyIllegal(m games.Match, seat games.Seat) string {
	turn := m.Turn()
	if len(turn) == 0 {
		return ": the game is over"
	}
	if !slices.Contains(turn, seat) {
		return fmt.Sprintf(": it is the turn of seat %d", turn[0])
	}
	moves := m.Moves(seat)
	words := make([]string, 0, 10)
	for _, move := range moves[:min(len(moves), 10)] {
		words = append(words, string(move))
	}
	return ": allowed are " + strings.Join(words, ", ")
}

// lowest is a random source that returns 0. A strategy that makes the same move with lowest and highest uses no chance.
type lowest struct{}

// IntN returns 0.
func (lowest) IntN(int) int { return 0 }

// highest is a random source that always returns the largest possible number.
type highest struct{}

// IntN returns n-1.
func (highest) IntN(n int) int { return n - 1 }

// checkStrategy adds a fault unless move number index (from 0), made in the match m, is the one that the strategy of
// its seat makes. People and strategies that depend on chance may make any move.
func (v *verifier) checkStrategy(m games.Match, index int) {
	move := v.record.Moves[index]
	if !slices.Contains(m.Turn(), move.Seat) || int(move.Seat) >= len(v.record.Seats) {
		return
	}
	h, ok := findStrategy(v.game, v.record.Seats[move.Seat].House)
	if !ok {
		return
	}
	if h.Solved {
		v.checkPerfect(m, index)
		return
	}
	only := h.Choose(m, move.Seat, lowest{})
	if only != move.Move && only == h.Choose(m, move.Seat, highest{}) {
		v.fault("move %d, seat %d: computer %s plays %q here, not %.40q", index+1, move.Seat, h.Name, only, move.Move)
	}
}

// checkPerfect adds a fault unless move number index (from 0), made in the match m, is the one of perfect play. If the
// game cannot be solved or v.solutions is nil, it accepts any legal move.
func (v *verifier) checkPerfect(m games.Match, index int) {
	move := v.record.Moves[index]
	if v.solutions == nil {
		return
	}
	if v.perfect == nil {
		perfect, err := v.solutions.Of(v.game, v.record.Rules, len(v.record.Seats))
		if err != nil {
			return
		}
		v.perfect = perfect
	}
	best, err := games.PerfectMove(v.perfect, m, move.Seat)
	if err != nil {
		v.fault("move %d, seat %d: perfect play is unknown here: %v", index+1, move.Seat, err)
	} else if best != move.Move {
		v.fault("move %d, seat %d: perfect play is %q here, not %.40q", index+1, move.Seat, best, move.Move)
	}
}

// checkResult adds a fault for each part of the recorded result that does not follow from m, the finished match.
func (v *verifier) checkResult(m games.Match) {
	result, over := m.Result()
	if !over {
		v.fault("the game is not over after its last move, number %d", len(v.record.Moves))
		return
	}
	if len(v.record.Result) != len(result.Rows) {
		v.fault("the result has %d rows for %d seats", len(v.record.Result), len(result.Rows))
		return
	}
	by := Account{Game: v.game, Shape: v.shape, Out: v.record.OutOf(),
		Pool: money.Open(v.record.Stake, len(v.record.Seats), v.box().In)}
	what, gives := "the pool cannot be shared", "result gives"
	differs := v.shape == games.ShapeDifference
	if differs {
		what, gives = "the differences cannot be settled", "differences give"
		by.Turn = v.checkRounding(result)
	} else {
		result = result.Without(by.Out)
	}
	rows, settled, err := by.Settle(result)
	if err != nil {
		v.fault("%s: %v", what, err)
		return
	}
	for i, want := range rows {
		got := v.record.Result[i]
		if got.Seat != want.Seat {
			v.fault("row %d of the result names seat %d, not seat %d", i+1, got.Seat, want.Seat)
		}
		v.checkPoints(i, got, want)
		if got.Place != want.Place {
			v.fault("seat %d: the place is %d, the moves give %d", i, got.Place, want.Place)
		}
		if !differs && got.Pool != want.Pool {
			v.fault("seat %d: the amount is %d, the pool gives %d", i, got.Pool, want.Pool)
		}
		if differs && differenceText(got.Difference) != differenceText(want.Difference) {
			v.fault("seat %d: the difference is %s, the totals give %s", i, differenceText(got.Difference),
				differenceText(want.Difference))
		}
		if numberText(got.Settlement) != numberText(want.Settlement) {
			v.fault("seat %d: the settlement is %s, the %s %s", i, numberText(got.Settlement), gives,
				numberText(want.Settlement))
		}
	}
	if box := v.box(); !differs && box.Out != settled.Out {
		v.fault("%d go into the box, the pool leaves %d", box.Out, settled.Out)
	}
}

// checkPoints adds faults if score, total or points of seat differ between the recorded row got and the true row want.
func (v *verifier) checkPoints(seat int, got, want Row) {
	if numberText(got.Score) != numberText(want.Score) {
		v.fault("seat %d: the score is %s, the moves give %s", seat, numberText(got.Score), numberText(want.Score))
	}
	if numberText(got.Total) != numberText(want.Total) {
		v.fault("seat %d: the total is %s, the moves give %s", seat, numberText(got.Total), numberText(want.Total))
	}
	if numberText(got.Counts) != numberText(want.Counts) {
		v.fault("seat %d: the points are %s, the moves give %s", seat, numberText(got.Counts), numberText(want.Counts))
	}
}

// box returns the amounts of the record's jackpot, zeros if it has none.
func (v *verifier) box() Box {
	if v.record.Box == nil {
		return Box{}
	}
	return *v.record.Box
}
