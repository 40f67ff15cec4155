package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Command /puzzle: the costliest decision of the chat's last week, as a position in which all people can try a move.
// Only the person who tries sees whether the move is best. The message is drawn from stored data like a board, so it
// survives a restart. The asker or an admin closes the puzzle, or the loop does after a day; then it shows the answer.

// The limits of puzzles.
const (
	maxGameAge    = 7 * 24 * time.Hour // maximum age of the game
	openDuration  = 24 * time.Hour     // how long a puzzle stays open
	maxTries      = 8                  // moves that have a button
	maxConsidered = 50                 // games considered for a puzzle, and games whose missing reviews are requested
	maxFinders    = 20                 // players named for the best move
)

// puzzleCommand opens a puzzle, tries a move ("12 shut 9+2"), or closes the puzzle and shows the answer ("12 close").
func (v *visit) puzzleCommand(args bot.Args) error {
	id, given := args.Amount("move")
	if !given {
		return v.askPuzzle(0)
	}
	move := args.Text("play")
	p, err := v.Tx.Reviews.Puzzle(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Chat != v.Chat.ID {
		return games.Refuse("bot.puzzle.gone", nil)
	}
	if err != nil {
		return err
	}
	position, err := v.positionOf(p)
	if err != nil {
		return err
	}
	if move == "close" {
		return v.closePuzzle(p)
	}
	return v.guess(p, position, games.Move(move))
}

// puzzleOfGame opens the puzzle of a game, as the button of a recap asks: "of 41".
func (v *visit) puzzleOfGame(args bot.Args) error {
	table, _ := args.Amount("game")
	t, err := v.Finished(table)
	if err != nil {
		return err
	}
	return v.askPuzzle(t.ID)
}

// askPuzzle opens a puzzle of the game at a table; 0: of the last week. It shows the open puzzle of this place (channel
// or thread) instead if there is one, and that of the table if it had one before.
func (v *visit) askPuzzle(table int64) error {
	p, err := v.Tx.Reviews.PuzzleAt(string(v.Event.Place))
	if errors.Is(err, store.ErrNotFound) && table != 0 {
		p, err = v.Tx.Reviews.PuzzleOf(table)
	}
	if err == nil {
		if v.Reply.Private, err = v.puzzleMessage(p); err != nil || !p.Away {
			return err
		}
		p.Away = false
		v.Wake(v.bot.puzzles.Waker)
		return v.Tx.Reviews.SavePuzzle(p)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if v.Event.Guest {
		return games.Refuse("bot.guest.puzzle", nil)
	}
	table, refusal, err := v.nextPuzzle(table)
	if err != nil {
		return err
	}
	if refusal != nil { // there is no puzzle yet, but reviews that are still to be computed may contain one
		wanted, err := v.requestReviews(maxConsidered)
		if err != nil {
			return err
		}
		pending, err := v.Tx.Reviews.Reviewing(v.Chat.ID, v.At-maxGameAge.Milliseconds(), v.At+1)
		if err != nil {
			return err
		}
		if !wanted && pending == 0 {
			return refusal
		}
		v.Wake(v.bot.wake)
		v.Toast("bot.puzzle.soon", nil)
		return nil
	}
	p = store.Puzzle{
		Chat: v.Chat.ID, Posted: store.Posted{Place: string(v.Event.Place), Version: 1}, Table: table,
		Asker: string(v.Event.User), Asked: v.At, Open: true,
	}
	id, err := v.Tx.Reviews.AddPuzzle(p)
	if err != nil {
		return err
	}
	if v.Event.Carries {
		v.Reply.Puzzle = id
		return nil
	}
	v.Wake(v.bot.puzzles.Waker)
	v.Receipt("bot.puzzle.comes", nil)
	return nil
}

// nextPuzzle returns the table with the costliest decision whose review no one has read, else one whose review a single
// person has read; of a game only the table of that game, 0: any. refusal is set if there is no such table.
func (v *visit) nextPuzzle(of int64) (table int64, refusal, err error) {
	all, err := v.Tx.Reviews.PuzzleReviews(v.Chat.ID, v.At-maxGameAge.Milliseconds(), maxConsidered)
	if of != 0 {
		all = slices.DeleteFunc(all, func(r store.Review) bool { return r.Table != of })
	}
	if err != nil || len(all) == 0 {
		return 0, games.Refuse("bot.puzzle.none", nil), err
	}
	fewest := askedByAll
	for _, r := range all {
		asked, err := askedOf(r)
		if err != nil {
			return 0, nil, err
		}
		if asked < fewest {
			table, fewest = r.Table, asked
		}
	}
	if table == 0 {
		refusal = games.Refuse("bot.puzzle.explained", nil)
	}
	return table, refusal, nil
}

// askedOf returns who has read the costliest decision in r: askedByOne, askedByAll, or 0 for no one.
func askedOf(r store.Review) (int, error) {
	var choice reviewChoice
	if err := json.Unmarshal(r.Choices, &choice); err != nil {
		return 0, fmt.Errorf("read choices of table %d: %w", r.Table, err)
	}
	return choice.Asked, nil
}

// requestReviews requests reviews of at most limit games of the chat without one, newest first. It reports whether
// there was such a game that can be reviewed.
func (v *visit) requestReviews(limit int) (requested bool, err error) {
	tables, err := v.Tx.Reviews.Unreviewed(v.Chat.ID, limit)
	if err != nil {
		return false, err
	}
	for _, id := range tables {
		t, err := v.Tx.Tables.Table(id)
		if err != nil {
			return false, err
		}
		g, err := v.bot.Game(t.Game)
		if err != nil {
			return false, err
		}
		isNew, err := v.requestReview(t, g)
		if err != nil {
			return false, err
		}
		requested = requested || isNew
	}
	return requested, nil
}

// position is the position of a puzzle: a decision in a reviewed game.
type position struct {
	reviewed
	match  games.Match
	made   games.Move // the move that was played
	choice reviewChoice
	step   reviewStep
	moves  []store.Move
}

// positionOf returns the position of a puzzle. It also sets v.Names to the names of the players.
func (v *visit) positionOf(p store.Puzzle) (pos position, err error) {
	wrap := func(err error) (position, error) { return pos, fmt.Errorf("puzzle %d: %w", p.ID, err) }
	t, err := v.Tx.Tables.Table(p.Table)
	if err != nil {
		return wrap(err)
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return wrap(err)
	}
	known := false
	if pos.reviewed, known, err = reviewOf(v.Tx, t, g); err == nil && !known {
		err = store.ErrNotFound
	}
	if err := errors.Join(err, json.Unmarshal(pos.r.Choices, &pos.choice)); err != nil {
		return wrap(err)
	}
	if pos.moves, err = v.MovesOf(pos.t); err != nil {
		return wrap(err)
	}
	index := pos.choice.At
	if index < 0 || index >= len(pos.moves) || index >= len(pos.steps.Moves) {
		return wrap(fmt.Errorf("no move %d", index+1))
	}
	pos.made, pos.step = games.Move(pos.moves[index].Move), pos.steps.Moves[index]
	v.Names = v.bot.NamesAt(pos.t, v.Lang)
	pos.match, _, err = table.Replayed(pos.g, pos.t, pos.moves[:index])
	if err != nil {
		return wrap(err)
	}
	return pos, nil
}

// moveLabel returns the name of a move in the position.
func (pos position) moveLabel(move games.Move) games.Line {
	return games.SayMove(pos.match, pos.choice.Seat, move)
}

// guess shows only the user whether move is the best one. It stores the move if it is the user's first try.
func (v *visit) guess(p store.Puzzle, pos position, move games.Move) error {
	i := slices.IndexFunc(pos.choice.Moves, func(m tryMove) bool { return m.Move == move })
	switch {
	case i < 0:
		return games.Refuse("bot.no-such-button", nil)
	case !p.Open:
		return games.Refuse("bot.puzzle.closed", games.Args{"Best": pos.moveLabel(pos.step.Best)})
	}
	cost := pos.choice.Moves[i].Cost
	first, err := v.Tx.Reviews.AddGuess(p.ID, store.Guess{Player: string(v.Event.User), Move: string(move),
		Found: cost == 0, At: v.At})
	if err != nil {
		return err
	}
	key, args := "bot.puzzle.found", games.Args{"Move": pos.moveLabel(move)}
	if cost > 0 {
		key, args["Cost"] = "bot.puzzle.missed", v.costOf(pos.reviewed, cost)
	}
	v.Toast(key, args)
	if !first {
		v.Reply.Toast += " " + v.Say(games.Say("bot.puzzle.again", nil))
	}
	return nil
}

// closePuzzle closes a puzzle, so that all people see the answer. It refuses users other than the asker and admins.
func (v *visit) closePuzzle(p store.Puzzle) error {
	if !p.Open {
		return games.Refuse("bot.moved-on", nil)
	}
	if p.Asker != string(v.Event.User) {
		admin, err := v.IsAdmin(true)
		if err != nil {
			return err
		}
		if !admin {
			asker, err := v.Tx.Chats.Player(p.Asker)
			if err != nil {
				return err
			}
			return games.Refuse("bot.puzzle.not-yours", games.Args{"Name": v.bot.ShownName(asker.Name, v.Lang)})
		}
	}
	v.Toast("bot.puzzle.told", nil)
	return v.reveal(p)
}

// reveal closes a puzzle and schedules the redraw that shows the answer.
func (v *visit) reveal(p store.Puzzle) error {
	p.Open = false
	p.Version++
	v.Wake(v.bot.puzzles.Waker)
	return v.Tx.Reviews.SavePuzzle(p)
}
