package sheet

// Points is what a row gives.
type Points struct {
	Count Count // the dice that it counts
	Face  int   // for OfFace and OverThree
	Plus  int   // beside the dice
	// First and Served are more of it right after the first throw of a turn, and when the last throw threw all
	// dice. ByThrow, where there is one, is Plus by the throw of the turn, its last also for later ones.
	First, Served int
	ByThrow       []int
	Doubled       Doubling
}

// Count says which dice a row counts.
type Count uint8

// What a row counts.
const (
	NoDice    Count = iota
	Used            // the dice that meet the need
	AllDice         // all of them
	OfFace          // those that show the face
	OverThree       // those of the face beyond three, less than three being missing
)

// Doubling says what counts double right after the first throw of a turn.
type Doubling uint8

// The doublings.
const (
	Single    Doubling = iota
	TwiceDice          // the dice, not what there is beside them
	Twice              // everything
)

// Fixed is so many points.
func Fixed(points int) Points { return Points{Plus: points} }

// moment is when a row is written.
type moment struct {
	throw  int  // of the turn, from 1
	served bool // that throw threw all dice
}

// countsFor is what some dice give, of which some are used.
func (p Points) countsFor(used, all counts) int {
	switch p.Count {
	case Used:
		return used.sum()
	case AllDice:
		return all.sum()
	case OfFace:
		return int(all[p.Face]) * p.Face
	case OverThree:
		return (int(all[p.Face]) - 3) * p.Face
	}
	return 0
}

// at is what dice that count so much give in a moment.
func (p Points) at(counted int, at moment) int {
	plus := p.Plus
	if len(p.ByThrow) > 0 {
		plus = p.ByThrow[min(max(at.throw, 1), len(p.ByThrow))-1]
	}
	if at.served {
		plus += p.Served
	}
	if at.throw != 1 {
		return counted + plus
	}
	switch p.Doubled {
	case TwiceDice:
		return 2*counted + plus + p.First
	case Twice:
		return 2*(counted+plus) + p.First
	}
	return counted + plus + p.First
}

// points returns what a row gives for some dice, and false where its need is missing: what another row must hold
// aside.
func (p *plan) points(r int, c counts, at moment) (points int, there bool) {
	return p.paper.score(&p.rows[r].Row, c, at)
}

func (p *Paper) score(r *Row, c counts, at moment) (points int, there bool) {
	r.Need.readings(c, p.Colours, func(used counts) {
		given := r.Points.at(r.Points.countsFor(used, c), at)
		if !there || given > points {
			points, there = given, true
		}
	})
	return points, there
}

// Score returns what a row of the paper gives for dice as they lie after so many throws of a turn, and whether they
// have what it needs; what another row must hold is another matter. Served dice were all thrown by the last throw.
func (p Paper) Score(r Row, dice []int, throw int, served bool) (points int, there bool) {
	var c counts
	for _, face := range dice {
		c[face]++
	}
	return p.score(&r, c, moment{throw, served})
}
