// Package money computes settlements: stakes, shares of the pool, and the box (a chat's jackpot) for chips that cannot
// be divided. All amounts are whole numbers of the units that the chat plays for. Every settlement adds up exactly.
package money

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"knobel/games"
)

// MaxStake is the largest stake of a seat.
const MaxStake = 1_000_000

// Limits that keep every amount and every sum of amounts far within an int64.
const (
	// MaxBox is the largest amount that a box may hold.
	MaxBox = 1_000_000_000_000
	// MaxSeats is the largest number of seats at a table.
	MaxSeats = 64
	// MaxDoubles is the largest number of doubles in a match. In a double, all seats pay one more stake to one seat.
	MaxDoubles = 10_000
)

// CheckStake returns a *games.Refusal unless stake is from 0 to MaxStake. A single seat may only play for 0.
func CheckStake(stake int64, seats int) error {
	switch {
	case stake < 0:
		return games.Refuse("games.stake-negative", nil)
	case stake > MaxStake:
		return games.Refuse("games.stake-large", games.Args{"Most": MaxStake})
	case stake > 0 && seats == 1:
		return games.Refuse("games.stake-alone", nil)
	}
	return nil
}

// Pool holds the stakes and the jackpot for which a match is played. They are fixed when the match starts.
type Pool struct {
	Stake int64 // of each seat
	Seats int
	Box   int64 // the amount that the box (the jackpot) adds to the stakes
}

// Open returns the pool of a match that starts now. box is the amount in the chat's jackpot; a friendly game, whose
// stake is 0, leaves it there.
func Open(stake int64, seats int, box int64) Pool {
	if stake == 0 {
		box = 0
	}
	return Pool{Stake: stake, Seats: seats, Box: box}
}

// Total returns the amount that the winners share: all stakes and the amount from the jackpot.
func (p Pool) Total() int64 { return p.Stake*int64(p.Seats) + p.Box }

// Settlement is the change of balances that a match causes.
type Settlement struct {
	// Amounts holds the gain of each seat, negative for a loss, after all payments, in seat order. The amounts add
	// up to In − Out.
	Amounts []int64
	// In is the amount that the jackpot added to the pool, Out the amount that the jackpot received from the pool.
	In, Out int64
}

// Settle returns the settlement of the pool. The winners take equal parts, and the jackpot receives the remainder.
// doubles names a seat once for each time that all others pay it one more stake. A friendly game changes nothing.
func (p Pool) Settle(winners, doubles []games.Seat) (Settlement, error) {
	if err := p.check(winners, doubles); err != nil {
		return Settlement{}, fmt.Errorf("settle the pool: %w", err)
	}
	s := Settlement{Amounts: make([]int64, p.Seats)}
	if p.Stake == 0 {
		return s, nil
	}
	for seat := range s.Amounts {
		s.Amounts[seat] = -p.Stake
	}
	for _, seat := range winners {
		s.Amounts[seat] += p.Total() / int64(len(winners))
	}
	for _, owed := range doubles {
		for seat := range s.Amounts {
			s.Amounts[seat] -= p.Stake
		}
		s.Amounts[owed] += p.Stake * int64(p.Seats)
	}
	s.In, s.Out = p.Box, p.Total()%int64(len(winners))
	return s, nil
}

// Refund returns the settlement of an abandoned match: each seat gets its stake back, the jackpot its chips.
func (p Pool) Refund() Settlement {
	return Settlement{Amounts: make([]int64, p.Seats), In: p.Box, Out: p.Box}
}

