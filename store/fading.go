package store

// Fading answers: messages for one person that all in a chat can read, until they are taken away.

import (
	"errors"
	"fmt"
)

// Fading is an answer that is to be taken away, with what belongs to it. Its messages are as their
// platform spells them.
type Fading struct {
	ID      int64
	Chat    string
	Message string // the answer, "": only the command is to go
	Above   string // the picture above it, "": none
	Command string // the message that asked for it, "": it stays
	Due     int64  // when they are to go, in Unix milliseconds
	Tries   int    // how often that has failed
}

const fadingColumns = `id, chat, message, above, command, due, tries`

func (f *Fading) into() []any {
	return []any{&f.ID, (*sealedID)(&f.Chat), (*sealedID)(&f.Message), (*sealedID)(&f.Above), (*sealedID)(&f.Command),
		&f.Due, &f.Tries}
}

// SaveFading stores a fading answer and numbers it, if it has no number yet.
func (tx *Tx) SaveFading(f *Fading) (err error) {
	if f.ID == 0 {
		err = tx.get(`
			INSERT INTO fading (chat, message, above, command, due, tries) VALUES ($1, $2, $3, $4, $5, $6)
			RETURNING id`,
			[]any{sealedID(f.Chat), sealedID(f.Message), sealedID(f.Above), sealedID(f.Command), f.Due, f.Tries}, &f.ID)
	} else {
		err = tx.run(`UPDATE fading SET message = $2, above = $3, command = $4, due = $5, tries = $6 WHERE id = $1`,
			f.ID, sealedID(f.Message), sealedID(f.Above), sealedID(f.Command), f.Due, f.Tries)
	}
	return wrapped(err, "save fading answer")
}

const (
	fadingAnswer = `SELECT ` + fadingColumns + ` FROM fading WHERE message = $1 LIMIT 1`
	fadingAsked  = `SELECT ` + fadingColumns + ` FROM fading WHERE command = $1 LIMIT 1`
	dueFading    = `SELECT ` + fadingColumns + ` FROM fading
		WHERE due <= $1 AND SUBSTR(chat, 1, LENGTH($2)) = $2 ORDER BY due, id LIMIT $3`
	nextFading = `SELECT due FROM fading WHERE due > $1 ORDER BY due, id LIMIT 1`
)

// FadingAnswer returns the fading answer that a message is, or ErrNotFound.
func (tx *Tx) FadingAnswer(message string) (f Fading, err error) {
	err = tx.get(fadingAnswer, []any{sealedID(message)}, f.into()...)
	return f, wrapped(err, "read fading answer")
}

// FadingAsked returns the fading answer that a message has asked for, or ErrNotFound.
func (tx *Tx) FadingAsked(command string) (f Fading, err error) {
	err = tx.get(fadingAsked, []any{sealedID(command)}, f.into()...)
	return f, wrapped(err, "read fading answer of a command")
}

// DueFading returns at most limit answers that are to be taken away by a moment, in Unix
// milliseconds, on the platform whose ids begin with prefix, the longest due first.
func (tx *Tx) DueFading(prefix string, by int64, limit int) (all []Fading, err error) {
	err = tx.list(dueFading, []any{by, prefix, tx.within(limit)}, func(scan func(...any) error) error {
		var f Fading
		if err := scan(f.into()...); err != nil || !tx.wanted(sealedID(f.Chat)) {
			return err
		}
		all = append(all, f)
		return full(len(all), limit)
	})
	return all, wrapped(err, "read fading answers that are due")
}

// NextFading returns when the first answer after a moment is due, both in Unix milliseconds; 0:
// none is.
func (tx *Tx) NextFading(after int64) (due int64, err error) {
	if err := tx.get(nextFading, []any{after}, &due); err != nil && !errors.Is(err, ErrNotFound) {
		return 0, fmt.Errorf("read which answer fades next: %w", err)
	}
	return due, nil
}

// DropFading forgets a fading answer: it is gone, or stays.
func (tx *Tx) DropFading(id int64) error {
	return wrapped(tx.run(`DELETE FROM fading WHERE id = $1`, id), "drop fading answer %d", id)
}

// DropLostFading forgets the answers that should have gone before a moment, in Unix milliseconds:
// nobody takes them away.
func (tx *Tx) DropLostFading(before int64) error {
	return wrapped(tx.run(`DELETE FROM fading WHERE due < $1`, before), "drop lost fading answers")
}

// PutOffFading stores when to try again what could not be taken away, unless it has got another
// time meanwhile than due.
func (tx *Tx) PutOffFading(id, due, until int64) error {
	return wrapped(tx.run(`UPDATE fading SET due = $3, tries = tries + 1 WHERE id = $1 AND due = $2`, id, due, until),
		"put off fading answer %d", id)
}
