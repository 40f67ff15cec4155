package simulation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"knobel/bot/board"
	"knobel/bot/table"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// judge checks the answers since the last call: what they confirm must be stored. In an evening it also checks all
// invariants of the database; in a week that would take too long.
func (w *town) judge() {
	w.Helper()
	w.checkTurns()
	w.noteStarts()
	w.evenings.noteMessages()
	if w.judged++; w.strict > 0 && w.judged%w.strict == 0 {
		w.checkDatabase()
	}
	open := w.deeds[:0]
	for _, d := range w.deeds {
		said, answered := d.answer()
		if !answered {
			open = append(open, d)
			continue
		}
		w.trace.event(d.who.called, "is told", said)
		w.checkStored(d, said)
		w.evenings.hear(d, said)
	}
	w.deeds = open
	if len(w.deeds) > 400 { // the oldest no longer get an answer
		w.deeds = slices.Clone(w.deeds[200:])
	}
}

// doubleTap is how soon after a change of the board by the same person a press counts as a double tap, which is
// answered silently on Discord. A paused bot makes that change long after the press.
const doubleTap = 600 * time.Millisecond

// checkStored fails the test unless a move that was confirmed to a player (by toast) is stored once and as it was made.
// Refusals have toasts that no move gets.
func (w *town) checkStored(d *deed, toast string) {
	w.Helper()
	if d.paid > hoard && d.data == "" && toast == "" {
		w.checkStoredPayment(d)
	}
	number, turn, action, ok := splitData(d.data)
	if !ok || number == 0 || strings.HasPrefix(action, "!") || strings.HasPrefix(action, "/") {
		return
	}
	query, _ := w.telegram.Query(d.query)
	if toast == "" && (d.life != w.lives || query.Delivered > 1) ||
		toast != "" && !w.ofMove.MatchString(toast) {
		return // a refusal, or a repeated press, which gets no second toast
	}
	if toast != "" {
		w.heard++
	}
	w.view(func(tx *store.Tx) error {
		t, err := tx.Tables.Table(number)
		if errors.Is(err, store.ErrNotFound) || err == nil && t.Place != d.on.name() {
			return nil
		}
		moves, err := tx.Tables.Moves(number)
		if err != nil {
			return err
		}
		seat := slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.Player == d.who.user() })
		if int64(len(moves)) <= turn || moves[turn].Move != action {
			if toast == "" && !d.on.isTelegram() && t.Board.Tapper == seat &&
				d.at.Sub(time.UnixMilli(t.Board.Tapped)) < doubleTap {
				return nil // another press of theirs has changed the board
			}
			w.Errorf("seed %d: %s was told %q for %s, and it is not stored: at turn %d of %d", w.seed, d.who.called,
				toast, d.data, turn, len(moves))
		} else if mover := moves[turn].Seat; mover != seat && t.Seats[mover].Since <= turn { // not handed over since
			w.Errorf("seed %d: %s was told %q for %s, and it was the move of seat %d", w.seed, d.who.called, toast,
				d.data, mover)
		}
		if int64(len(moves)) != t.Turn {
			w.Errorf("seed %d: table %d is at turn %d with %d moves", w.seed, number, t.Turn, len(moves))
		}
		return nil
	})
}

// view runs read in a read-only transaction.
func (w *town) view(read func(*store.Tx) error) {
	w.Helper()
	if err := w.store.View(context.Background(), read); err != nil {
		w.Errorf("seed %d: %v", w.seed, err)
	}
}

// checkAll fails the test unless all stored data is right: balances, replays, records, and moves as people made them.
func (w *town) checkAll() {
	w.Helper()
	w.checkDatabase()
	tables, err := w.bot.Check(context.Background(), nil)
	if err != nil || len(tables) > 0 {
		w.Errorf("seed %d: %q, %v", w.seed, tables, err)
	}
	w.view(func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error { return w.checkTable(tx, id) })
	})
	w.checkPayments()
}

// checkDatabase fails the test unless all invariants of the database hold: of the file, balances, results and moves.
func (w *town) checkDatabase() {
	w.Helper()
	books, err := w.store.Check(context.Background())
	if err != nil || len(books) > 0 {
		w.Errorf("seed %d: %v, %v", w.seed, books, err)
	}
}

