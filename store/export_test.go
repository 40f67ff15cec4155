package store

import "context"

// Alone has each change commit alone from now on, which nobody but a yardstick
// wants, or not so any longer.
func (s *Store) Alone(alone bool) {
	s.writing.most = mostTogether
	if alone {
		s.writing.most = 1
	}
}

// Flushing sets how much a commit flushes, "FULL" or "NORMAL".
func (s *Store) Flushing(mode string) error {
	_, err := s.writing.conn.exec(context.Background(), "PRAGMA synchronous="+mode)
	return err
}

// Waiting is how many changes wait for their turn.
func (s *Store) Waiting() int {
	s.writing.mu.Lock()
	defer s.writing.mu.Unlock()
	return len(s.writing.waiting)
}

// AtHand is how many tables the writing connection has at hand.
func (s *Store) AtHand() int { return len(s.writing.conn.desk.tables) }

// Behind runs statements behind the store's back.
var Behind = behind

// Counted begins a statement with the numbers from 1.
var Counted = counted

// Tells is what a column tells of somebody, "id", "account" or "name", or "".
func Tells(column string) string {
	return map[content]string{isID: "id", isAccount: "account", isName: "name"}[sealedColumns[column]]
}
