package bot_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// TestChatsPlayAtOnceOnAServer plays in many chats at the same time, on an engine that runs their changes concurrently:
// every game ends, and the payments are right.
func TestChatsPlayAtOnceOnAServer(t *testing.T) {
	h := bare.NewIn(t, storetest.OnServer(t), shutbox.Game{})
	chats, games := 4, 1
	if needs.IsLong() {
		chats, games = 8, 2
	}
	anna := h.Person("Anna") // she plays in all chats
	var all sync.WaitGroup
	for n := range chats {
		all.Go(func() {
			ben := h.Person(fmt.Sprint("Ben ", n))
			people := []*bare.Person{{House: h, Name: anna.Name, Locale: anna.Locale}, ben}
			for _, p := range people {
				p.Chat = chat.Chat(fmt.Sprint("test:at once ", n))
				p.Place = chat.Place(p.Chat + "/1")
			}
			for range games {
				people[0].Writes("/shutbox 10")
				ben.Sends(ben.Button("Join").Press)
				people[0].Presses("▶ Start")
				for people[0].Table().State == store.Playing {
					who, m := h.ToMove(people)
					h.Wait(bare.Leisure)
					if r := who.Sends(bare.Onward(m).Press); r.Refused {
						t.Errorf("%s: %q", r.Toast, bare.Onward(m).Label)
						return
					}
				}
			}
		})
	}
	all.Wait()
	over := 0
	err := h.Store.View(t.Context(), func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			t, err := tx.Tables.Table(id)
			if t.State == store.Over {
				over++
			}
			return err
		})
	})
	if err != nil || over != chats*games {
		t.Errorf("%d games of %d are over: %v", over, chats*games, err)
	}
	h.Sound()
	if log := h.Log.String(); log != "" {
		t.Error(log)
	}
}

// TestAPressWhoseCommitIsNotAnsweredCountsOnce loses the connection during commits: the person reads the usual answer,
// and the press counts once, whether the server has committed it or not.
func TestAPressWhoseCommitIsNotAnsweredCountsOnce(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)), bare.Relay{})
	s := h.Seat(0)
	cuts := []postgrestest.Cut{postgrestest.BeforeCommit, postgrestest.AfterCommit}
	if needs.IsLong() {
		cuts = append(slices.Repeat(cuts, 3), postgrestest.Silent)
	}
	for n, where := range cuts {
		h.Wait(bare.Leisure)
		before := h.Store.Commits().Failed
		turn := h.TableOf(1).Turn
		proxy.Cut(where)
		done := make(chan chat.Reply, 1)
		go func() { done <- h.Bot.Handle(context.Background(), s.Press()) }()
		if !h.Clock.Pass(bare.Leisure, func() bool { return len(done) == 1 }) {
			t.Fatal("no answer")
		}
		r := <-done
		if r.Refused || r.Board == 0 {
			t.Errorf("cut %d: %+v", where, r)
		}
		if now := h.TableOf(1).Turn; now != turn+1 || len(h.Moves(1)) != int(now) {
			t.Errorf("cut %d: turn %d follows on %d, and there are %d moves", where, now, turn, len(h.Moves(1)))
		}
		if failed := h.Store.Commits().Failed - before; failed != 1 || proxy.Cuts() != n+1 {
			t.Errorf("%d commits have failed, %d were cut", failed, proxy.Cuts())
		}
	}
	h.Sound()
}

// TestStatementsOfAPressNameTheirChat reads the statements of a press and its board from the server's log, and lists
// the tables that they read without naming the chat: docs/scale.md explains how each would be divided if chats were on
// several servers.
func TestStatementsOfAPressNameTheirChat(t *testing.T) {
	server := postgrestest.New(t, nil, "log_statement=all")
	h := bare.NewIn(t, server.Address(server.Database(t, "")), bare.Relay{})
	s := h.Seat(0)
	press := func() {
		h.Wait(bare.Leisure)
		if r := h.Bot.Handle(t.Context(), s.Press()); r.Refused {
			t.Fatalf("refused: %+v", r)
		}
		s.People[0].Board()
	}
	press()
	before := len(readLog(t, server))
	for range 4 {
		press()
	}
	statements := statementsIn(readLog(t, server)[before:])
	checkTablesWithoutChat(t, statements, []string{"boards", "calls", "leases", "moves", "players", "seats", "tables",
		"updates"})
	if len(statements) < 20 {
		t.Errorf("there are only %d statements", len(statements))
	}
}