// checkTable fails the test unless a person has pressed every move of a table, and the shown board is not newer than
// the table. The person may have handed over the seat since, or been forgotten.
func (w *town) checkTable(tx *store.Tx, id int64) error {
	t, err := tx.Tables.Table(id)
	if err != nil {
		return err
	}
	if t.Board.Drawn > t.Version {
		w.Errorf("seed %d: the board of table %d shows version %d of %d", w.seed, id, t.Board.Drawn, t.Version)
	}
	moves, err := tx.Tables.Moves(id)
	if err != nil {
		return err
	}
	w.checkAbsences(t, moves)
	for turn, m := range moves {
		player := t.Seats[m.Seat].Player
		if player == "" || m.Auto {
			continue
		}
		data := "1:" + decimal(id) + ":" + decimal(int64(turn)) + ":"
		if w.pressed[data+m.Move] || w.pressed[data+"!play"] || w.pressed[data+"!undo"] {
			continue
		}
		follows, err := w.isForced(t, moves, turn)
		if err != nil {
			return err
		}
		if !follows {
			w.Errorf("seed %d: nobody has pressed %s%s", w.seed, data, m.Move)
		}
	}
	return nil
}

// isForced reports whether the move with the index turn was played along with the one before, as the only possible one.
func (w *town) isForced(t store.Table, moves []store.Move, turn int) (bool, error) {
	m := moves[turn]
	if turn == 0 || moves[turn-1].Auto || moves[turn-1].Seat != m.Seat || moves[turn-1].At != m.At {
		return false, nil
	}
	g, err := w.bot.Game(t.Game)
	if err != nil {
		return false, err
	}
	before, err := board.Standing(moves[:turn])
	if err != nil {
		return false, err
	}
	match, _, err := table.Replayed(g, t, before)
	if err != nil {
		return false, err
	}
	only, ok := games.Follows(match, games.Seat(m.Seat))
	return ok && string(only) == m.Move, nil
}

// moveToasts returns a pattern for the toasts of moves: the effect on the player, a win, or that the bot played on.
func moveToasts(said *words.Words) *regexp.Regexp {
	var all []string
	gap := regexp.MustCompile(`\\\{\\\{.*?\\\}\\\}`)
	for _, lang := range said.Languages() {
		told := maps.Clone(said.Below(lang, "bot"))
		maps.DeleteFunc(told, func(key, _ string) bool {
			return !slices.Contains([]string{"won", "won-amount", "won-shared", "pace-told"}, key)
		})
		sentences := slices.Collect(maps.Values(told))
		for _, g := range gamesOfTown() {
			sentences = slices.AppendSeq(sentences, maps.Values(said.Below(lang, g.Name()+".you")))
		}
		for _, sentence := range sentences {
			all = append(all, gap.ReplaceAllString(regexp.QuoteMeta(sentence), ".+"))
		}
	}
	return regexp.MustCompile("^(?:" + strings.Join(all, "|") + ")$")
}

// checkBoards lets the board of every hall be posted again, and fails the test unless it looks as before.
func (w *town) checkBoards() {
	w.Helper()
	for _, h := range w.halls {
		asks := w.visitor(h)
		_, visits := h.(*visit)
		if visits { // a page may cover the board, which keeps its message
			asks.send("table")
			w.live(time.Now().Add(time.Minute))
		}
		if c, guest := h.(*call); guest {
			c.catchUp(asks)
		}
		before := w.boardAt(h)
		version := before.version
		heard := h.messages(asks)
		asks.send("table")
		w.live(time.Now().Add(time.Minute))
		after := w.boardAt(h)
		if before.id != "" && comparable(before.text) != comparable(after.text) &&
			isEnglish(before.text) == isEnglish(after.text) && after.version == version {
			w.Errorf("seed %d: at %s people saw\n%s\nand anew\n%s", w.seed, h.name(), before.text, after.text)
		}
		// Tables that have lost their place are offered instead of the board.
		offered := slices.ContainsFunc(h.messages(asks), func(m message) bool {
			return !slices.ContainsFunc(heard, func(before message) bool { return before.id == m.id })
		})
		if before.id == after.id && before.id != "" && !offered && !visits {
			w.Errorf("seed %d: at %s no board was drawn anew:\n%s", w.seed, h.name(), before.text)
		}
	}
}

