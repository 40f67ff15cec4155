// Package store keeps tables, moves, books and settings in one SQLite file.
// A match is bytes to it and an id is a string: it knows no game and no
// platform.
package store

import (
	"context"
	"errors"
)

// ErrNotFound is returned where a row that was asked for does not exist.
var ErrNotFound = errors.New("not found")

// Store is an open database: one writing connection, several reading ones.
type Store struct{}

// Open opens or creates the database in a file and brings its schema up to
// date. It refuses a database that a newer version has written.
func Open(ctx context.Context, file string) (*Store, error) { return nil, errors.ErrUnsupported }

// Close closes the database; everything committed stays.
func (s *Store) Close() error { return errors.ErrUnsupported }

// Update runs change in one writing transaction and commits it, or rolls all
// of it back when change returns an error, which Update then returns.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	return errors.ErrUnsupported
}

// View runs read on one consistent state of the database.
func (s *Store) View(ctx context.Context, read func(*Tx) error) error {
	return errors.ErrUnsupported
}

// Backup writes a consistent copy of the running database into a new file.
func (s *Store) Backup(ctx context.Context, file string) error { return errors.ErrUnsupported }

// Tx is one transaction. It is valid only inside the function that got it.
type Tx struct{}

// Seen remembers the id of a platform's update and says whether it had been
// seen before. "" has never been seen.
func (tx *Tx) Seen(update string, at int64) (bool, error) { return false, errors.ErrUnsupported }

// Chat returns a chat; one that is not known yet has the defaults.
func (tx *Tx) Chat(id string) (Chat, error) { return Chat{}, errors.ErrUnsupported }

// SaveChat stores a chat.
func (tx *Tx) SaveChat(c Chat) error { return errors.ErrUnsupported }

// Player returns a person; one who is not known yet has no name.
func (tx *Tx) Player(id string) (Player, error) { return Player{}, errors.ErrUnsupported }

// SavePlayer stores a person.
func (tx *Tx) SavePlayer(p Player) error { return errors.ErrUnsupported }

// AddTable stores a new table and returns its number, counted from 1.
func (tx *Tx) AddTable(t Table) (int64, error) { return 0, errors.ErrUnsupported }

// Table returns a table with its seats, or ErrNotFound.
func (tx *Tx) Table(id int64) (Table, error) { return Table{}, errors.ErrUnsupported }

// TableAt returns the table of a place that is not over, or ErrNotFound.
func (tx *Tx) TableAt(place string) (Table, error) { return Table{}, errors.ErrUnsupported }

// LastTableAt returns the newest table of a place, or ErrNotFound.
func (tx *Tx) LastTableAt(place string) (Table, error) { return Table{}, errors.ErrUnsupported }

// SaveTable stores a table and its seats as they now are.
func (tx *Tx) SaveTable(t Table) error { return errors.ErrUnsupported }

// AddMove appends the next move of a table.
func (tx *Tx) AddMove(table int64, m Move) error { return errors.ErrUnsupported }

// Moves returns the moves of a table in order.
func (tx *Tx) Moves(table int64) ([]Move, error) { return nil, errors.ErrUnsupported }

// Post enters a posting into the ledger. Its amounts add up to zero, or it is
// refused.
func (tx *Tx) Post(p Posting) error { return errors.ErrUnsupported }

// Balance returns what an account of a chat and unit stands at.
func (tx *Tx) Balance(chat, unit, account string) (int64, error) { return 0, errors.ErrUnsupported }

// Box returns who holds the box of a chat and unit, with what is in it.
func (tx *Tx) Box(chat, unit string) (Box, error) { return Box{}, errors.ErrUnsupported }

// SaveBox stores who holds the box; what is in it follows from the ledger.
func (tx *Tx) SaveBox(b Box) error { return errors.ErrUnsupported }

// Finish stores the result of a finished table, one row a seat.
func (tx *Tx) Finish(table int64, rows []Result) error { return errors.ErrUnsupported }

// Results returns the result of a table in seat order, none while it goes on.
func (tx *Tx) Results(table int64) ([]Result, error) { return nil, errors.ErrUnsupported }

// Lagging returns the numbers of at most limit tables whose boards are behind
// their state, on the platform whose ids begin with prefix, those of places that
// are away left out, longest behind first.
func (tx *Tx) Lagging(prefix string, limit int) ([]int64, error) { return nil, errors.ErrUnsupported }

// Drawn remembers which version of a table its board shows and in which
// message. A smaller version than the one remembered changes nothing.
func (tx *Tx) Drawn(table, version int64, ref string) error { return errors.ErrUnsupported }

// Finished calls each with the numbers of finished tables in order: all, or
// those of one chat.
func (tx *Tx) Finished(chat string, each func(table int64) error) error {
	return errors.ErrUnsupported
}

// Migrate moves everything of a chat to a new id; place gives the new id of a
// place. Where the new chat is already known, the two become one.
func (tx *Tx) Migrate(from, to string, place func(string) string) error {
	return errors.ErrUnsupported
}

// Setting returns a setting of the installation, "" when it is not set.
func (tx *Tx) Setting(name string) (string, error) { return "", errors.ErrUnsupported }

// SaveSetting stores a setting of the installation.
func (tx *Tx) SaveSetting(name, value string) error { return errors.ErrUnsupported }
