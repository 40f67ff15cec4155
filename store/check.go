package store

// Invariants of the database, and figures about unfinished work for metrics.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/store/engine"
)

// Fault is a violated invariant of the database.
type Fault struct {
	Where string // "file", "table 7", "posting 12", "books of telegram:-1 in chips"
	What  string // the fault, a sentence without the full stop
}

// String returns the two fields, separated by a colon.
func (f Fault) String() string { return f.Where + ": " + f.What }

// faultsShown is the largest number of faults that are reported for one invariant.
const faultsShown = 50

// invariant is a property that the rows of the database must have. query selects the rows that violate it. The first
// columns of such a row are the arguments of the format where, the other columns are those of the format what.
type invariant struct {
	query        string // may use $1 and $2: then it checks only tables with numbers above $1, up to $2
	where, what  string // formats of the fields of a Fault
	whereColumns int    // the number of columns for where
}

var invariants = []invariant{
	{`SELECT posting_id, chat, unit, amount FROM unbalanced_postings ORDER BY posting_id`,
		"posting %d", "in chat %s, unit %s: it has fewer than two entries or adds up to %d instead of 0", 1},
	{`SELECT chat, unit, amount FROM unbalanced_books ORDER BY chat, unit`,
		"books of %s in %s", "they add up to %d instead of 0", 2},
	{`SELECT posting_id, line, name, chat, unit FROM stray_entries ORDER BY posting_id, line`,
		"posting %d", "entry %d belongs to account %s of chat %s in %s", 1},
	{`SELECT p.id, p.table_id, p.chat FROM postings p JOIN tables t ON t.id = p.table_id WHERE p.chat <> t.chat
		ORDER BY p.id`,
		"posting %d", "it belongs to table %d, but is booked in chat %s", 1},
	{`SELECT p.id, p.table_id, p.kind FROM postings p JOIN tables t ON t.id = p.table_id
		WHERE t.state = 'lobby' OR p.kind NOT IN ('stakes', 'payout', 'refund', 'handover', 'void')
			OR (p.kind = 'void' AND NOT t.voided)
			OR (p.kind IN ('payout', 'refund') AND t.state = 'playing')
			OR (p.kind = 'payout' AND t.state = 'abandoned') OR (p.kind = 'refund' AND t.state = 'over') ORDER BY p.id`,
		"posting %d", "the state of table %d allows no posting of kind %s", 1},
	{`SELECT id, kind FROM postings WHERE (kind IN ('payment', 'payback')) <> (payment_id IS NOT NULL) ORDER BY id`,
		"posting %d", "its kind, %s, and its payment contradict each other", 1},
	{`SELECT payment_id, state FROM wrong_payments ORDER BY payment_id`,
		"payment %d", "its state, %s, differs from its postings", 1},
	{`SELECT chat, unit, amount FROM overdrawn_boxes ORDER BY chat, unit`,
		"box of %s in %s", "it is overdrawn: %d", 2},
	{`SELECT table_id, account, SUM(amount) FROM ended_accounts WHERE table_id > $1 AND table_id <= $2
		GROUP BY table_id, account HAVING SUM(amount) <> 0 ORDER BY table_id, account`,
		"table %d", "the postings of %s differ by %d from the result", 1},
	{`SELECT table_id, state, results, seats FROM missing_results ORDER BY table_id`,
		"table %d", "it is %s and has %d results for %d seats", 1},
	{`SELECT table_id, seat FROM wrong_differences ORDER BY table_id, seat`,
		"table %d", "the difference of seat %d does not follow from the scores", 1},
	{`SELECT table_id, state FROM untimed_tables ORDER BY table_id`,
		"table %d", "its state, %s, contradicts the time of its end", 1},
	{`SELECT t.id, t.season FROM tables t JOIN seasons s ON s.id = t.season WHERE s.chat <> t.chat ORDER BY t.id`,
		"table %d", "it counts in season %d of another chat", 1},
	{`SELECT s.id, s.final_table FROM seasons s LEFT JOIN tables t ON t.id = s.final_table AND t.chat = s.chat
			AND t.state = 'over'
		WHERE s.final_table > 0 AND t.id IS NULL ORDER BY s.id`,
		"season %d", "table %d, its final, is not over or belongs to another chat", 1},
	{`SELECT s.id, s.chat FROM seasons s WHERE s.due > 0 AND EXISTS (SELECT 1 FROM seasons n WHERE n.chat = s.chat
			AND n.id <> s.id AND n.due > 0) ORDER BY s.id`,
		"season %d", "it is not the only one of %s that has to end", 1},
	{`SELECT table_id, state FROM stray_reviews ORDER BY table_id`,
		"table %d", "its review, %s, does not match its state, chat and seats", 1},
	{`SELECT table_id, seat, missing FROM wrong_reviews ORDER BY table_id, seat`,
		"table %d", "the parts of its review miss the result of seat %d by %d billionths", 1},
	{`SELECT p.id, p.chat, r.chat FROM puzzles p JOIN reviews r ON r.table_id = p.table_id WHERE p.chat <> r.chat
		ORDER BY p.id`,
		"puzzle %d", "it belongs to chat %s, its table to %s", 1},
	{`SELECT table_id, COUNT(*), MIN(number), MAX(number) FROM moves GROUP BY table_id
		HAVING MIN(number) <> 1 OR MAX(number) <> COUNT(*) ORDER BY table_id`,
		"table %d", "its %d moves are numbered from %d to %d", 1},
	{`SELECT t.id, t.turn, COUNT(m.number) FROM tables t LEFT JOIN moves m ON m.table_id = t.id
		WHERE NOT t.bare
		GROUP BY t.id, t.turn HAVING t.turn <> COUNT(m.number) ORDER BY t.id`,
		"table %d", "it counts %d moves, but has %d", 1},
	{`SELECT table_id, state, moves FROM stray_moves ORDER BY table_id`,
		"table %d", "it is %s and should have no moves, but has %d", 1},
	{`SELECT s.table_id, COUNT(*), MAX(s.seat) FROM seats s GROUP BY s.table_id HAVING COUNT(*) <> MAX(s.seat) + 1
		ORDER BY s.table_id`,
		"table %d", "its %d seats are numbered up to %d", 1},
	{`SELECT t.id, b.drawn, t.version FROM tables t JOIN boards b ON b.table_id = t.id WHERE b.drawn > t.version
		ORDER BY t.id`,
		"table %d", "its board shows version %d, but there are only %d", 1},
	{`SELECT t.id FROM tables t LEFT JOIN boards b ON b.table_id = t.id AND b.place = t.place
		WHERE b.table_id IS NULL OR (b.behind IS NULL) <> (b.drawn >= t.version) ORDER BY t.id`,
		"table %d", "it has no board at its place, or the board is wrongly marked as stale or current", 1},
	{`SELECT place, COUNT(*) FROM tables WHERE state IN ('lobby', 'playing') GROUP BY place HAVING COUNT(*) > 1
		ORDER BY place`,
		"place %s", "%d tables are active there at once", 1},
	{`SELECT id, state FROM tables WHERE waits AND state <> 'playing' ORDER BY id`,
		"table %d", "it waits for a computer, but is %s", 1},
	{`SELECT t.id, h.name FROM tables t JOIN house_rules h ON h.id = t.house_rules WHERE h.chat <> t.chat
		OR h.game <> t.game ORDER BY t.id`,
		"table %d", "the house rules %s belong to another chat or game", 1},
	{`SELECT s.table_id, s.seat FROM seats s JOIN tables t ON t.id = s.table_id
		WHERE s.ends AND (t.state NOT IN ('lobby', 'playing') OR s.player IS NULL OR NOT s.confirmed) 
		ORDER BY s.table_id, s.seat`,
		"table %d", "seat %d has voted to end it, but cannot vote", 1},
	{`SELECT id, state FROM tables WHERE (voided OR voider IS NOT NULL) AND state <> 'over' ORDER BY id`,
		"table %d", "it is %s, but voided or about to be voided", 1},
	{`SELECT table_id, state FROM stray_calls ORDER BY table_id`,
		"table %d", "it has a pending reminder, but is %s", 1},
	{`SELECT id FROM tables WHERE saved IS NULL AND state IN ('playing', 'over') ORDER BY id`,
		"table %d", "it has begun, but its match is missing", 1},
	{`SELECT id FROM players WHERE person IS NULL ORDER BY id`,
		"player %s", "it belongs to no person", 1},
	{`SELECT id FROM persons p WHERE NOT EXISTS (SELECT 1 FROM players WHERE id = p.id AND person = p.id) ORDER BY id`,
		"person %s", "no player of this id belongs to it", 1},
}

