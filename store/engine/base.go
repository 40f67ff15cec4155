package engine

import "sync/atomic"

// base holds what both kinds of databases know without a query.
type base struct {
	name       string // the path of a file, or an address without its password
	concurrent bool
	clock      string
	options    Options
	upgraded   Upgrade
	found      []string // left beside a file by a crash
	counted    CommitCounter
	trips      atomic.Int64
}

// The following implement DB.

func (b *base) Concurrent() bool  { return b.concurrent }
func (b *base) Clock() string     { return b.clock }
func (b *base) File() string      { return b.name }
func (b *base) Commits() Commits  { return b.counted.Read() }
func (b *base) RoundTrips() int64 { return b.trips.Load() }
func (b *base) Upgraded() Upgrade { return b.upgraded }
func (b *base) Found() []string   { return b.found }
