package store

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Spread is how often something was how large: Counts[i] is how often it was at
// most 2^i and more than 2^(i-1); what was beyond the last counts there, too.
type Spread struct {
	Counts [spreadSize]int64
	Sum    int64
}

// spreadSize is enough for a commit of a minute, told in microseconds.
const spreadSize = 27

// Commits is what a store has committed since it was opened.
type Commits struct {
	Failed  int64  // commits that did not come about
	Sizes   Spread // how many changes shared a commit
	Lengths Spread // how long a commit took, in microseconds
}

// Commits tells what was committed since Open. It may be called at any time and
// keeps nobody waiting.
func (s *Store) Commits() Commits {
	if s.writing == nil {
		return Commits{}
	}
	c := &s.writing.counted
	return Commits{Failed: c.failed.Load(), Sizes: c.sizes.read(), Lengths: c.lengths.read()}
}

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
	counts [spreadSize]atomic.Int64
	sum    atomic.Int64
}

func (s *spread) add(n int64) {
	n = max(n, 0)
	s.counts[min(bits.Len64(uint64(max(n, 1)-1)), spreadSize-1)].Add(1)
	s.sum.Add(n)
}

func (s *spread) read() Spread {
	read := Spread{Sum: s.sum.Load()}
	for i := range s.counts {
		read.Counts[i] = s.counts[i].Load()
	}
	return read
}