// Check returns the violated invariants of the file, the references, the books, the results and the moves. It does not
// replay moves, because this package knows no games. An error means that Check itself failed.
func (s *Store) Check(ctx context.Context) ([]Fault, error) {
	wrong, err := s.database.Faults(ctx)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	var faults []Fault
	for _, what := range wrong {
		faults = append(faults, Fault{Where: "file", What: what})
	}
	err = s.View(ctx, func(tx *Tx) error {
		strays, err := tx.db.StrayReferences()
		if err != nil {
			return err
		}
		references := invariant{strays, "rows of %s", "%d of them refer to missing rows", 1}
		for _, inv := range append([]invariant{references}, invariants...) {
			if err := ctx.Err(); err != nil {
				return err
			}
			found, err := tx.Upkeep.check(inv)
			if err != nil {
				return err
			}
			faults = append(faults, found...)
		}
		unread, err := tx.Upkeep.undecryptable()
		faults = append(faults, unread...)
		if err != nil || len(unread) > 0 {
			return err
		}
		wrong, err := tx.Scores.WrongTotals(ctx, nil)
		for _, f := range wrong[:min(len(wrong), faultsShown)] {
			f.What += ": run knobel doctor --mend to correct them"
			faults = append(faults, f)
		}
		return err
	})
	if errors.Is(err, engine.ErrDamaged) {
		return append(faults, Fault{Where: "file", What: err.Error()}), nil
	}
	return faults, wrapped(err, "check")
}

