package engine

import "sync/atomic"

// base is what both kinds of databases tell without looking.
type base struct {
	name       string // the path of a file, or an address without its password
	concurrent bool
	clock      string
	options    Options
	upgraded   Upgrade
	found      []string // what a crash has left beside a file
	counted    CommitCounter
	trips      atomic.Int64
}

// The following are as of DB.

func (b *base) Concurrent() bool  { return b.concurrent }
func (b *base) Clock() string     { return b.clock }
func (b *base) File() string      { return b.name }
func (b *base) Commits() Commits  { return b.counted.Read() }
func (b *base) RoundTrips() int64 { return b.trips.Load() }
func (b *base) Upgraded() Upgrade { return b.upgraded }
func (b *base) Found() []string   { return b.found }
