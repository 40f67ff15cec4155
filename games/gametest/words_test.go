package gametest

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"knobel/games"
	"knobel/games/gametest/coin"
)

// edgeCoin is coin with an option "edge", and with text as each of its message files.
type edgeCoin struct {
	coin.Game
	text string
}

func (s edgeCoin) Options() []games.Option {
	return []games.Option{{Name: "edge", Values: []string{"falls", "stands"}}}
}

func (s edgeCoin) Words() fs.FS {
	return fstest.MapFS{"en.toml": {Data: []byte(s.text)}, "de.toml": {Data: []byte(s.text)}}
}

// TestKeysThatAreLookedUpForAGameAreThere checks the faults for keys that are missing in a language, and for keys of
// names that the game does not have.
func TestKeysThatAreLookedUpForAGameAreThere(t *testing.T) {
	whole := []string{
		`name = "Coin"`, `about = "one throw"`, `variant.classic.name = "classic"`, `variant.classic.about = "the one"`,
		`option.edge.name = "edge"`, `option.edge.about = "what an edge does"`, `house.random = "random"`,
		`first.throw = "Throw."`,
	}
	faults := func(lines []string) []string {
		g := edgeCoin{text: "[coin]\n" + strings.Join(lines, "\n")}
		w, _ := readWords(t, g)
		return w.checkNameKeys(g)
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
		`house.greedy = "x"`:                      "no house greedy",
		`first.chose = "x"`:                       "throw or choose",
		`option.edge.value.both = "Edge of both"`: `boards say "edge: "`,
	} {
		if found := faults(append(slices.Clone(whole), line)); len(found) != 2 || !strings.Contains(found[0], want) {
			t.Errorf("with %s: %q", line, found)
		}
	}
}

// draftCoin is coin with a language whose translation is not finished.
type draftCoin struct {
	coin.Game
	more string
}

func (b draftCoin) Words() fs.FS {
	return fstest.MapFS{
		"en.toml": {Data: []byte("[coin]\nname = 'Coin'\nabout = 'one throw'\nthrew = '{{.Seat}} threw {{.Face}}.'\n" +
			"[coin.again]\none = 'one more'\nother = '{{.N}} more'\n")},
		"xx.toml": {Data: []byte("[language]\ndraft = true\n\n[coin]\nname = 'Kan'\n# about = 'one throw'\n" + b.more)},
	}
}

func TestADraftMayLackSentences(t *testing.T) {
	if w, _ := readWords(t, draftCoin{}); w["xx"] != nil || w["en"]["coin.name"] == "" {
		t.Errorf("read are %q", w)
	}
}

// TestWhatADraftSaysIsChecked checks that the sentences of a draft are checked like those of a complete language.
func TestWhatADraftSaysIsChecked(t *testing.T) {
	for more, want := range map[string]string{
		"": "", "threw = '{{.Face}} von {{.Seat}}'\n": "", "[coin.again]\nother = 'noch {{.N}}'\n": "",
		"threw = '{{.Sitz}}: {{.Face}}'\n":   "coin.threw uses [Face Sitz] in xx and [Face Seat] in en",
		"threw = 'Wurf'\n":                   "coin.threw uses [] in xx and [Face Seat] in en",
		"nmae = 'Kan'\n":                     "coin.nmae stands only in xx",
		"[coin.again]\nother = 'noch mal'\n": "coin.again uses [] in xx and [N] in en",
	} {
		w, drafts := readWords(t, draftCoin{more: more})
		if got := strings.Join(w.compare(drafts), "\n"); got != want {
			t.Errorf("%q: %q, want %q", more, got, want)
		}
	}
}

// TestALanguageThatIsOfferedTooEarlyIsOneFault checks that a mostly untranslated language that is not a draft gives a
// single fault.
func TestALanguageThatIsOfferedTooEarlyIsOneFault(t *testing.T) {
	english := map[string]string{}
	for i := range maxNamed + 2 {
		english["coin."+strconv.Itoa(i)] = "a sentence"
	}
	w := words{"en": english, "fr": {"coin.1": "une phrase"}}
	want := []string{"fr lacks 6 sentences: put draft = true back, or run knobel words fr"}
	if got := w.dropUnfinished(); !slices.Equal(got, want) || w["fr"] != nil {
		t.Errorf("faults are %q, %d languages are left", got, len(w))
	}
}

// TestAHeadTellsADeadEnd checks that a head must mention how the last turn ended; only naming the next seat is a fault.
func TestAHeadTellsADeadEnd(t *testing.T) {
	next := games.Say("pig.to-throw", games.Args{"Seat": games.Seat(1)})
	lost := games.Say("pig.lost", games.Args{"Seat": games.Seat(0)})
	events := []games.Event{games.Event(lost)}
	if mentions([]games.Line{next}, 0, events) || !mentions([]games.Line{lost, next}, 0, events) {
		t.Error("a dead end is told where none is, or the other way round")
	}
}
