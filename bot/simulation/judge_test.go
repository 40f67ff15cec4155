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

// judge looks at what has been answered since the last time: it must be stored. In an evening all that must hold of
// the database is looked at, too; in a week that would be long.
func (w *town) judge() {
	w.Helper()
	w.punctual()
	w.beginnings()
	if w.judged++; w.strict > 0 && w.judged%w.strict == 0 {
		w.booked()
	}
	open := w.deeds[:0]
	for _, d := range w.deeds {
		said, answered := d.answer()
		if !answered {
			open = append(open, d)
			continue
		}
		w.trace.tell(d.who.called, "is told", said)
		w.stored(d, said)
	}
	w.deeds = open
	if len(w.deeds) > 400 { // platforms do not answer these any more
		w.deeds = slices.Clone(w.deeds[200:])
	}
}

// doubleTap is how soon behind a change of the board by their own press a person is taken to have tapped twice, which
// is passed over in silence on Discord. A bot that stood still makes that change long after the press.
const doubleTap = 600 * time.Millisecond

// stored fails unless a move that was confirmed to a player is in the books, once, and as it was made. Who is refused
// reads something that no move is answered by.
func (w *town) stored(d *deed, said string) {
	w.Helper()
	if d.paid > hoard && d.data == "" && said == "" {
		w.kept(d)
	}
	number, turn, what, ok := part(d.data)
	if !ok || number == 0 || strings.HasPrefix(what, "!") || strings.HasPrefix(what, "/") {
		return
	}
	query, _ := w.telegram.Query(d.query)
	if said == "" && (d.life != w.lives || query.Delivered > 1) ||
		said != "" && !w.ofMove.MatchString(said) {
		return // what comes again is not told about a second time
	}
	if said != "" {
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
		if int64(len(moves)) <= turn || moves[turn].Move != what {
			if said == "" && !d.on.isTelegram() && t.Board.Tapper == seat &&
				d.at.Sub(time.UnixMilli(t.Board.Tapped)) < doubleTap {
				return nil // another press of theirs has changed the board
			}
			w.Errorf("seed %d: %s was told %q for %s, and it is not stored: at turn %d of %d", w.seed, d.who.called,
				said, d.data, turn, len(moves))
		} else if by := moves[turn].Seat; by != seat && t.Seats[by].Since <= turn { // else the seat was given away
			w.Errorf("seed %d: %s was told %q for %s, and it was the move of seat %d", w.seed, d.who.called, said,
				d.data, by)
		}
		if int64(len(moves)) != t.Turn {
			w.Errorf("seed %d: table %d is at turn %d with %d moves", w.seed, number, t.Turn, len(moves))
		}
		return nil
	})
}

func (w *town) view(read func(*store.Tx) error) {
	w.Helper()
	if err := w.store.View(context.Background(), read); err != nil {
		w.Errorf("seed %d: %v", w.seed, err)
	}
}

// sound fails unless everything that is stored is right: the books, the
// replays, the records, and the moves as people have made them.
func (w *town) sound() {
	w.Helper()
	w.booked()
	tables, err := w.bot.Check(context.Background(), nil)
	if err != nil || len(tables) > 0 {
		w.Errorf("seed %d: %q, %v", w.seed, tables, err)
	}
	w.view(func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error { return w.made(tx, id) })
	})
	w.settled()
}

// booked fails unless every invariant of the database holds: of the file, the books, the results and the moves.
func (w *town) booked() {
	w.Helper()
	books, err := w.store.Check(context.Background())
	if err != nil || len(books) > 0 {
		w.Errorf("seed %d: %v, %v", w.seed, books, err)
	}
}

// made fails unless every move of a table was pressed by a person, who may have given the seat away since or been
// forgotten, and shown boards are none of the future.
func (w *town) made(tx *store.Tx, id int64) error {
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
	w.early(t, moves)
	for turn, m := range moves {
		player := t.Seats[m.Seat].Player
		if player == "" || m.Auto {
			continue
		}
		data := "1:" + decimal(id) + ":" + decimal(int64(turn)) + ":"
		if w.pressed[data+m.Move] || w.pressed[data+"!play"] || w.pressed[data+"!undo"] {
			continue
		}
		follows, err := w.follows(t, moves, turn)
		if err != nil {
			return err
		}
		if !follows {
			w.Errorf("seed %d: nobody has pressed %s%s", w.seed, data, m.Move)
		}
	}
	return nil
}

