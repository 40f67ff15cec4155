package engine

// Counting commits.

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// CommitCounter counts commits. It is safe for concurrent use.
type CommitCounter struct {
	failed, again         atomic.Int64
	sizes, lengths, waits spread
}

// Commit counts one commit of size changes.
func (c *CommitCounter) Commit(size int, took time.Duration, succeeded bool) {
	if !succeeded {
		c.failed.Add(1)
		return
	}
	c.sizes.add(int64(size))
	c.lengths.add(took.Microseconds())
}

// Waited counts a change and its wait for its turn.
func (c *CommitCounter) Waited(wait time.Duration) { c.waits.add(wait.Microseconds()) }

// RunsAgain counts a repeated change.
func (c *CommitCounter) RunsAgain() { c.again.Add(1) }

// Read returns the counts.
func (c *CommitCounter) Read() Commits {
	return Commits{Failed: c.failed.Load(), Sizes: c.sizes.read(), Lengths: c.lengths.read(), Waits: c.waits.read(),
		Again: c.again.Load()}
}

// spread is a histogram without a lock.
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

// Commits are the commits of a database since it was opened.
type Commits struct {
	Failed  int64  // commits that failed
	Sizes   Spread // changes in a commit
	Lengths Spread // duration of a commit, in microseconds
	Waits   Spread // on a server: wait of a change for its turn, in microseconds
	Again   int64  // on a server: repeated changes, after a conflict or a lost connection
}

// Spread is a histogram: Counts[i] is how many values were at most 2^i and more than 2^(i-1). The last one also counts
// all larger values; it is enough for a commit of a minute in microseconds.
type Spread struct {
	Counts [27]int64
	Sum    int64
}
