package engine

// How commits are counted.

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// CommitCounter counts commits as they are made. It is safe for concurrent use.
type CommitCounter struct {
	failed, again         atomic.Int64
	sizes, lengths, waits spread
}

// Commit counts one commit of so many changes, that succeeded or not.
func (c *CommitCounter) Commit(size int, took time.Duration, succeeded bool) {
	if !succeeded {
		c.failed.Add(1)
		return
	}
	c.sizes.add(int64(size))
	c.lengths.add(took.Microseconds())
}

// Waited counts a change that has waited so long for its turn.
func (c *CommitCounter) Waited(wait time.Duration) { c.waits.add(wait.Microseconds()) }

// RunsAgain counts a change that runs again.
func (c *CommitCounter) RunsAgain() { c.again.Add(1) }

// Read returns what was counted.
func (c *CommitCounter) Read() Commits {
	return Commits{Failed: c.failed.Load(), Sizes: c.sizes.read(), Lengths: c.lengths.read(), Waits: c.waits.read(),
		Again: c.again.Load()}
}

// spread counts how large something is, without a lock.
type spread struct {
	counts [len(Spread{}.Counts)]atomic.Int64
	sum    atomic.Int64
}

func (s *spread) add(n int64) {
	n = max(n, 0)
	s.counts[min(bits.Len64(uint64(max(n, 1)-1)), len(s.counts)-1)].Add(1)
	s.sum.Add(n)
}

func (s *spread) read() Spread {
	read := Spread{Sum: s.sum.Load()}
	for i := range s.counts {
		read.Counts[i] = s.counts[i].Load()
	}
	return read
}

// Commits is what a database has committed since it was opened.
type Commits struct {
	Failed  int64  // commits that did not come about
	Sizes   Spread // how many changes shared a commit
	Lengths Spread // how long a commit took, in microseconds
	Waits   Spread // on a server: how long changes waited for their turn, in microseconds
	Again   int64  // on a server: how often changes ran again, as others were in their way or a connection was lost
}

// Spread is how often something was how large: Counts[i] is how often it was at most
// 2^i and more than 2^(i-1); what was beyond the last counts there, too. The last is
// enough for a commit of a minute, told in microseconds.
type Spread struct {
	Counts [27]int64
	Sum    int64
}
