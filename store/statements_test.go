package store

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"knobel/store/engine"
)

// narrowed lists the allowed scans of a query: views and subqueries with conditions inside, and two kinds of totals.
var narrowed = []string{"ended_accounts", "recounted_totals", "lately",
	"CONSTANT ROW", "k"}

// TestPressesReadByIndex checks that the queries of a press use indexes, and so stay fast in a large database.
func TestPressesReadByIndex(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	check(t, err)
	defer s.Close()
	for _, query := range []string{
		lagging,
		waiting,
		due,
		dueOn,
		nextDue,
		presentCall,
		dueCalls,
		overCalls,
		nextCall,
		lastMoveOf,
		lastOfOthers,
		lastIsAuto,
		activeTables,
		asked,
		idleTables,
		`SELECT name, value FROM chat_settings WHERE chat = $1`,
		wantedReviews,
		olderMoves,
		inLobby, inGame, clocks, late, atHouse, reviews, behindOf,
		laggingPuzzles,
		unsettledAt,
		lastPlace, sessionByPrint, ticketSession, oldSessions, dropSessions, dropTickets, dropLaunches,
		standingTables, standingPuzzles, standingCalls, standingSaid, dropSaid,
		unbalanced,
		overdrawn,
		balancesIn,
		paidIn,
		uncountedFaces,
		facesOf,
		wonByEvening,
		wonByTable,
		`SELECT 1 FROM wrong_payments WHERE payment_id = $1`,
		selectPayment + `chat = $1 AND state = $2 ORDER BY id DESC LIMIT 3`,
		`SELECT DISTINCT unit FROM accounts WHERE chat = $1 ORDER BY unit`,
		`SELECT 1 FROM missing_results WHERE table_id = $1`,
		`SELECT 1 FROM wrong_differences WHERE table_id = $1`,
		`SELECT 1 FROM untimed_tables WHERE table_id = $1`,
		`SELECT * FROM counted_results WHERE table_id = $1`,
		presentSeason,
		dueSeasons, nextSeason,
		spelled(Wanted{Period: AllTime()}),
		spelled(Wanted{Period: Evenings(1, 7), Game: "shutbox", Unit: "chips"}),
		spelled(Wanted{Period: OfSeason(1)}),
		eveningBefore,
		`SELECT player, hidden, gone FROM unlisted WHERE chat = $1`,
		duel,
		lastInChat,
		firstGame,
		firstGamesAt,
		movesBySeat,
		namesAt,
		personsAt,
		series,
		opponents,
		uncounted,
		`SELECT * FROM recounted_totals WHERE chat = $1`,
		fmt.Sprintf(selectTotals, "totals"),
		fmt.Sprintf(selectTotals, "counted_results"),
		`SELECT id FROM tables WHERE place = $1 AND state IN ('lobby', 'playing')`,
		`SELECT id FROM tables WHERE place = $1 ORDER BY id DESC LIMIT 1`,
		tableHere,
		`SELECT id FROM updates WHERE at < $1 ORDER BY at LIMIT $2`,
	} {
		steps, err := s.plan(t, query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if len(steps) == 0 {
			t.Errorf("%s has no plan", query)
		}
		for _, step := range steps {
			scanned, ok := strings.CutPrefix(step, "SCAN ")
			if ok && !strings.Contains(scanned, "_lagging") && !slices.Contains(narrowed, scanned) {
				t.Errorf("%s\nreads all of %s", query, scanned)
			}
		}
	}
}

// TestOwnLinesOfTheBooksAreReadByIndex checks that About reads only the person's entries of the books.
func TestOwnLinesOfTheBooksAreReadByIndex(t *testing.T) {
	s := opened(t)
	for _, q := range personQueries {
		if q.table != "entries" {
			continue
		}
		steps, err := s.plan(t, q.query)
		if err != nil || !slices.Contains(steps, "SEARCH e USING INDEX entries_by_account (account_id=?)") {
			t.Errorf("%v, %v", steps, err)
		}
	}
}

// spelled returns the SQL text of the query for the standings that w selects.
func spelled(w Wanted) string {
	query, _ := standingsQuery(w)
	return query
}

// TestLeaderboardsAreOneRange checks that a leaderboard reads one range of the totals' key in its order.
func TestLeaderboardsAreOneRange(t *testing.T) {
	s := opened(t)
	for _, w := range []Wanted{{Period: OfSeason(1)}, {Period: AllTime()},
		{Period: Evenings(1, 31), Game: "shutbox", Unit: "chips"}} {
		steps, err := s.plan(t, spelled(w))
		if err != nil || len(steps) < 2 ||
			!strings.HasPrefix(steps[0], "SEARCH t USING INDEX sqlite_autoindex_totals_1 (chat=? AND kind=? AND "+
				"period") ||
			!strings.HasPrefix(steps[1], "SEARCH p USING INDEX") {
			t.Errorf("%+v: %v, %v", w, steps, err)
		}
		if w.Period == OfSeason(1) && len(steps) != 2 {
			t.Errorf("it is sorted: %v", steps)
		}
	}
}

// plan returns the steps of SQLite's plan for a query.
func (s *Store) plan(t *testing.T, query string) (steps []string, err error) {
	err = s.View(t.Context(), func(tx *Tx) error {
		return tx.rows("EXPLAIN QUERY PLAN "+query, []any{1, 2, 3, 4, 5, 6, 7, 8}, func(row engine.Row) error {
			var id, parent, unused int
			var step string
			err := row.Scan(&id, &parent, &unused, &step)
			steps = append(steps, step)
			return err
		})
	})
	return steps, err
}

// TestTheDeskKnowsWhatChangesTables compares changesTables, for each complete statement in the source, with the tables
// that SQLite opens for writing.
func TestTheDeskKnowsWhatChangesTables(t *testing.T) {
	s := opened(t)
	atHand := map[int64]bool{} // cached tables, by the first page of each in the file
	err := s.View(t.Context(), func(tx *Tx) error {
		pages, err := collect[int64](tx, doing("read pages"),
			`SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name IN ('tables', 'seats', 'boards')`)
		for _, page := range pages {
			atHand[page] = true
		}
		return err
	})
	if err != nil || len(atHand) != 3 {
		t.Fatalf("tables begin at %v: %v", atHand, err)
	}
	found := 0
	for _, query := range append(statements(t), insertTable, updateStates, updateTerms, saveSeat) {
		changes := false
		for _, page := range s.opens(t, query) {
			changes = changes || atHand[page]
		}
		if known := changesTables.MatchString(query); changes && !known &&
			!strings.HasPrefix(query, "INSERT INTO tables ") {
			t.Errorf("the desk does not know that this changes tables: %s", query)
		}
		if changes {
			found++
		}
	}
	if found < 10 {
		t.Errorf("only %d statements were found that change tables", found)
	}
}

// changing matches texts that may be statements that change something.
var changing = regexp.MustCompile(`^(INSERT|REPLACE|UPDATE|DELETE|WITH)\b`)

// statements returns the texts in the package's source that may be SQL statements that change something.
func statements(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	check(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		check(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				said, err := strconv.Unquote(text.Value)
				if said = strings.TrimSpace(said); err == nil && changing.MatchString(said) {
					all = append(all, said)
				}
			}
			return true
		})
	}
	return all
}

// opens returns the numbers of the first pages of the tables and indexes to which a statement writes; nil: none.
func (s *Store) opens(t *testing.T, query string) (pages []int64) {
	t.Helper()
	_ = s.View(t.Context(), func(tx *Tx) error {
		args := make([]any, strings.Count(query, "$"))
		return tx.rows("EXPLAIN "+query, args, func(row engine.Row) error {
			var code string
			var page int64
			var address, p1, p3, p4, p5, comment any
			err := row.Scan(&address, &code, &p1, &page, &p3, &p4, &p5, &comment)
			if err == nil && code == "OpenWrite" {
				pages = append(pages, page)
			}
			return err
		})
	})
	return pages
}
