package sqlite

// How commits are counted.

import (
	"math/bits"
	"sync/atomic"
	"time"

	"knobel/store/engine"
)

// committed counts commits as they are made.
type committed struct {
	failed         atomic.Int64
	sizes, lengths spread
}

// commit counts one commit, that succeeded or not.
func (c *committed) commit(size int, took time.Duration, succeeded bool) {
	if !succeeded {
		c.failed.Add(1)
		return
	}
	c.sizes.add(int64(size))
	c.lengths.add(took.Microseconds())
}

// spread counts how large something is, without a lock.
type spread struct {
	counts [len(engine.Spread{}.Counts)]atomic.Int64
	sum    atomic.Int64
}

func (s *spread) add(n int64) {
	n = max(n, 0)
	s.counts[min(bits.Len64(uint64(max(n, 1)-1)), len(s.counts)-1)].Add(1)
	s.sum.Add(n)
}

func (s *spread) read() engine.Spread {
	read := engine.Spread{Sum: s.sum.Load()}
	for i := range s.counts {
		read.Counts[i] = s.counts[i].Load()
	}
	return read
}
