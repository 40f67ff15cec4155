package store

// Puzzles made of reviewed games, and people's guesses.

import "cmp"

// Puzzle is a costly decision of a finished table, as a position that all in the chat may try.
type Puzzle struct {
	ID      int64
	Chat    string
	Place   string
	Table   int64
	Asker   string // a player's id
	Asked   int64  // Unix milliseconds
	Open    bool   // its answer is still secret
	Version int64  // grows with every change that its message shows
	Drawn   int64  // the version that its message shows
	Message string // the message, "" none yet
	Away    bool   // the message cannot be drawn at present: its place is away
}

var (
	puzzleColumns = columnsOf(`id, chat, place, table_id, asker, asked, open, version, drawn, message, away`,
		func(p *Puzzle) []any {
			return []any{&p.ID, (*sealedID)(&p.Chat), (*sealedID)(&p.Place), &p.Table, (*sealedID)(&p.Asker),
				&p.Asked, &p.Open, &p.Version, &p.Drawn, (*sealedID)(&p.Message), &p.Away}
		})
	newPuzzles   = puzzleColumns.without("id")
	puzzleStates = newPuzzles.without("chat", "place", "table_id", "asker", "asked")
	insertPuzzle = newPuzzles.insert("puzzles") + ` RETURNING id`
	updatePuzzle = puzzleStates.update("puzzles", "id")
	selectPuzzle = `SELECT ` + puzzleColumns.list("") + ` FROM puzzles `
)

// PuzzleReviews returns the numbers and choices of reviews that name a costly decision of a chat since a moment, of
// tables that have not been a puzzle, at most limit of them, the costliest first.
func (tx Reviews) PuzzleReviews(chat string, since int64, limit int) (all []Review, err error) {
	return collectBy(tx.Tx, doing("look for a puzzle of %s", chat), func(r *Review) []any {
		return []any{&r.Table, &r.Choices}
	}, `
		SELECT r.table_id, r.choices FROM reviews r WHERE r.chat = $1 AND r.ended >= $2 AND r.weight > 0
			AND NOT EXISTS (SELECT 1 FROM puzzles p WHERE p.table_id = r.table_id)
			AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.id = r.table_id AND t.voided)
		ORDER BY r.weight DESC, r.table_id DESC LIMIT $3`, sealedID(chat), since, limit)
}

// SaveChoices stores the choices of a review's costliest decision.
func (tx Reviews) SaveChoices(r Review) error {
	_, err := tx.exec(`UPDATE reviews SET choices = $2 WHERE table_id = $1`, r.Table, string(r.Choices))
	return wrapped(err, "save choices of the review of table %d", r.Table)
}

// AddPuzzle stores a new puzzle and returns its number. Its place has no other
// open one, and its table has never been one.
func (tx Reviews) AddPuzzle(p Puzzle) (int64, error) {
	err := cmp.Or(tx.Chats.meetPlayer(p.Asker, ""), tx.get(insertPuzzle, newPuzzles.values(&p), &p.ID))
	return p.ID, wrapped(err, "add puzzle at %s", p.Place)
}

// SavePuzzle stores whether a puzzle is open, how it is drawn and where.
func (tx Reviews) SavePuzzle(p Puzzle) error {
	return wrapped(execFound(tx.Tx, updatePuzzle, puzzleStates.values(&p, p.ID)...), "save puzzle %d", p.ID)
}

// Puzzle returns a puzzle, or ErrNotFound.
func (tx Reviews) Puzzle(id int64) (Puzzle, error) {
	return tx.puzzle(selectPuzzle+`WHERE id = $1`, id)
}

// PuzzleAt returns the open puzzle of a place, or ErrNotFound.
func (tx Reviews) PuzzleAt(place string) (Puzzle, error) {
	return tx.puzzle(selectPuzzle+`WHERE place = $1 AND open`, sealedID(place))
}

func (tx Reviews) puzzle(query string, of any) (p Puzzle, err error) {
	err = tx.get(query, []any{of}, puzzleColumns.of(&p)...)
	if err == nil {
		err = tx.found()
	}
	return p, wrapped(err, "read puzzle of %v", of)
}

// laggingPuzzles reads an index that holds nothing else.
const laggingPuzzles = `
	SELECT id, chat FROM puzzles WHERE drawn < version AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1 ORDER BY id
		LIMIT $2`

// LaggingPuzzles returns at most limit puzzles whose messages
// are behind their state, on the platform whose ids begin with prefix.
func (tx Reviews) LaggingPuzzles(prefix string, limit int) ([]Row, error) {
	return tx.rowsOf("lagging puzzles", limit, nil, laggingPuzzles, prefix)
}

// OldPuzzles returns at most limit open puzzles above the number beyond, ascending,
// that were asked before a moment.
func (tx Reviews) OldPuzzles(before, beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("old puzzles", limit, nil,
		`SELECT id, chat FROM puzzles WHERE open AND asked < $1 AND id > $2 ORDER BY id LIMIT $3`, before, beyond)
}

// Guess is the first try of a person at a puzzle.
type Guess struct {
	Player string
	Move   string
	Found  bool // it was the best
	At     int64
}

// AddGuess stores a person's try unless they have tried before, and reports whether it was the
// first.
func (tx Reviews) AddGuess(puzzle int64, g Guess) (first bool, err error) {
	err = tx.Chats.meetPlayer(g.Player, "")
	var added int64
	if err == nil {
		added, err = tx.exec(`
			INSERT INTO guesses (puzzle_id, player, move, found, at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (puzzle_id, player) DO NOTHING`, puzzle, sealedID(g.Player), g.Move, g.Found, g.At)
	}
	return added > 0, wrapped(err, "guess at puzzle %d", puzzle)
}

// Guesses returns the first tries of all people, in order.
func (tx Reviews) Guesses(puzzle int64) ([]Guess, error) {
	return collectBy(tx.Tx, doing("read guesses at puzzle %d", puzzle), func(g *Guess) []any {
		return []any{(*sealedID)(&g.Player), &g.Move, &g.Found, &g.At}
	}, `SELECT player, move, found, at FROM guesses WHERE puzzle_id = $1 ORDER BY at, player`, puzzle)
}