// TestStatementsOfAnEveningNameTheirChat lists the tables read without naming the chat in an evening in three chats, in
// which people open tables, play to the end and again, settle, read reviews and leave, and one uses every command.
func TestStatementsOfAnEveningNameTheirChat(t *testing.T) {
	bare.Beside(t)
	w := bare.NewScriptWriter(t, 1)
	for range 200 {
		w.Adds()
	}
	server := postgrestest.New(t, nil, "log_statement=all")
	h := bare.ScriptHouse(t, server.Address(server.Database(t, "")), fakes.NewClockAt(bare.ScriptBegins, false))
	before := len(readLog(t, server))
	for _, c := range w.Cues {
		h.Clock.Advance(c.When.Sub(h.Clock.Now()))
		h.Seeds.(*bare.FromEvent).Is(c.Ev.ID)
		if told := bare.Answers(t, h.Bot.Handle(t.Context(), c.Ev)); c.Comes == bare.ComesOnce && told != c.Told {
			t.Fatalf("%s %s %s is answered\n%s\nand on a file\n%s", c.Ev.Name, c.Ev.Command, c.Ev.Press, told, c.Told)
		}
	}
	anna := h.Person("Anna")
	h.Events = w.Events // the number of events so far
	anna.Chat, anna.Place = "test:0", "test:0/1"
	for _, c := range h.Bot.AllCommands {
		if c.Name != "mydata" && c.Name != "forget" { // these are about a person in all chats
			anna.Writes("/" + c.Name)
		}
	}
	anna.Writes("/settings stake=5")
	anna.Writes("/settle paid 1 Ben")
	ben := h.Person("Ben")
	ben.Chat, ben.Place = anna.Chat, anna.Place
	ben.Writes("/settle got 1 Anna")
	checkTablesWithoutChat(t, statementsIn(readLog(t, server)[before:]), []string{"boards", "calls", "counted_results",
		"ended_accounts", "leases", "missing_results", "moves", "payments", "players", "puzzles",
		"results", "review_seats", "reviews", "seats", "tables", "totals", "untimed_tables", "updates",
		"wrong_differences", "wrong_payments"})
}

// namesChat matches a statement that names its chat.
var namesChat = regexp.MustCompile(`\bchat = |\bFROM chats WHERE id|INTO chats\b|\([^()]*\bchat\b[^()]*\) VALUES`)

// checkTablesWithoutChat checks that the statements read exactly the tables want without naming the chat, and that
// docs/scale.md mentions them.
func checkTablesWithoutChat(t *testing.T, statements, want []string) {
	t.Helper()
	without := map[string][]string{}
	of := regexp.MustCompile(`\b(?:FROM|JOIN|INTO|^UPDATE) ([a-z_]+)\b(?:[^(]|$)`)
	for _, statement := range statements {
		if namesChat.MatchString(statement) {
			continue
		}
		for _, m := range of.FindAllStringSubmatch(statement, -1) {
			without[m[1]] = append(without[m[1]], statement)
		}
	}
	if got := slices.Sorted(maps.Keys(without)); !slices.Equal(got, want) {
		t.Errorf("of %d statements those ask for %q without the chat, want %q: say in docs/scale.md how these are "+
			"divided", len(statements), got, want)
		for _, table := range got {
			if !slices.Contains(want, table) {
				t.Logf("%s:\n%s", table, strings.Join(without[table], "\n"))
			}
		}
	}
	page, err := os.ReadFile("../docs/scale.md")
	check(t, err)
	for _, table := range want {
		if !strings.Contains(string(page), "`"+table+"`") {
			t.Errorf("docs/scale.md does not speak of %s", table)
		}
	}
}

// readLog returns the server's log.
func readLog(t *testing.T, server *postgrestest.Server) string {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(server.Folder, "log"))
	check(t, err)
	return string(log)
}

// statementsIn returns the statements in a log, each once and in one line.
func statementsIn(log string) []string {
	all := map[string]bool{}
	log = strings.ReplaceAll(log, "\n\t", " ")
	for _, m := range regexp.MustCompile(`LOG:  (?:statement|execute [^:]*): (.*)`).FindAllStringSubmatch(log, -1) {
		all[strings.Join(strings.Fields(m[1]), " ")] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// TestAGameThroughAPooler plays a game to its end through a pooler in transaction mode, at the address in
// docs/operation.md: the payments are right, and nothing is logged.
func TestAGameThroughAPooler(t *testing.T) {
	server := postgrestest.Need(t)
	port := server.Pooler(t)
	address := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s?default_query_exec_mode=exec", port,
		server.Database(t, ""))
	h := bare.NewIn(t, address, shutbox.Game{})
	defer h.OnStage(bare.NewStage())()
	people := h.Gather("/shutbox 10 tiles=4", "Anna", "Ben")
	people[0].Presses("▶ Start")
	h.PressOut(people)
	now, sum := h.Stands("chips"), int64(0)
	for _, balance := range now {
		sum += balance
	}
	if won := []int64{now["player:test:Anna"], now["player:test:Ben"]}; sum != 0 ||
		!slices.Contains(won, 10) || !slices.Contains(won, -10) {
		t.Errorf("the balances are %v", now)
	}
	if table := people[0].Table(); table.State != store.Over || table.Turn == 0 {
		t.Errorf("the table is %s after %d moves", table.State, table.Turn)
	}
	h.Sound()
	if log := h.Log.String(); log != "" {
		t.Error(log)
	}
}

// check ends the test on an error.
var check = fakes.Check
