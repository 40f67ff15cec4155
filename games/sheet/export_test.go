package sheet

// Work is what computing perfect play takes.
type Work struct {
	Positions, Repeated int // computed, and beside them in lanes that would be empty else
	Additions, Maxima   int
}

// Work counts the additions and comparisons that are left, position by position: products, what jokers do and what
// moments tell apart aside.
func (s *Perfect) Work() (w Work) {
	at, l := s.at, s.scores.lattice
	again := at.plan.paper.Throws - 1 // throws that a keep comes before
	turn := Work{Additions: 5*l.fewer*again + len(l.chance)}
	for _, list := range [][]uint16{l.down, l.downAll} {
		for i := 0; i < len(list); i += int(list[i]*list[i+1]) + 2 {
			turn.Maxima += int(list[i]*list[i+1]) * again
		}
	}
	turn.Maxima += 2*len(l.some)*sides/2 + len(l.halves) // rows of faces
	alike := at.alikeRests()
	for left := 1; left <= at.plan.places; left++ {
		for _, g := range at.groups(alike, left) {
			told := len(at.told(g.upper, left))
			for _, number := range g.rests {
				one := turn
				section, others := at.fillable(g.upper, number)
				one.Additions += section.size() * (at.plan.paper.Dice + 1)
				for _, o := range at.others {
					if others.has(o.row) {
						one.Additions += len(s.scores.gives[o.row])
						one.Maxima += len(s.scores.gives[o.row])
					}
				}
				w.Additions, w.Maxima = w.Additions+told*one.Additions, w.Maxima+told*one.Maxima
			}
			n := told * len(g.rests)
			w.Positions, w.Repeated = w.Positions+n, w.Repeated+(lanes-n%lanes)%lanes
		}
	}
	return w
}
