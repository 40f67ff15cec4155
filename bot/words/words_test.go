package words_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"knobel/bot/words"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
)

func newWords(t *testing.T, files map[string]string) *words.Words {
	t.Helper()
	system := fstest.MapFS{}
	for name, text := range files {
		system[name] = &fstest.MapFile{Data: []byte(text)}
	}
	w, err := words.New(system)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	w, err := words.New(coin.Game{}.Words(), shutbox.Game{}.Words())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.Languages(), " "); got != "en de" {
		t.Errorf("speaks %q, want en de", got)
	}
	for _, fault := range w.Check() {
		t.Error(fault)
	}
}

// One file a language holds all that the bot says; a second one would hide.
func TestOneFileForEachLanguage(t *testing.T) {
	w := newWords(t, nil)
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) != len(w.Languages()) {
		t.Errorf("%v are the files of %v: merge them, %v", files, w.Languages(), err)
	}
	for _, code := range w.Languages() {
		if l := w.Language(code); l.Name == "" || l.Name == code || len(l.Locales) == 0 {
			t.Errorf("%s begins with its own name and its locales, not %+v", code, l)
		}
	}
}

func TestCheckFindsForms(t *testing.T) {
	w := newWords(t, map[string]string{
		"en.toml": "[x.tiles]\none = '{{.N}} tile'\nother = '{{.N}} tiles'",
		"pl.toml": "[x.tiles]\none = '{{.N}} kafelek'\nother = '{{.N}} kafelka'",
	})
	if got := strings.Join(w.Check(), "\n"); !strings.Contains(got, "x.tiles in pl has no form for 0") {
		t.Errorf("that Polish has few and many is not found in\n%.300s", got)
	}
}

func TestCheckFindsFaults(t *testing.T) {
	w := newWords(t, map[string]string{
		"en.toml":        "[x]\nboth = 'a {{.N}}'\nonly-en = 'b'\nbroken = '{{.N'\nclever = '{{len .N}}'",
		"extra.de.toml":  "[x]\nboth = 'a {{.M}}'\nonly-de = 'c'\nbroken = 'd'\nclever = 'e'",
		"ignored.txt":    "no words",
		"below/fr.toml":  "[x]\nboth = 'not in the root'",
		"another.en.txt": "",
	})
	got := strings.Join(w.Check(), "\n")
	for _, want := range []string{
		"de lacks x.only-en", "x.only-de stands only in de", "x.both uses [M] in de and [N] in en",
		"x.broken in en: ", "x.clever in en: {{len .N}} is more than an argument",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not found in\n%s", want, got)
		}
	}
}

func TestKeysStandOnce(t *testing.T) {
	_, err := words.New(fstest.MapFS{
		"a.en.toml": {Data: []byte("[x]\ny = 'one way'")},
		"b.en.toml": {Data: []byte("[x]\ny = 'another'")},
	})
	if err == nil || !strings.Contains(err.Error(), "x.y stands twice") {
		t.Errorf("error %v", err)
	}
}

func TestArgumentsByType(t *testing.T) {
	w := newWords(t, map[string]string{
		"en.toml": "[x]\nsays = '{{.A}}!'\nword = 'fine'\nwith = 'about {{.B}}'\n[x.tiles]\none = '{{.N}} tile'\nother = '{{.N}} tiles'",
		"de.toml": "[x]\nsays = '{{.A}}!'\nword = 'fein'\nwith = 'um {{.B}}'\n[x.tiles]\none = '{{.N}} Klappe'\nother = '{{.N}} Klappen'",
	})
	anna := words.Context{Name: func(s games.Seat) string { return []string{"Anna", "{{.N}}<b>"}[s] }}
	for _, c := range []struct {
		arg    any
		en, de string
	}{
		{games.Seat(0), "Anna!", "Anna!"},
		{games.Seat(1), "{{.N}}<b>!", "{{.N}}<b>!"},
		{games.Faces{5, 6}, "5 and 6!", "5 und 6!"},
		{games.Faces{5, 6, 1}, "5, 6 and 1!", "5, 6 und 1!"},
		{games.Faces{}, "!", "!"},
		{games.Tiles{2, 9}, "9+2!", "9+2!"},
		{games.Word("x.word"), "fine!", "fein!"},
		{games.Say("x.with", games.Args{"B": games.Word("x.word")}), "about fine!", "um fein!"},
		{games.List{games.Say("x.word", nil), games.Say("x.tiles", games.Args{"N": 2})}, "fine and 2 tiles!", "fein und 2 Klappen!"},
		{games.Say("x.tiles", games.Args{"N": 1}), "1 tile!", "1 Klappe!"},
		{games.Say("x.tiles", games.Args{"N": 0}), "0 tiles!", "0 Klappen!"},
		{-3, "-3!", "-3!"},
		{int64(7), "7!", "7!"},
		{"{{.A}}", "{{.A}}!", "{{.A}}!"},
	} {
		line := games.Say("x.says", games.Args{"A": c.arg})
		if got := w.Say("en", line, anna); got != c.en {
			t.Errorf("%#v in English: %q, want %q", c.arg, got, c.en)
		}
		if got := w.Say("de", line, anna); got != c.de {
			t.Errorf("%#v in German: %q, want %q", c.arg, got, c.de)
		}
	}
}

func TestWhatCannotBeSaid(t *testing.T) {
	w := newWords(t, map[string]string{"en.toml": "[x]\nsays = '{{.A}}!'\n", "de.toml": ""})
	for name, line := range map[string]games.Line{
		"x.nothing": games.Say("x.nothing", nil),
		"x.says":    games.Say("x.says", nil), // lacks A
	} {
		if _, err := w.TrySay("en", line, words.Context{}); err == nil {
			t.Errorf("%s is said", name)
		}
		if got := w.Say("en", line, words.Context{}); got != name {
			t.Errorf("says %q, want the key %q", got, name)
		}
	}
	if _, err := w.TrySay("en", games.Say("x.says", games.Args{"A": 1.5}), words.Context{}); err == nil {
		t.Error("a float is said")
	}
	if got := w.Say("de", games.Say("x.says", games.Args{"A": 1}), words.Context{}); got != "1!" {
		t.Errorf("a language that lacks a sentence says %q", got)
	}
}

func TestMatch(t *testing.T) {
	w := newWords(t, nil)
	for _, c := range []struct{ asked, want string }{
		{"de", "de"}, {"de-AT", "de"}, {"de-CH-1996", "de"}, {"en-GB", "en"}, {"en", "en"},
		{"fr", ""}, {"", ""}, {"no such language", ""}, {"\x00", ""},
	} {
		if got := w.Match(c.asked); got != c.want {
			t.Errorf("asked for %q, got %q, want %q", c.asked, got, c.want)
		}
	}
	if got := w.Match("fr", "", "de", "en"); got != "de" {
		t.Errorf("the first that there is, is %q, want de", got)
	}
}