// checkedAtOnce is how many tables one query of check covers: the database may need to group their rows in memory.
const checkedAtOnce = 20_000

// check returns the violations of the invariant inv, but at most the first faultsShown.
func (tx Upkeep) check(inv invariant) (faults []Fault, err error) {
	if !strings.Contains(inv.query, "$1") {
		return tx.violations(inv, nil)
	}
	for above := int64(math.MinInt64); above < math.MaxInt64 && len(faults) < faultsShown; {
		upTo := int64(math.MaxInt64)
		err := tx.get(`SELECT id FROM tables WHERE id > $1 ORDER BY id LIMIT 1 OFFSET $2`, []any{above, checkedAtOnce}, &upTo)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		found, err := tx.violations(inv, []any{above, upTo})
		if err != nil {
			return nil, err
		}
		above, faults = upTo, append(faults, found...)
	}
	return faults[:min(len(faults), faultsShown)], nil
}

// violations returns the faults that the query of inv finds with the arguments args, but at most the first faultsShown.
func (tx Upkeep) violations(inv invariant, args []any) ([]Fault, error) {
	var faults []Fault
	err := tx.rows(inv.query, args, func(row engine.Row) error {
		values, err := row.Values()
		if err != nil {
			return err
		}
		for i, value := range values {
			values[i] = tx.decryptValue(value)
		}
		faults = append(faults, Fault{
			Where: fmt.Sprintf(inv.where, values[:inv.whereColumns]...),
			What:  fmt.Sprintf(inv.what, values[inv.whereColumns:]...),
		})
		if len(faults) == faultsShown {
			return engine.ErrStop
		}
		return nil
	})
	return faults, err
}

// undecryptable returns a fault for each encrypted column with texts that the database's key, if any, cannot decrypt.
func (tx Upkeep) undecryptable() ([]Fault, error) {
	if tx.store.key == nil {
		return nil, nil
	}
	var faults []Fault
	key := newConverter(tx.store.key)
	for _, column := range slices.Sorted(maps.Keys(sealedColumns)) {
		table, name, _ := strings.Cut(column, ".")
		wrong, all := 0, 0 // counts every row: for DISTINCT the database would keep all texts in memory
		err := tx.rows(`SELECT `+name+` FROM `+table+` WHERE `+name+` IS NOT NULL`, nil, func(row engine.Row) error {
			var text []byte // bytes, which a column of text can be read into as well
			err := row.Scan(&text)
			if _, failed := key.convert(conversion{sealedColumns[column], string(text), true}); failed != nil {
				wrong++
			}
			all++
			return err
		})
		if err != nil {
			return faults, err
		}
		if wrong > 0 {
			faults = append(faults, Fault{Where: "column " + column,
				What: fmt.Sprintf("%d of its %d texts are not encrypted with the key of the database", wrong, all)})
		}
	}
	return faults, nil
}

