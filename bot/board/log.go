package board

import (
	"fmt"
	"slices"

	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// The log of a table: every move that was not undone, in short lines.

// LogEntry is a line of a table's log. It is about dice and the choices of a seat.
type LogEntry struct {
	games.LogLine
	Seat   games.Seat
	Thrown int           // how many moves the table had after the roll of the dice; 0: there are none
	Move   int           // how many moves the table had after the move that the line is about
	Turn   int64         // the table's turn number after that move
	At     int64         // when the move was made, in Unix milliseconds
	Events []games.Event // the events of that move; nil if a later line of the same move has them
	More   []games.Event // those of Events on other effects of the move, except that someone has won
	Begins bool          // the seat's turn begins with this line
	Auto   bool          // the move was played for an absent player
	Open   bool          // the seat has still to choose what to do with the dice
}

// tableLog is the log of a table after some of its moves.
type tableLog struct {
	turn    int64 // the table's turn number after the last move that was not undone
	when    int64 // when that move was made, in Unix milliseconds
	moves   int   // how many moves were not undone
	entries []LogEntry
	at      games.Match
	view    games.View // of at
	thrown  int        // how many moves there were after the last roll
	mover   games.Seat // the seat of the last move
	seat    games.Seat // the seat of the last line
	ended   bool       // the turn of that seat has ended
}

// cachedLog is a cached log of a table at a turn number, and its part up to the last roll: later moves may be undone.
type cachedLog struct {
	turn           int64
	whole, certain tableLog
}

// LogOf returns the log of the table t and the number of its moves, without undone moves. Callers must not change the
// log. It continues the cached log if it can. The error is a *games.Refusal if the moves of the table were dropped.
func (b *Boards) LogOf(tx *store.Tx, t store.Table, g games.Game) (entries []LogEntry, moves int, err error) {
	if t.Ending.MovesDropped {
		return nil, 0, games.Refuse("bot.review.bare", nil)
	}
	if t.Turn == 0 {
		return nil, 0, nil
	}
	known := b.logs.Of(t.ID)
	if known.turn == t.Turn {
		return known.whole.entries, known.whole.moves, nil
	}
	log := known.certain
	if known.turn > t.Turn || log.at == nil {
		log = tableLog{seat: games.Nobody, mover: games.Nobody}
		if log.at, err = g.New(t.Rules, len(t.Seats)); err != nil {
			return nil, 0, err
		}
		log.view = log.at.View()
	}
	history, err := tx.Tables.MovesSince(t.ID, log.turn)
	if err != nil {
		return nil, 0, err
	}
	standing, turns, err := withoutUndone(history, log.turn)
	var steps []record.Step
	if err == nil {
		steps, err = record.Steps(log.at, Facts(standing))
	}
	if err != nil {
		return nil, 0, fmt.Errorf("log of table %d: %w", t.ID, err)
	}
	known = cachedLog{log.turn + int64(len(history)), log, log}
	for i, step := range steps {
		known.whole.add(t, step, turns[i], standing[i].At)
		if len(step.Thrown) > 0 {
			known.certain = known.whole
		}
	}
	known.whole.addOpen()
	b.logs.Keep(t.ID, known)
	return known.whole.entries, known.whole.moves, nil
}

// add adds the lines about a move of the table t; turn is the table's turn number after it, and at when it was made. A
// move of a seat that was out of the game has no line.
func (l *tableLog) add(t store.Table, step record.Step, turn, at int64) {
	seat, before, old := step.Move.Seat, l.moves, l.view
	if l.mover != seat {
		old.Dice = nil // those of another seat
	}
	l.moves, l.turn, l.when, l.mover, l.at, l.view = l.moves+1, turn, at, seat, step.After, step.After.View()
	played := games.Played{Before: step.Before, After: step.After, Old: old, New: l.view, Seat: seat,
		Move: step.Move.Move, Events: step.Events, Threw: len(step.Thrown) > 0}
	entry := LogEntry{Seat: seat, Move: l.moves, Turn: turn, At: at, Auto: step.Move.Auto,
		Begins: l.ended || seat != l.seat}
	var lines []LogEntry
	for _, line := range played.Log() {
		entry.LogLine, entry.Thrown = line, 0
		if line.Threw {
			entry.Dice, entry.Thrown = step.Thrown, l.moves
		} else if len(line.Dice) > 0 {
			entry.Thrown = l.thrown
		}
		lines = append(lines, entry)
		entry.Begins = false
	}
	if len(step.Thrown) > 0 {
		l.thrown = l.moves
	}
	if out := t.Seats[seat]; len(lines) == 0 || out.Absence == store.Out && out.OutFrom > 0 &&
		before >= int(out.OutFrom)-1 {
		return
	}
	last := &lines[len(lines)-1]
	last.Events = step.Events
	for _, e := range step.Events[min(1, len(step.Events)):] {
		if e.Key != l.view.Won.Key {
			last.More = append(last.More, e)
		}
	}
	l.entries, l.seat = append(slices.Clip(l.entries), lines...), seat
	_, l.ended = games.EndedTurn(step.After, seat)
}

// addOpen adds a line about the dice that lie before the seat to move, if it has made the last move.
func (l *tableLog) addOpen() {
	if len(l.view.Dice) == 0 || !slices.Contains(l.at.Turn(), l.mover) {
		return
	}
	l.entries = append(slices.Clip(l.entries), LogEntry{
		LogLine: games.LogLine{Said: games.Say("bot.log.choosing", nil), Dice: l.view.Dice}, Open: true,
		Seat: l.mover, Thrown: l.thrown, Move: l.moves, Turn: l.turn, At: l.when, Begins: l.ended || l.seat != l.mover,
	})
}
