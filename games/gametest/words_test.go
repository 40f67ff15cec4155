package gametest

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"knobel/games"
	"knobel/games/gametest/coin"
)

// spelled is coin with an option, in other words.
type spelled struct {
	coin.Game
	text string
}

func (s spelled) Options() []games.Option {
	return []games.Option{{Name: "edge", Values: []string{"falls", "stands"}}}
}

func (s spelled) Words() fs.FS {
	return fstest.MapFS{"en.toml": {Data: []byte(s.text)}, "de.toml": {Data: []byte(s.text)}}
}

// TestKeysThatAreLookedUpForAGameAreThere in every language: what is missing is
// named, and what is about nothing.
func TestKeysThatAreLookedUpForAGameAreThere(t *testing.T) {
	whole := []string{
		`name = "Coin"`, `about = "one throw"`, `variant.classic.name = "classic"`, `variant.classic.about = "the one"`,
		`option.edge.name = "edge"`, `option.edge.about = "what an edge does"`, `house.random = "random"`,
		`first.throw = "Throw."`,
	}
	faults := func(lines []string) []string {
		g := spelled{text: "[coin]\n" + strings.Join(lines, "\n")}
		return readWords(t, g).lookedUp(g)
	}
	if found := faults(whole); len(found) > 0 {
		t.Errorf("nothing is missing, and yet: %q", found)
	}
	for i, line := range whole[:len(whole)-1] {
		key, _, _ := strings.Cut(line, " ")
		found := faults(slices.Delete(slices.Clone(whole), i, i+1))
		if len(found) != 2 || !strings.Contains(found[0], "lacks coin."+key+": ") {
			t.Errorf("without %s: %q", key, found)
		}
	}
	for line, want := range map[string]string{
		`variant.clasic.name = "x"`: "no variant clasic", `option.egde.about = "x"`: "no option egde",
		`house.greedy = "x"`: "no house greedy",
		`first.chose = "x"`:  "throw or choose",
	} {
		if found := faults(append(slices.Clone(whole), line)); len(found) != 2 || !strings.Contains(found[0], want) {
			t.Errorf("with %s: %q", line, found)
		}
	}
}

// begun is coin in a language that somebody is still translating.
type begun struct{ coin.Game }

func (begun) Words() fs.FS {
	return fstest.MapFS{
		"en.toml": {Data: []byte("[coin]\nname = 'Coin'\nabout = 'one throw'\n")},
		"xx.toml": {Data: []byte("[language]\ndraft = true\n\n[coin]\nname = 'Kan'\n# about = 'one throw'\n")},
	}
}

func TestADraftMayLackSentences(t *testing.T) {
	if w := readWords(t, begun{}); w["xx"] != nil || w["en"]["coin.name"] == "" {
		t.Errorf("read are %q", w)
	}
}
