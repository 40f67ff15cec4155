package shutbox

// paths are the ways that a turn takes from its beginning when it is played
// perfectly: how likely it comes to each position, and to each end. To follow
// them is quicker than to find the rest of the values of all positions.
type paths struct {
	*turn
	reach        []float64 // by mask
	stuck, seven []float64 // by place
}

func newPaths(t *turn, places int) *paths {
	return &paths{turn: t, reach: make([]float64, t.full+1), stuck: make([]float64, places),
		seven: make([]float64, places)}
}

// start finds the rest of the values of the turn as it begins, when those of the
// seat itself are known.
func (p *paths) start(into []float64) {
	clear(p.reach)
	clear(p.stuck)
	clear(p.seven)
	p.reach[p.full] = 1
	for mask := p.full; mask > 0; mask-- {
		if p.reach[mask] > 0 {
			p.follow(mask)
		}
	}
	for j := range into {
		into[j] = p.reach[0] * p.boxRest[j]
	}
	p.add(into, p.stuck, p.stuckRest)
	p.add(into, p.seven, p.sevenRest)
}

// follow plays a position perfectly for one throw: it adds the probability of the position to those
// of the positions and ends that follow.
func (p *paths) follow(mask int) {
	at, reach := p.place[mask], p.reach[mask]
	throw, declares := p.choose(mask)
	if declares {
		p.stuck[at] += reach
		return
	}
	reach /= float64(throw.ways)
	p.stuck[at] += reach * float64(throw.stuck)
	p.seven[at] += reach * float64(throw.seven)
	next := p.next[throw.next:]
	for _, f := range p.falls[throw.falls[0]:throw.falls[1]] {
		chosen := int(next[0])
		if f.choices > 1 {
			chosen = p.pick(next[:f.choices])
		}
		next = next[f.choices:]
		p.reach[chosen] += reach * float64(f.ways)
	}
}

// add adds the rest of the values of ends, each as often as it is come to.
func (p *paths) add(into, often, rest []float64) {
	for at, chance := range often {
		if chance == 0 {
			continue
		}
		for j, v := range rest[at*len(into):][:len(into)] {
			into[j] += chance * v
		}
	}
}
