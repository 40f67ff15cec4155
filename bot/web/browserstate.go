package web

import (
	"sync"

	"knobel/bot/chat"
)

// What a browser has of its own: who plays there, and what is open on boards there alone.

// person is one of the people at a browser.
type person struct {
	Number int    `json:"n"`
	Name   string `json:"name"`
}

// opened are the pages that visitors have open on boards, each for themselves alone: a menu of rules, the
// question whether to end a table. They are kept in memory; who has none is not in it.
type opened struct {
	mu sync.Mutex
	by map[string]*pagesOpen
}

// pagesOpen are those of one visitor, who may have the room open several times.
type pagesOpen struct {
	followers int
	people    []person // who plays there
	came      uint64   // the count when these last changed
	count     uint64
	tables    map[int64]turned
	changed   chan struct{}
}

// turned is a page that is open, and when it was opened.
type turned struct {
	chat.Opened
	count uint64
}

// What is kept at most: visitors whose pages are kept though none follows the room, and tables of each.
const (
	maxOpened       = 4096
	maxOpenedTables = 16
)

// enter has a page follow what is opened at its browser, and who plays there. Every enter is followed by leave.
func (o *opened) enter(visitor string, people []person) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.at(visitor)
	p.followers++
	p.people = people
}

// plays tells the pages of a browser who plays there now.
func (o *opened) plays(visitor string, people []person) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.by[visitor]; p != nil {
		p.people = people
		p.touch()
		p.came = p.count
	}
}

// touch counts a change and wakes those who follow; the lock is held.
func (p *pagesOpen) touch() {
	p.count++
	close(p.changed)
	p.changed = make(chan struct{})
}

// leave ends it. What is open stays so for a page that comes back.
func (o *opened) leave(visitor string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.at(visitor)
	if p.followers--; p.followers == 0 && (len(p.tables) == 0 || len(o.by) > maxOpened) {
		delete(o.by, visitor)
	}
}

// at returns the pages of a visitor; the lock is held.
func (o *opened) at(visitor string) *pagesOpen {
	if o.by == nil {
		o.by = map[string]*pagesOpen{}
	}
	if o.by[visitor] == nil {
		o.by[visitor] = &pagesOpen{tables: map[int64]turned{}, changed: make(chan struct{})}
	}
	return o.by[visitor]
}

// turn opens a page for a visitor. One who has done so on another replica, elsewhere, has it open here where one of
// their pages hangs here.
func (o *opened) turn(visitor string, page chat.Opened, elsewhere bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by[visitor] == nil && (elsewhere || len(o.by) >= maxOpened) {
		return
	}
	p := o.at(visitor)
	if _, known := p.tables[page.Table]; !known && len(p.tables) >= maxOpenedTables {
		clear(p.tables) // of so many tables only the newest is looked at
	}
	p.touch()
	p.tables[page.Table] = turned{page, p.count}
}

// of returns the page that a visitor has open on a table.
func (o *opened) of(visitor string, table int64) chat.Opened {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.by[visitor]; p != nil {
		return p.tables[table].Opened
	}
	return chat.Opened{}
}

// leaf is what has changed for one visitor alone.
type leaf struct {
	tables []int64 // on which they have turned a page
	all    bool    // others play there now: every board may look different
	people []person
	count  uint64
	next   <-chan struct{} // closes with the next change
}

// since returns what has changed for a visitor after a count.
func (o *opened) since(visitor string, count uint64) leaf {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.at(visitor)
	l := leaf{all: p.came > count, people: p.people, count: p.count, next: p.changed}
	for table, page := range p.tables {
		if page.count > count {
			l.tables = append(l.tables, table)
		}
	}
	return l
}
