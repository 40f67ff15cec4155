package engine

// Counting commits.

import (
	"math/bits"
	"sync"
	"time"
)

// Commits are the commits of a database since it was opened.
type Commits struct {
	Failed  int64  // commits that failed
	Sizes   Spread // changes in a commit
	Lengths Spread // duration of a commit, in microseconds
	Waits   Spread // on a server: wait of a change for its turn, in microseconds
	Again   int64  // on a server: repeated changes, after a conflict or a lost connection
	// RoundTrips is how often changes and views have waited for a server.
	RoundTrips int64
}

// Spread is a histogram: Counts[i] is how many values were at most 2^i and more than 2^(i-1). The last one also counts
// all larger values; it is enough for a commit of a minute in microseconds.
type Spread struct {
	Counts [27]int64
	Sum    int64
}

func (s *Spread) add(n int64) {
	n = max(n, 0)
	s.Counts[min(bits.Len64(uint64(max(n, 1)-1)), len(s.Counts)-1)]++
	s.Sum += n
}

// counter counts commits. It is safe for concurrent use.
type counter struct {
	mu  sync.Mutex
	all Commits
}

// count changes the counts.
func (c *counter) count(change func(*Commits)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.all)
}

// commit counts one commit of size changes.
func (c *counter) commit(size int, took time.Duration, succeeded bool) {
	c.count(func(all *Commits) {
		if !succeeded {
			all.Failed++
			return
		}
		all.Sizes.add(int64(size))
		all.Lengths.add(took.Microseconds())
	})
}

// Commits implements DB.
func (c *counter) Commits() (all Commits) {
	c.count(func(now *Commits) { all = *now })
	return all
}
