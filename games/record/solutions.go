package record

import "knobel/games"

// maxSolved is how many bytes of solutions are kept beside the one that is
// needed now.
const maxSolved = 256 << 20

// Solutions computes perfect play when it is first asked for and keeps it, for
// a series of games or of records. Its zero value is ready. It is for one
// goroutine.
type Solutions struct {
	kept map[string]solution
	size int
}

type solution struct {
	perfect games.Perfect
	err     error
}

// Of returns the perfect play of a game under rules by that many seats. The
// error is a *games.Refusal where there is none.
func (s *Solutions) Of(g games.Game, rules games.Rules, seats int) (games.Perfect, error) {
	problem, err := games.ProblemOf(g, rules, seats)
	if err != nil {
		return nil, err
	}
	name := problem.String()
	found, known := s.kept[name]
	if !known {
		found.perfect, found.err = problem.Solve()
		s.keep(name, found)
	}
	return found.perfect, found.err
}

// keep keeps a solution, and nothing else where that would be too much.
func (s *Solutions) keep(name string, found solution) {
	size := 0
	if found.err == nil && found.perfect != nil {
		size = found.perfect.Size()
	}
	if s.kept == nil || s.size+size > maxSolved {
		s.kept, s.size = map[string]solution{}, 0
	}
	s.kept[name] = found
	s.size += size
}
