package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/store"
)

// A visitor of the browser page who guesses the table numbers of other chats can neither see nor change anything there.
func TestNothingOfOneChatIsSeenInAnother(t *testing.T) {
	t.Parallel()
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	st, _ := migratedDatabase(t, "testdata/schema5.sql") // a database of a real evening
	check(t, st.Backup(t.Context(), db, nil))
	s := start(t, build(t), listen, db)
	before := rowsOf(t, db)
	v := newVisitor(t, listen)
	if own := v.opens(t, "/shutbox"); own != 10 {
		t.Fatalf("the table of the room is %d", own)
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
	for _, table := range []int{1, 4} { // a finished and a running one
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

// hears returns the reply to a press or a command if posted is not nil, else to a request for a page.
func (v *visitor) hears(t *testing.T, path string, posted any) (status int, text string) {
	t.Helper()
	for {
		status, text = fetch(t, v.client, v.base+path, posted)
		if status != http.StatusTooManyRequests {
			return status, text
		}
	}
}

// rowsOf returns the rows of a database about the tables of all chats except the visitor's, web:room.
func rowsOf(t *testing.T, file string) string {
	t.Helper()
	return queryText(t, file, `SELECT (SELECT GROUP_CONCAT(id || state || turn || version || place || HEX(COALESCE(saved, '')), ';' ORDER BY id) FROM tables WHERE chat <> 'web:room')
		|| (SELECT GROUP_CONCAT(table_id || ' ' || number || move, ';' ORDER BY table_id, number) FROM moves WHERE table_id < 10)
		|| (SELECT GROUP_CONCAT(posting_id || ' ' || account_id || ' ' || amount, ';' ORDER BY posting_id, line) FROM entries)
		|| (SELECT COUNT(*) FROM payments)`)
}

// shownTable is a board shown on the page.
type shownTable struct {
	table   int64
	buttons bool
	at      int64
}

// tables returns the boards of the event stream in order, once the one of table newest is there with buttons.
func (v *visitor) tables(t *testing.T, newest int64) (all []shownTable) {
	t.Helper()
	boards := map[chat.Ref]shownTable{}
	found := false
	err := v.feed(t.Context(), func(data []byte) bool {
		var news news
		check(t, json.Unmarshal(data, &news))
		for _, e := range news.Entries {
			boards[e.Ref] = shownTable{e.Message.Table, len(e.Message.Buttons) > 0, e.At}
		}
		all = nil
		for _, ref := range news.All {
			all = append(all, boards[ref])
		}
		n := len(all)
		found = n > 0 && all[n-1].table == newest && all[n-1].buttons
		return !found
	})
	if !found {
		t.Fatalf("%v, with %+v", err, all)
	}
	return all
}

// After a restart the page shows earlier games again: the last five without buttons, and the board of the running one.
func TestGamesOfBeforeAreThereAfterARestart(t *testing.T) {
	t.Parallel()
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	st, err := store.Open(t.Context(), db)
	check(t, err)
	b := quietBot(t, st)
	room := &gathering{bot: b, chat: "web:room", place: "web:room"}
	const games = 7
	began := time.Now().Unix()
	for range games {
		room.open(t.Context(), "5", anna)
		room.play(t.Context(), 1000)
		check(t, b.Draw(t.Context(), room.table, false, func(_ context.Context, m chat.Message, _ chat.Ref) (chat.Ref,
			chat.Permit, error) {
			return chat.Ref(fmt.Sprint("web:before-", m.Table)), chat.Permit{}, nil // a message of an earlier run
		}))
	}
	if room.err != nil {
		t.Fatal(room.err)
	}
	closeOrFail(t, st)
	ended := time.Now().Unix()

	s := start(t, build(t), listen, db)
	v := newVisitor(t, listen)
	shows := func(when string, newest int64, want ...int64) {
		t.Helper()
		var tables []int64
		for _, one := range v.tables(t, newest) {
			tables = append(tables, one.table)
			if one.table != newest && (one.buttons || one.at < began || one.at > ended) {
				t.Errorf("%s table %d has buttons: %v, and ended at %d", when, one.table, one.buttons, one.at)
			}
		}
		if !slices.Equal(tables, want) {
			t.Errorf("%s the page shows tables %v", when, tables)
		}
	}
	shows("after a restart", games, 2, 3, 4, 5, 6, 7)
	if another := v.opens(t, "/shutbox"); another != games+1 {
		t.Fatalf("the other table is %d", another)
	}
	v.until(t, "Start")
	s.leave()

	s = start(t, build(t), listen, db)
	shows("with a lobby", games+1, 3, 4, 5, 6, 7, 8)
	s.leave()
}

// After erasure no data of a browser player is left in any file of the database, free pages and the log included.
func TestNothingIsLeftOfWhoIsForgottenInTheBrowser(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := filepath.Join(folder, "knobel.db")
	s := start(t, build(t), freePort(t), db)
	v := newVisitor(t, s.listen)
	command := func(id, text string) {
		t.Helper()
		if a, err := v.post("/command", map[string]any{"id": id, "as": 0, "text": text}); err != nil || a.Refused {
			t.Fatalf("%s: %v %+v", text, err, a)
		}
	}
	for i := range 40 { // more than fit on a page of the file
		command(fmt.Sprint("press-", i), "/stats")
	}
	command("open", "/shutbox 7")
	v.createRoom(t) // the player is its host
	person := queryText(t, db, `SELECT group_concat(id) FROM players`)
	own := fnv.New32a()
	own.Write([]byte(person))
	id := strings.Split(person, ":")[1]
	if _, err := v.post("/people", map[string]any{"rename": map[string]any{"n": 0, "name": "Adelgunde"}}); err != nil {
		t.Fatal(err)
	}
	if len(filesWith(t, folder, "Adelgunde")) == 0 {
		t.Fatal("their name was never there")
	}
	if len(filesWith(t, folder, id)) == 0 {
		t.Fatal("they were never there")
	}
	command("forget", fmt.Sprintf("/forget yes %08x", own.Sum32()))
	s.until("the file is written anew", func() bool { return len(filesWith(t, folder, id, "Adelgunde")) == 0 })
	s.leave()
	if found := filesWith(t, folder, id, "Adelgunde", "press-3"); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if said := s.said.String(); strings.Contains(said, id) || strings.Contains(said, "Adelgunde") {
		t.Errorf("the log tells who it was:\n%s", s.said)
	}
}

// filesWith returns the files in a folder that contain one of the texts.
func filesWith(t *testing.T, folder string, texts ...string) (found []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	check(t, err)
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found = append(found, text+" in "+file.Name())
			}
		}
	}
	return found
}

// No id appears in the log, whether in a value, an error or the message. Text that is not an id does.
func TestNoIDIsLogged(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		said := &fakes.Journal{}
		log := (&settings{log: format}).logger(world{err: said})
		log.With("place", "telegram:-1004711:0").Error("faces of telegram:4711 in discord:@4711",
			"error", fmt.Errorf("list %s in %s: %w", "web:4711abc:0", "discord:@:4711", os.ErrNotExist), "player",
			slog.AnyValue(told{Toast: "discord:4711"}))
		log.Info("discord: 17 shards", "place", "web:room", "table", 12)
		if strings.Contains(said.String(), "4711") {
			t.Errorf("an id is told:\n%s", said)
		}
		for _, want := range []string{"faces of telegram:… in discord:…",
			"list web:… in discord:…: file does not exist", "discord: 17 shards", "web:room", "12"} {
			if !strings.Contains(said.String(), want) {
				t.Errorf("%q is missing:\n%s", want, said)
			}
		}
	}
}