// check returns an error unless all numbers are within their limits, and winners and doubles are seats of the pool.
func (p Pool) check(winners, doubles []games.Seat) error {
	switch {
	case p.Seats < 1 || p.Seats > MaxSeats:
		return fmt.Errorf("%d seats", p.Seats)
	case p.Stake < 0 || p.Stake > MaxStake:
		return fmt.Errorf("a stake of %d", p.Stake)
	case p.Box < 0 || p.Box > MaxBox:
		return fmt.Errorf("a box of %d", p.Box)
	case p.Stake > 0 && len(winners) == 0:
		return errors.New("no winner")
	case len(doubles) > MaxDoubles:
		return fmt.Errorf("%d second stakes", len(doubles))
	}
	won := make([]bool, p.Seats)
	for _, seat := range winners {
		if seat < 0 || int(seat) >= p.Seats || won[seat] {
			return fmt.Errorf("seat %d among the winners", seat)
		}
		won[seat] = true
	}
	for _, seat := range doubles {
		if seat < 0 || int(seat) >= p.Seats {
			return fmt.Errorf("a second stake for seat %d", seat)
		}
	}
	return nil
}

// MaxOwnPoints is the largest score, positive or negative, that Owe accepts with ShapeOwnPoints.
const MaxOwnPoints = 1_000_000

// Owe returns the settlement of a match without a pool: a seat that pays gives the same number of stakes to each other
// seat. With ShapeLastPays the seats that share the last place pay one stake. With ShapeOwnPoints each seat pays as
// many stakes as its score; a seat with a negative score is paid by all other seats. The amounts add up to zero.
//
// The seats in gone have left the game for good and receive nothing. With ShapeLastPays they alone pay. With
// ShapeOwnPoints each of them pays as if its score were at least 1, and also pays seats with a negative score.
func Owe(shape games.Shape, stake int64, result games.Result, gone []games.Seat) (Settlement, error) {
	stakes, err := owedStakes(shape, result, gone)
	if err != nil {
		return Settlement{}, fmt.Errorf("settle by %q: %w", shape, err)
	}
	if stake < 0 || stake > MaxStake {
		return Settlement{}, fmt.Errorf("settle by %q: a stake of %d", shape, stake)
	}
	s := Settlement{Amounts: make([]int64, len(stakes))}
	for payer, n := range stakes {
		for payee := range stakes {
			if payee != payer && (n < 0 || !slices.Contains(gone, games.Seat(payee))) {
				s.Amounts[payer] -= n * stake
				s.Amounts[payee] += n * stake
			}
		}
	}
	return s, nil
}

// owedStakes returns, by seat, how many stakes it pays to each other seat. Its parameters are explained at Owe.
func owedStakes(shape games.Shape, result games.Result, gone []games.Seat) ([]int64, error) {
	if n := len(result.Rows); n < 1 || n > MaxSeats || !shape.Owed() {
		return nil, fmt.Errorf("%d seats cannot owe anything", n)
	}
	last := 0
	for _, row := range result.Rows {
		last = max(last, row.Place)
	}
	stakes := make([]int64, len(result.Rows))
	for seat, row := range result.Rows {
		isOut := slices.Contains(gone, games.Seat(seat))
		if shape == games.ShapeOwnPoints {
			if row.Score < -MaxOwnPoints || row.Score > MaxOwnPoints {
				return nil, fmt.Errorf("seat %d has %d points", seat, row.Score)
			}
			stakes[seat] = int64(row.Score)
		} else if len(gone) == 0 && row.Place == last {
			stakes[seat] = 1
		}
		if isOut {
			stakes[seat] = max(stakes[seat], 1)
		}
	}
	return stakes, nil
}

// MaxPoints is the largest score, positive or negative, that Differences accepts.
const MaxPoints = 1_000_000_000

// Shares is the number of parts into which a point is divided to add up differences of several games. It is divisible
// by each number of seats up to ten, so that the differences of games with so many seats are whole numbers of parts.
const Shares = 2520

// Difference is how far a seat's score is above the average score of its game, or below it if negative: N/D points. D
// is the number of seats; the fraction is not reduced, so differences of one game are added by adding their N.
type Difference struct {
	N int64 `json:"n"`
	D int64 `json:"d"`
}