// decryptValue returns a value for the text of a fault: an encrypted account, id or name decrypted, any other as it is.
func (tx Upkeep) decryptValue(value any) any {
	text, ok := value.(string)
	if !ok || tx.store.key == nil {
		return value
	}
	for _, c := range []content{isAccount, isID, isName} {
		opened, err := c.convert(tx.store.key, Sealer.Open, text)
		if err == nil && opened != text {
			return opened
		}
	}
	return value
}

// Figures holds numbers for metrics: how much work is unfinished, and the size of the database.
type Figures struct {
	Lobby, Playing int64            // tables in the lobby, and in play
	House          int64            // tables at which a computer player has the turn
	Clocks, Late   int64            // tables with a deadline, and those that the clock has to handle now
	Reviews        int64            // finished tables whose review is still to be computed
	Lagging        map[string]Delay // stale boards by platform, given as the prefix of its ids
	Pushes         map[string]int64 // pushes by outcome, as PushCounts returns them
	Pushed         int64            // subscriptions to pushes
	File, Log      int64            // bytes of the database and of its write-ahead log
}

// Delay holds the number of stale boards of a platform, and since when.
type Delay struct {
	Boards int64
	Since  int64 // when the longest stale board became stale, Unix milliseconds; 0: no board is stale
}

// Queries that count unfinished work. Their conditions match indexes that contain only unfinished rows.
const (
	inLobby = `SELECT COUNT(*) FROM tables WHERE state = 'lobby' AND state IN ('lobby', 'playing')`
	inGame  = `SELECT COUNT(*) FROM tables WHERE state = 'playing' AND state IN ('lobby', 'playing')`
	atHouse = `SELECT COUNT(*) FROM tables WHERE waits AND id > 0`
	clocks  = `SELECT COUNT(*) FROM ` + clocked + ` > 0`
	late    = `SELECT COUNT(*) FROM ` + clocked + ` <= $1`
	reviews = `SELECT COUNT(*) FROM reviews WHERE state = 'wanted' AND table_id > 0`

	unfinished = `SELECT (` + inLobby + `), (` + inGame + `), (` + atHouse + `), (` + clocks + `), (` + late + `), (` +
		reviews + `)`
)

// behindOf selects how many boards on the platform whose ids begin with $1 are stale, and when the first of them became
// stale. It reads an index that contains only stale boards.
const behindOf = `
	SELECT COUNT(*), COALESCE(MIN(behind), 0) FROM boards
	WHERE behind IS NOT NULL AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1`

// Figures returns how much work is unfinished at the time now, in Unix milliseconds, and the size of the database.
// Lagging has an entry for each of prefixes, the beginnings of platforms' ids. Figures reads only small indexes.
func (s *Store) Figures(ctx context.Context, now int64, prefixes ...string) (Figures, error) {
	f := Figures{Lagging: map[string]Delay{}}
	err := s.View(ctx, func(tx *Tx) error {
		err := tx.get(unfinished, []any{now}, &f.Lobby, &f.Playing, &f.House, &f.Clocks, &f.Late, &f.Reviews)
		if err != nil {
			return err
		}
		for _, prefix := range prefixes {
			var d Delay
			if err := tx.get(behindOf, []any{prefix}, &d.Boards, &d.Since); err != nil {
				return err
			}
			f.Lagging[prefix] = d
		}
		f.Pushes, f.Pushed, err = tx.Rooms.PushCounts()
		return err
	})
	if err == nil {
		f.File, f.Log, err = s.Size()
	}
	return f, wrapped(err, "figures")
}

// settingProbe is the name of the setting that Probe writes.
const settingProbe = "probe"

// Probe commits a small change and returns its error: nil means that the database accepts changes. The change adds 1 to
// a counter, because writing an unchanged value might be skipped.
func (s *Store) Probe(ctx context.Context) error {
	return s.UpdateOf(ctx, OfSetting(settingProbe), func(tx *Tx) error {
		last, err := tx.Chats.Setting(settingProbe)
		if err != nil {
			return err
		}
		n, _ := strconv.ParseInt(last, 10, 64) // 0 if the value is not a number
		return tx.Chats.SaveSetting(settingProbe, strconv.FormatInt(n+1, 10))
	})
}
