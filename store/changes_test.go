package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The desk knows every statement that changes tables or seats: of each that stands
// whole in the source, SQLite itself is asked what it opens for writing.
func TestTheDeskKnowsWhatChangesTables(t *testing.T) {
	s := opened(t)
	atHand := map[int64]bool{} // by the page at which a table of the schema begins
	err := s.View(t.Context(), func(tx *Tx) error {
		pages, err := collect[int64](tx,
			`SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name IN ('tables', 'seats')`)
		for _, page := range pages {
			atHand[page] = true
		}
		return err
	})
	if err != nil || len(atHand) != 2 {
		t.Fatalf("tables begin at %v: %v", atHand, err)
	}
	found := 0
	for _, query := range statements(t) {
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

// changing finds what may be a statement that changes something.
var changing = regexp.MustCompile(`^(INSERT|REPLACE|UPDATE|DELETE|WITH)\b`)

// statements are the texts in the source of the package that may change something.
func statements(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
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

// opens are the pages at which that begins which a statement opens for writing;
// none for what is no statement.
func (s *Store) opens(t *testing.T, query string) (pages []int64) {
	t.Helper()
	_ = s.View(t.Context(), func(tx *Tx) error {
		args := make([]any, strings.Count(query, "$"))
		return tx.list("EXPLAIN "+query, args, func(scan func(...any) error) error {
			var code string
			var page int64
			var address, p1, p3, p4, p5, comment any
			err := scan(&address, &code, &p1, &page, &p3, &p4, &p5, &comment)
			if err == nil && code == "OpenWrite" {
				pages = append(pages, page)
			}
			return err
		})
	})
	return pages
}
