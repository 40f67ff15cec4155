package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// A visitor of the browser table who guesses the numbers of what was played in
// other chats is told nothing of it, in whatever way they ask, and changes
// nothing there.
func TestNothingOfOneChatIsSeenInAnother(t *testing.T) {
	t.Parallel()
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	st, _ := upgraded(t, "testdata/schema5.sql") // of an evening that has ended well
	check(t, st.Backup(t.Context(), db, nil))
	s := start(t, build(t), listen, db)
	before := rowsOf(t, db)
	v := visits(t, listen)
	if a, err := v.post("/command", map[string]any{"id": "own", "as": 0, "text": "/shutbox"}); err != nil ||
		a.Board != 10 {
		t.Fatalf("a table of the room: %v %+v", err, a)
	}
	ask := func(path string, body any) {
		t.Helper()
		status, text := v.hears(t, path, body)
		for _, theirs := range []string{"Anna", "Ben", "Cléo", "telegram", "discord:", `"seed"`, "Seed:", "coffees"} {
			if strings.Contains(text, theirs) {
				t.Errorf("%s %v: %d, and tells of %s: %s", path, body, status, theirs, text)
			}
		}
	}
	for table := range 10 {
		ask(fmt.Sprint("/record?table=", table), nil)
	}
	for _, table := range []int{1, 4} { // one that is over, and one that goes on
		for _, what := range []string{
			"!join", "!start", "!end yes", "!vote yes", "!rematch", "!undo", "throw 2", "/fair", "/rules", "/table",
			"/review", "/hint", "/abandon",
		} {
			ask("/press", map[string]any{"id": fmt.Sprint(table, what), "as": 0,
				"press": fmt.Sprintf("1:%d:0:%s", table, what)})
		}
		for _, text := range []string{
			"/history %d", "/review %d", "/puzzle %d", "/bring %d", "/settle confirm %d", "/settle why #%d",
			"/settle paid 5 #%d #1", "/leaderboard period=%d", "/stats #%d", "/lb %d", "/renew %d",
		} {
			ask("/command", map[string]any{"id": fmt.Sprint(table, text), "as": 0, "text": fmt.Sprintf(text, table)})
		}
	}
	for _, text := range []string{"/leaderboard", "/leaderboard period=all", "/settle", "/history", "/stats", "/skill",
		"/mydata", "/privacy", "/doctor", "/house", "/news", "/puzzle", "/settle payments"} {
		ask("/command", map[string]any{"id": text, "as": 0, "text": text})
	}
	for _, typed := range []string{"/settle what=why_", "/settle what=paid_5_", "/stats player=", "/history game=",
		"/house what=", "/shutbox variant=", "/leaderboard period="} {
		ask("/complete?text="+strings.ReplaceAll(typed, " ", "+"), nil)
	}
	s.leave()
	if after := rowsOf(t, db); before != after {
		t.Errorf("what other chats have was\n%s\nand is\n%s", before, after)
	}
}

// hears returns what a visitor is answered: by a press or a command where there is a body, else by asking for a page.
func (v *visitor) hears(t *testing.T, path string, posted any) (status int, text string) {
	t.Helper()
	for {
		status, text = fetched(t, v.client, v.base+path, posted)
		if status != http.StatusTooManyRequests {
			return status, text
		}
	}
}

// rowsOf returns what a database holds of the tables of other chats than the room.
func rowsOf(t *testing.T, file string) string {
	t.Helper()
	return asks(t, file, `SELECT (SELECT GROUP_CONCAT(id || state || turn || version || place || HEX(COALESCE(saved, '')), ';' ORDER BY id) FROM tables WHERE chat <> 'web:room')
		|| (SELECT GROUP_CONCAT(table_id || ' ' || number || move, ';' ORDER BY table_id, number) FROM moves WHERE table_id < 10)
		|| (SELECT GROUP_CONCAT(posting_id || ' ' || account_id || ' ' || amount, ';' ORDER BY posting_id, line) FROM entries)
		|| (SELECT COUNT(*) FROM payments)`)
}
