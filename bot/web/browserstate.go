package web

import (
	"sync"

	"knobel/bot/chat"
)

// The state of one browser: its people, and the menus open on its boards alone.

// person is one of the people at a browser.
type person struct {
	Number int    `json:"n"`
	Name   string `json:"name"`
}

// opened holds the pages, such as a menu of rules, that visitors have opened on boards for themselves. It is kept in
// memory.
type opened struct {
	mu sync.Mutex
	by map[string]*pagesOpen
}

// pagesOpen holds the opened pages of one visitor, who may have the room open several times.
type pagesOpen struct {
	followers int
	people    []person // at the browser
	came      uint64   // the count when these last changed
	count     uint64
	tables    map[int64]turned
	changed   chan struct{}
}

// turned is an open page and when it was opened.
type turned struct {
	chat.Opened
	count uint64
}

// Limits: visitors kept though none follows the room, and tables of each.
const (
	maxOpened       = 4096
	maxOpenedTables = 16
)

// enter starts following a browser's opened pages and people. Every enter needs a leave.
func (o *opened) enter(visitor string, people []person) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.at(visitor)
	p.followers++
	p.people = people
}

// plays stores the people of a browser and wakes its pages.
func (o *opened) plays(visitor string, people []person) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.by[visitor]; p != nil {
		p.people = people
		p.touch()
		p.came = p.count
	}
}

// touch counts a change and wakes the followers; the lock is held.
func (p *pagesOpen) touch() {
	p.count++
	close(p.changed)
	p.changed = make(chan struct{})
}

// leave ends enter. What is open stays for a page that returns.
func (o *opened) leave(visitor string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.at(visitor)
	if p.followers--; p.followers == 0 && (len(p.tables) == 0 || len(o.by) > maxOpened) {
		delete(o.by, visitor)
	}
}

// at returns the opened pages of a visitor; the lock is held.
func (o *opened) at(visitor string) *pagesOpen {
	if o.by == nil {
		o.by = map[string]*pagesOpen{}
	}
	if o.by[visitor] == nil {
		o.by[visitor] = &pagesOpen{tables: map[int64]turned{}, changed: make(chan struct{})}
	}
	return o.by[visitor]
}

// turn opens a page for a visitor. If that happened on another replica, elsewhere, it is opened only if a page of the
// visitor is connected here.
func (o *opened) turn(visitor string, page chat.Opened, elsewhere bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by[visitor] == nil && (elsewhere || len(o.by) >= maxOpened) {
		return
	}
	p := o.at(visitor)
	if _, known := p.tables[page.Table]; !known && len(p.tables) >= maxOpenedTables {
		clear(p.tables) // only the newest of so many is used
	}
	p.touch()
	p.tables[page.Table] = turned{page, p.count}
}

// of returns the visitor's open page on a table.
func (o *opened) of(visitor string, table int64) chat.Opened {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.by[visitor]; p != nil {
		return p.tables[table].Opened
	}
	return chat.Opened{}
}

// leaf holds the changes for one visitor alone.
type leaf struct {
	tables []int64 // with a newly opened page
	all    bool    // other people play there: every board may look different
	people []person
	count  uint64
	next   <-chan struct{} // closes with the next change
}

// since returns the changes for a visitor after a count.
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
