package bot_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/store/postgres/postgrestest"
)

// TestStatementsOfAPressNameTheirChat reads in the server's log what a press and its board ask, and lists the tables
// that are asked for without the chat: docs/scale.md says how each would be divided where chats are on several servers.
func TestStatementsOfAPressNameTheirChat(t *testing.T) {
	server := postgrestest.New(t, nil, "log_statement=all")
	h := newHouseIn(t, server.Address(server.Database(t, "")), relay{})
	s := h.seat(0)
	press := func() {
		h.wait(leisure)
		if r := h.bot.Handle(t.Context(), s.press()); r.Refused {
			t.Fatalf("refused: %+v", r)
		}
		s.people[0].board()
	}
	press()
	before := len(logged(t, server))
	for range 4 {
		press()
	}
	statements := statementsIn(logged(t, server)[before:])
	without := map[string]bool{}
	named := regexp.MustCompile(`\bchat = |\bFROM chats WHERE id|INTO chats\b|\([^()]*\bchat\b[^()]*\) VALUES`)
	of := regexp.MustCompile(`\b(?:FROM|JOIN|INTO|^UPDATE) ([a-z_]+)`)
	for _, statement := range statements {
		if named.MatchString(statement) {
			continue
		}
		for _, m := range of.FindAllStringSubmatch(statement, -1) {
			without[m[1]] = true
		}
	}
	want := []string{"calls", "leases", "moves", "players", "seats", "tables", "updates"}
	if got := slices.Sorted(maps.Keys(without)); !slices.Equal(got, want) || len(statements) < 20 {
		t.Errorf("of %d statements those ask for %q without the chat, want %q: say in docs/scale.md how these are "+
			"divided", len(statements), got, want)
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

// logged is the server's log.
func logged(t *testing.T, server *postgrestest.Server) string {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(server.Folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

// statementsIn are the statements in a log, each once and in one line.
func statementsIn(log string) []string {
	all := map[string]bool{}
	log = strings.ReplaceAll(log, "\n\t", " ")
	for _, m := range regexp.MustCompile(`LOG:  (?:statement|execute [^:]*): (.*)`).FindAllStringSubmatch(log, -1) {
		all[strings.Join(strings.Fields(m[1]), " ")] = true
	}
	return slices.Sorted(maps.Keys(all))
}
