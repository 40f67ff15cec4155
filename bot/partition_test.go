package bot_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/fakes"
	"knobel/store/engine/postgrestest"
)

// TestStatementsOfAPressNameTheirChat reads in the server's log what a press and its board ask, and lists the tables
// that are asked for without the chat: docs/scale.md says how each would be divided where chats are on several servers.
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
	before := len(logged(t, server))
	for range 4 {
		press()
	}
	statements := statementsIn(logged(t, server)[before:])
	divided(t, statements, []string{"calls", "leases", "moves", "players", "seats", "tables", "updates"})
	if len(statements) < 20 {
		t.Errorf("there are only %d statements", len(statements))
	}
}

// TestStatementsOfAnEveningNameTheirChat is the same for what some people do in three chats: they open tables, play to
// the end and again, settle, look back and leave, and one gives every command.
func TestStatementsOfAnEveningNameTheirChat(t *testing.T) {
	bare.Beside(t)
	w := bare.NewScriptWriter(t, 1)
	for range 200 {
		w.Adds()
	}
	server := postgrestest.New(t, nil, "log_statement=all")
	h := bare.ScriptHouse(t, server.Address(server.Database(t, "")), fakes.NewClockAt(bare.ScriptBegins, false))
	before := len(logged(t, server))
	for _, c := range w.Cues {
		h.Clock.Advance(c.When.Sub(h.Clock.Now()))
		h.Seeds.(*bare.FromEvent).Is(c.Ev.ID)
		if told := bare.Answers(t, h.Bot.Handle(t.Context(), c.Ev)); c.Comes == bare.ComesOnce && told != c.Told {
			t.Fatalf("%s %s %s is answered\n%s\nand on a file\n%s", c.Ev.Name, c.Ev.Command, c.Ev.Press, told, c.Told)
		}
	}
	anna := h.Person("Anna")
	h.Events = w.Events // which have come
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
	divided(t, statementsIn(logged(t, server)[before:]), []string{"calls", "counted_results", "ended_accounts",
		"entries", "leases", "missing_results", "moves", "payments", "players", "postings", "puzzles",
		"results", "reviews", "seats", "tables", "totals", "untimed_tables", "updates", "wrong_differences",
		"wrong_payments"})
}

// named is how a statement names its chat.
var named = regexp.MustCompile(`\bchat = |\bFROM chats WHERE id|INTO chats\b|\([^()]*\bchat\b[^()]*\) VALUES`)

// divided checks which tables statements ask for without naming the chat, and that docs/scale.md speaks of these.
func divided(t *testing.T, statements, want []string) {
	t.Helper()
	without := map[string][]string{}
	of := regexp.MustCompile(`\b(?:FROM|JOIN|INTO|^UPDATE) ([a-z_]+)\b(?:[^(]|$)`)
	for _, statement := range statements {
		if named.MatchString(statement) {
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
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range want {
		if !strings.Contains(string(page), "`"+table+"`") {
			t.Errorf("docs/scale.md does not speak of %s", table)
		}
	}
}

// logged returns the server's log.
func logged(t *testing.T, server *postgrestest.Server) string {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(server.Folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
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