// Differences returns by how much each seat's score exceeds the average score of all seats, in seat order. They add up
// to exactly zero.
func Differences(result games.Result) ([]Difference, error) {
	n, sum := int64(len(result.Rows)), int64(0)
	if n < 1 || n > MaxSeats {
		return nil, fmt.Errorf("differences of %d seats", n)
	}
	for seat, row := range result.Rows {
		if row.Score < -MaxPoints || row.Score > MaxPoints {
			return nil, fmt.Errorf("differences: seat %d has %d points", seat, row.Score)
		}
		sum += int64(row.Score)
	}
	list := make([]Difference, n)
	for seat, row := range result.Rows {
		list[seat] = Difference{N: n*int64(row.Score) - sum, D: n}
	}
	return list, nil
}

// InShares returns the difference in parts of a point: a point has Shares parts. It returns false if the number of
// seats (D) does not divide Shares.
func (d Difference) InShares() (int64, bool) {
	if d.D < 1 || Shares%d.D != 0 {
		return 0, false
	}
	return d.N * (Shares / d.D), true
}

// String returns the difference in lowest terms and as a mixed number, with its sign: "+30", "-1/3", "+2 1/2", "0".
func (d Difference) String() string {
	if d.N == 0 || d.D < 1 {
		return "0"
	}
	sign, n := '+', d.N
	if n < 0 {
		sign, n = '-', -n
	}
	whole, rest, part := n/d.D, n%d.D, d.D
	for a, b := part, rest; ; a, b = b, a%b {
		if b == 0 {
			rest, part = rest/a, part/a
			break
		}
	}
	switch {
	case rest == 0:
		return fmt.Sprintf("%c%d", sign, whole)
	case whole == 0:
		return fmt.Sprintf("%c%d/%d", sign, rest, part)
	}
	return fmt.Sprintf("%c%d %d/%d", sign, whole, rest, part)
}

// MaxPoint is the largest number of units that may be paid for each point.
const MaxPoint = 1_000_000

// Round returns the settlement of the differences of one game in whole units; point is the number of units per point.
// Each amount is rounded down. Then the seats with the largest remainders get one more unit each, until the amounts add
// up to zero. Seats with equal remainders come in seat order, beginning with seat turn modulo the number of seats. With
// the number of the table as turn, no seat has an advantage over many tables.
func Round(differences []Difference, point int, turn int64) (Settlement, error) {
	if err := checkRound(differences, point); err != nil {
		return Settlement{}, fmt.Errorf("settle differences: %w", err)
	}
	amounts := make([]int64, len(differences))
	remainders := make([]int64, len(differences))
	bySize := make([]int, len(differences))
	seats := int64(len(differences))
	first := int((turn%seats + seats) % seats)
	short := int64(0) // the number of units that all seats together lose by rounding down
	for seat, d := range differences {
		exact := d.N * int64(point)
		remainders[seat] = (exact%d.D + d.D) % d.D
		amounts[seat] = (exact - remainders[seat]) / d.D
		short -= amounts[seat]
		bySize[seat] = (first + seat) % len(bySize)
	}
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(remainders[b], remainders[a]) })
	for _, seat := range bySize[:short] {
		amounts[seat]++
	}
	return Settlement{Amounts: amounts}, nil
}

// checkRound returns an error unless point is from 0 to MaxPoint, and differences have the right size and add up to
// zero. This ensures that rounding down loses fewer units than there are seats.
func checkRound(differences []Difference, point int) error {
	seats := int64(len(differences))
	if seats < 1 || seats > MaxSeats {
		return fmt.Errorf("%d seats", seats)
	}
	if point < 0 || point > MaxPoint {
		return fmt.Errorf("a point worth %d", point)
	}
	sum := int64(0)
	for seat, d := range differences {
		if most := 2 * MaxPoints * seats; d.D != seats || d.N < -most || d.N > most {
			return fmt.Errorf("seat %d has %d/%d points among %d seats", seat, d.N, d.D, seats)
		}
		sum += d.N
	}
	if sum != 0 {
		return fmt.Errorf("they add up to %d/%d", sum, seats)
	}
	return nil
}
