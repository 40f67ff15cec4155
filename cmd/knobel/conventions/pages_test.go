package conventions

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// root is the path from this folder to the root of the repository.
const root = "../../.."

// document returns the text of a file, which is named relative to the root of the repository.
func document(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	check(t, err)
	return string(text)
}

// pages returns the files of the documentation, except the changelog.
func pages(t *testing.T) (all []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(found), err)
		}
		for _, file := range found {
			if name, err := filepath.Rel(root, file); err != nil {
				t.Fatal(err)
			} else if name != "CHANGELOG.md" {
				all = append(all, filepath.ToSlash(name))
			}
		}
	}
	return all
}

// page holds the parts of a documentation page that the tests check.
type page struct {
	headings, contents []string // headings of level 2; entries of the table of contents
	links              []string
	faults             []string
}

var (
	listed = regexp.MustCompile(`^- \[(.+)\]\(#(.+)\)$`)
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	item   = regexp.MustCompile(`^\s*(?:[-*]|\d+\.) `)
)

const (
	maxColumns   = 120 // of a line; rows of Markdown tables, which cannot be broken, may be longer
	maxParagraph = 6   // lines
	maxReadme    = 120
	maxGuide     = 150 // CONTRIBUTING: two pages of text, and the code of the smallest game
)

// parsePage returns the parts of a page. In code blocks it only checks the length of lines.
func parsePage(text string) (p page) {
	code, paragraph := false, 0
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		fence, row, heading := strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "|"),
			strings.HasPrefix(line, "#")
		if n := utf8.RuneCountInString(line); n > maxColumns && !row {
			p.faults = append(p.faults, fmt.Sprintf("line %d has %d columns", i+1, n))
		}
		if fence {
			code = !code
		}
		if code || fence || row || heading || trimmed == "" {
			paragraph = 0
		} else if paragraph++; item.MatchString(line) {
			paragraph = 1
		}
		if paragraph == maxParagraph+1 {
			p.faults = append(p.faults, fmt.Sprintf("the paragraph that ends at line %d or later is too long", i+1))
		}
		if code {
			continue
		}
		if title, ok := strings.CutPrefix(line, "## "); ok {
			p.headings = append(p.headings, title)
		}
		if m := listed.FindStringSubmatch(line); m != nil && len(p.headings) == 0 {
			p.contents = append(p.contents, m[1])
		}
		for _, m := range link.FindAllStringSubmatch(line, -1) {
			p.links = append(p.links, m[1])
		}
	}
	return p
}

// anchor returns the link fragment of a heading.
func anchor(heading string) string {
	kept := regexp.MustCompile(`[^\pL\pN_ -]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(kept, " ", "-")
}

// Lines and paragraphs of all pages are short. The READMEs and CONTRIBUTING are also short as a whole.
func TestPagesAreReadToTheEnd(t *testing.T) {
	for _, file := range pages(t) {
		for _, fault := range parsePage(document(t, file)).faults {
			t.Errorf("%s: %s", file, fault)
		}
	}
	for file, most := range map[string]int{"README.md": maxReadme, "README.de.md": maxReadme,
		"CONTRIBUTING.md": maxGuide} {
		if n := strings.Count(document(t, file), "\n"); n > most {
			t.Errorf("%s has %d lines, at most %d are read", file, n, most)
		}
	}
	long := parsePage(strings.Repeat("one line of many\n", maxParagraph+1) + "\n" + strings.Repeat("x", maxColumns+1))
	if fine := parsePage(strings.Repeat("- an item\n", 9) + "| " + strings.Repeat("x", 200) +
		" |\n"); len(long.faults) != 2 || len(fine.faults) != 0 {
		t.Errorf("found %q and %q", long.faults, fine.faults)
	}
}

// Every page except the READMEs begins with a list of its headings.
func TestContentsAreTheHeadings(t *testing.T) {
	for _, file := range pages(t) {
		p := parsePage(document(t, file))
		if !strings.HasPrefix(file, "README") && !slices.Equal(p.contents, p.headings) {
			t.Errorf("%s lists %q, its headings are %q", file, p.contents, p.headings)
		}
	}
}

// Every link between pages leads to an existing file and heading.
func TestLinksLeadSomewhere(t *testing.T) {
	followed := 0
	for _, file := range pages(t) {
		for _, to := range parsePage(document(t, file)).links {
			if strings.Contains(to, "://") {
				continue
			}
			followed++
			name, heading, _ := strings.Cut(to, "#")
			if name = filepath.Join(filepath.Dir(file), name); strings.HasPrefix(to, "#") {
				name = file
			}
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s links %s: %v", file, to, err)
				continue
			}
			if heading != "" && !slices.ContainsFunc(parsePage(document(t, name)).headings,
				func(h string) bool { return anchor(h) == heading }) {
				t.Errorf("%s links %s, where no heading is called so", file, to)
			}
		}
	}
	if followed < 50 {
		t.Errorf("only %d links are found", followed)
	}
}