// visitor returns the first person of a hall.
func (w *town) visitor(h hall) *person {
	i := slices.IndexFunc(w.people, func(p *person) bool { return p.at == h })
	return w.people[i]
}

// englishWords are words of which every English board has one, and no German one has any.
var englishWords = regexp.MustCompile(`\b(is|are|opens|starts|threw|closed|kept|wrote|struck|covered|uncovered|wins|win|shut|share|ends|` +
	`takes|fit|has|closes|closed|declares|gave|banks|everybody)\b`)

// isEnglish reports whether a board is English. One of a finished game keeps its language when the chat's changes.
func isEnglish(board string) bool { return englishWords.MatchString(board) }

// onDay matches the day in a date on a board. Boards leave it out on the same day.
var onDay = regexp.MustCompile(`\b(?:on \d+ \pL+ (?:\d{4} )?(at)|am \d+\. \pL+ (?:\d{4} )?(um)) `)

// comparable returns the text of a board without days and the holder of the box, who changes elsewhere.
func comparable(board string) string {
	board = onDay.ReplaceAllString(board, "$1$2 ")
	for _, holds := range []string{" · holds the box, sits first", " · hat die Box, fängt an"} {
		board = strings.ReplaceAll(board, holds, "")
	}
	lines := strings.Split(board, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "📦") }), "\n")
}

// boardAt returns the board of the newest table of a hall as people see it. It is zero if there is none, or if a player
// is picking dice or tiles, which the board need not show.
func (w *town) boardAt(h hall) (m message) {
	w.Helper()
	ref, version := "", int64(0)
	w.view(func(tx *store.Tx) error {
		t, err := tx.Tables.TableHere(h.name())
		if errors.Is(err, store.ErrNotFound) || t.Board.Away || t.Draft != "" {
			return nil
		}
		ref, version = t.Board.Message, t.Version
		return err
	})
	for _, m := range h.messages(nil) {
		if strings.HasSuffix(ref, "/"+m.id) || strings.HasSuffix(ref, ":"+m.id) {
			m.version = version
			return m
		}
	}
	return message{}
}

// checkResults fails the test unless every board that can be drawn shows the newest version of its table, and every
// finished table has a result and a record that verifies.
func (w *town) checkResults() {
	w.Helper()
	var ended []int64
	w.view(func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			t, err := tx.Tables.Table(id)
			if err == nil && t.Board.Drawn != t.Version && !t.Board.Away && t.Board.Editable(time.Now().UnixMilli()) {
				w.Errorf("seed %d: the board of table %d (%s, %s) shows version %d of %d at the end", w.seed, id,
					t.Place, t.State, t.Board.Drawn, t.Version)
			}
			w.tables++
			if t.State == store.Over {
				ended = append(ended, id)
			}
			return err
		})
	})
	for _, id := range ended {
		r, err := w.bot.Record(context.Background(), "", id)
		if err != nil {
			w.Errorf("seed %d: %v", w.seed, err)
			continue
		}
		for _, fault := range record.Verify(r, gamesOfTown(), &record.Solutions{}) {
			w.Errorf("seed %d: the record of table %d: %s", w.seed, id, fault)
		}
	}
	w.games += len(ended)
}

// checkRequests fails the test for each request that a platform refuses, and each unexplained error in the log.
func (w *town) checkRequests() {
	w.Helper()
	for _, said := range w.trace.wrong {
		if w.replicas > 0 && strings.Contains(said, "context deadline exceeded") {
			continue // a paused bot was asked by a page
		}
		w.Errorf("seed %d: %s", w.seed, said)
	}
	for _, v := range w.telegram.Violations() {
		w.Errorf("seed %d: Telegram would not take this: %v", w.seed, v)
	}
	for _, v := range w.discord.Violations() {
		if strings.HasPrefix(v.Why, "asks again") && slices.Contains(w.fate.mute, "discord "+v.What) {
			continue // the bot has not heard the refusal
		}
		if w.replicas > 0 && pauseFaults.MatchString(fmt.Sprint(v)) {
			continue
		}
		w.Errorf("seed %d: Discord would not take this: %v", w.seed, v)
	}
}