// follows reports whether a move was played with the press for the one before it: the same seat had no
// other left in its turn.
func (w *town) follows(t store.Table, moves []store.Move, turn int) (bool, error) {
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

// toldOfMoves matches the answer to a press that has made a move: its effect on the player, that they
// have won, or how what follows is played one by one.
func toldOfMoves(said *words.Words) *regexp.Regexp {
	var all []string
	gap := regexp.MustCompile(`\\\{\\\{.*?\\\}\\\}`)
	for _, lang := range said.Languages() {
		told := maps.Clone(said.Below(lang, "bot"))
		maps.DeleteFunc(told, func(key, _ string) bool {
			return !slices.Contains([]string{"won", "won-amount", "won-shared", "pace-told"}, key)
		})
		sentences := slices.Collect(maps.Values(told))
		for _, g := range played() {
			sentences = slices.AppendSeq(sentences, maps.Values(said.Below(lang, g.Name()+".you")))
		}
		for _, sentence := range sentences {
			all = append(all, gap.ReplaceAllString(regexp.QuoteMeta(sentence), ".+"))
		}
	}
	return regexp.MustCompile("^(?:" + strings.Join(all, "|") + ")$")
}

// fresh has the board of every hall drawn anew, and fails unless the one before showed the same.
func (w *town) fresh() {
	w.Helper()
	for _, h := range w.halls {
		before, asks := w.boardAt(h), w.visitor(h)
		version := before.version
		heard := h.messages(asks)
		asks.says("table")
		w.live(time.Now().Add(time.Minute))
		after := w.boardAt(h)
		if before.id != "" && lasting(before.text) != lasting(after.text) &&
			english(before.text) == english(after.text) && after.version == version {
			w.Errorf("seed %d: at %s people saw\n%s\nand anew\n%s", w.seed, h.name(), before.text, after.text)
		}
		// tables that have lost their place go before
		offered := slices.ContainsFunc(h.messages(asks), func(m message) bool {
			return !slices.ContainsFunc(heard, func(before message) bool { return before.id == m.id })
		})
		if before.id == after.id && before.id != "" && !offered {
			w.Errorf("seed %d: at %s no board was drawn anew:\n%s", w.seed, h.name(), before.text)
		}
	}
}

func (w *town) visitor(h hall) *person {
	i := slices.IndexFunc(w.people, func(p *person) bool { return p.at == h })
	return w.people[i]
}

// spoken are words that stand on every English board, and on no German one.
var spoken = regexp.MustCompile(`\b(is|are|opens|starts|threw|closed|kept|wrote|struck|covered|uncovered|wins|win|shut|share|ends|` +
	`takes|fit|has|closes|closed|declares|gave|banks|everybody)\b`)

// english reports whether a board speaks English, and not German: one of a game
// that is over keeps its language when the chat takes another elsewhere.
func english(board string) bool { return spoken.MatchString(board) }

// onDay is the day in a moment that a board tells of, which it leaves out where that is the day on which it is drawn.
var onDay = regexp.MustCompile(`\b(?:on \d+ \pL+ (?:\d{4} )?(at)|am \d+\. \pL+ (?:\d{4} )?(um)) `)

// lasting is what stands on a board but for who holds the box, which changes with
// games at other places, and for the day of what is to come.
func lasting(board string) string {
	board = onDay.ReplaceAllString(board, "$1$2 ")
	for _, holds := range []string{" · holds the box, sits first", " · hat die Box, fängt an"} {
		board = strings.ReplaceAll(board, holds, "")
	}
	lines := strings.Split(board, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "📦") }), "\n")
}

// boardAt is the board of the newest table of a hall as people see it; without
// an id there is none, or it need not show what a player is just picking.
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

// shown fails unless the board of every table shows it as it is, and every
// finished table has a result and a record that verifies.
func (w *town) shown() {
	w.Helper()
	var ended []int64
	w.view(func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			t, err := tx.Tables.Table(id)
			if err == nil && t.Board.Drawn != t.Version && !t.Board.Away {
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
		for _, fault := range record.Verify(r, played(), &record.Solutions{}) {
			w.Errorf("seed %d: the record of table %d: %s", w.seed, id, fault)
		}
	}
	w.games += len(ended)
}

// violations fails for every request that no bot should have made.
func (w *town) violations() {
	w.Helper()
	for _, said := range w.trace.wrong {
		w.Errorf("seed %d: %s", w.seed, said)
	}
	for _, v := range w.telegram.Violations() {
		w.Errorf("seed %d: Telegram would not take this: %v", w.seed, v)
	}
	for _, v := range w.discord.Violations() {
		if w.replicas > 0 && ofStill.MatchString(fmt.Sprint(v)) {
			continue
		}
		w.Errorf("seed %d: Discord would not take this: %v", w.seed, v)
	}
}
