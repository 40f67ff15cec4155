package postgres

// What transactions of one kind have read lately, in whatever chat, so that the first one of a name, too, asks for
// nearly all of it at once.

import (
	"bytes"
	"slices"
)

const (
	// maxShapes is how many kinds are remembered; then the one is forgotten that was not met for longest.
	maxShapes = 256
	// maxUnlike is how many transactions of a kind in a row may not want a template before it is forgotten. A game has
	// many presses and one end, which is to come as soon as the rest.
	maxUnlike = 256
	// maxTemplates is how many templates are remembered of a kind, and maxUnproven how many of these may be chance.
	maxTemplates = 96
	maxUnproven  = 24
)

// shape is what transactions of a kind read, as far as it follows from what is known of each before it reads.
type shape struct {
	templates []*template
	met       int64 // counts on with each transaction
}

// template is a query in which each argument is a value of the transaction, by its position among them, or always the
// same.
type template struct {
	text    string
	slots   []slot
	formats []int16
	unread  int // so many transactions of its kind since have not wanted it
	// first are the values of the transaction that it was made of. That an argument equals one of these may be chance,
	// as with small numbers, and that it is always the same may hold in one chat only: it is asked ahead once a
	// transaction that has no value in common with the first has wanted it, too. nil: one has.
	first [][]byte
}

// slot is an argument of a template.
type slot struct {
	value int    // the position of the value
	same  []byte // what it always is, where the position is negative
}

// templateOf makes a template of a query that a transaction with some values has wanted.
func templateOf(q *query, values arguments) *template {
	t := &template{text: q.key.text, slots: make([]slot, len(q.bound.values)), formats: q.bound.formats,
		first: values.values}
	for i, arg := range q.bound.values {
		t.slots[i] = slot{value: slices.IndexFunc(values.values, func(value []byte) bool {
			return len(value) > 0 && bytes.Equal(value, arg)
		})}
		if at := t.slots[i].value; at < 0 || values.formats[at] != q.bound.formats[i] {
			t.slots[i] = slot{-1, arg}
		}
	}
	return t
}

// fits reports whether a transaction has the values that stand in a template.
func (t *template) fits(values arguments) bool {
	return !slices.ContainsFunc(t.slots, func(s slot) bool {
		return s.value >= len(values.values) || s.value >= 0 && len(values.values[s.value]) == 0
	})
}

// filled returns the query of a template for a transaction whose values fit.
func (t *template) filled(values arguments) *query {
	bound := arguments{formats: t.formats}
	if len(t.slots) > 0 {
		bound.values = make([][]byte, len(t.slots))
	}
	for i, s := range t.slots {
		if bound.values[i] = s.same; s.value >= 0 {
			bound.values[i] = values.values[s.value]
		}
	}
	return &query{key: keyOf(t.text, bound), bound: bound}
}

// fit is what is known of a query.
type fit int

const (
	none      fit = iota // no template is for it
	guessed              // one is that may be chance
	confirmed            // one is that is asked ahead
)

// confirm is told that a transaction with some values has wanted the template, and returns what that makes of it.
func (t *template) confirm(values arguments) fit {
	for i := range t.first {
		if len(t.first[i]) > 0 && i < len(values.values) && bytes.Equal(t.first[i], values.values[i]) {
			return guessed
		}
	}
	t.first = nil
	return confirmed
}

// likely are the queries that a transaction with some values is going to read.
func (s *shape) likely(values arguments) []*query {
	if s == nil {
		return nil
	}
	all := make([]*query, 0, len(s.templates))
	for _, t := range s.templates {
		if t.first == nil && t.fits(values) {
			all = append(all, t.filled(values))
		}
	}
	return all
}

// learn remembers what a transaction with some values has wanted, each query once, and returns what of it is not asked
// ahead by a template.
func (s *shape) learn(values arguments, wanted []*query) (rest []*query) {
	fits, texts := make(map[queryKey]fit, len(wanted)), make(map[string]bool, len(wanted))
	for _, q := range wanted {
		fits[q.key], texts[q.key.text] = none, true
	}
	s.templates = slices.DeleteFunc(s.templates, func(t *template) bool {
		if !t.fits(values) {
			return false // it says nothing of this one
		}
		if texts[t.text] {
			key := t.filled(values).key
			if had, wants := fits[key]; wants {
				t.unread = 0
				fits[key] = max(had, t.confirm(values))
				return false
			}
		}
		t.unread++
		return t.unread > maxUnlike
	})
	for _, q := range wanted {
		fit := fits[q.key]
		if fit == none && s.makesRoom() {
			s.templates = append(s.templates, templateOf(q, values))
		}
		if fit != confirmed {
			rest = append(rest, q)
		}
	}
	return rest
}

// makesRoom reports whether there is room for another template: of those that may be chance the one goes that was not
// wanted for longest.
func (s *shape) makesRoom() bool {
	unproven, oldest := 0, -1
	for i, t := range s.templates {
		if t.first == nil {
			continue
		}
		unproven++
		if oldest < 0 || t.unread > s.templates[oldest].unread {
			oldest = i
		}
	}
	if unproven >= maxUnproven {
		s.templates = slices.Delete(s.templates, oldest, oldest+1)
	}
	return len(s.templates) < maxTemplates
}
