package words_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"knobel/bot/fakes"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games"
)

// check ends the test on an error.
var check = fakes.Check

// newWords returns the sentences of test files together with the bot's own.
func newWords(t *testing.T, files map[string]string) *words.Words {
	t.Helper()
	return wordsBeside(t, words.Own, files)
}

// wordsBeside returns the sentences of test files together with those of the file system beside.
func wordsBeside(t *testing.T, beside fs.FS, files map[string]string) *words.Words {
	t.Helper()
	system := fstest.MapFS{}
	for name, text := range files {
		system[name] = &fstest.MapFile{Data: []byte(text)}
	}
	w, err := words.Read(beside, system)
	check(t, err)
	return w
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	tree := os.DirFS("../..")
	files, err := words.Sources(tree)
	if err != nil || len(files) < 14 || files[0] != "bot/words/en.toml" {
		t.Fatalf("the files are %q, %v", files, err)
	}
	var systems []fs.FS
	for _, file := range files {
		system, err := fs.Sub(tree, path.Dir(file))
		check(t, err)
		systems = append(systems, system)
	}
	w, err := words.Read(systems...)
	check(t, err)
	if got := w.Languages(); got[0] != "en" || !slices.Contains(got, "de") {
		t.Errorf("speaks %q, want en first, and de", got)
	}
	for _, lang := range w.Drafts() {
		said, all := w.Said(lang)
		t.Logf("%s: %d of %d", lang, said, all)
	}
	for _, fault := range wordstest.Check(w) {
		t.Error(fault)
	}
}

// Each language has one file with all sentences of the bot; a second one would be overlooked.
func TestOneFileForEachLanguage(t *testing.T) {
	w := newWords(t, nil)
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) != len(w.Languages())+len(w.Drafts()) {
		t.Errorf("%v are the files of %v and %v: merge them, %v", files, w.Languages(), w.Drafts(), err)
	}
	for _, code := range w.Languages() {
		if l := w.Language(code); l.Name == "" || l.Name == code || len(l.Locales) == 0 {
			t.Errorf("%s begins with its own name and its locales, not %+v", code, l)
		}
	}
}

func TestCheckFindsForms(t *testing.T) {
	w := wordsBeside(t, fstest.MapFS{}, map[string]string{
		"en.toml": "[language]\nname = 'English'\n[x.tiles]\none = '{{.N}} tile'\nother = '{{.N}} tiles'",
		"fr.toml": "[x.tiles]\none = '{{.N}} tuile'\nother = '{{.N}} tuiles'\n[language]\nname = 'français'\n" +
			"[bot.number]\ngroup = '\u202f'",
		"pl.toml": "[x.tiles]\none = '{{.N}} kafelek'\nother = '{{.N}} kafelka'\n[language]\nname = 'polski'",
	})
	got := strings.Join(wordstest.Check(w), "\n")
	want := "pl has the plural forms one (1), few (2), many (0), other; 1 of its sentences lack one: x.tiles"
	if !strings.Contains(got, want) {
		t.Errorf("that Polish has few and many is not found in\n%.300s", got)
	}
	if strings.Contains(got, "fr has the plural forms") {
		t.Errorf("French is asked for a form that only millions take:\n%.300s", got)
	}
	for n, want := range map[int]string{1: "1 tuile", 2: "2 tuiles", 1_000_000: "1\u202f000\u202f000 tuiles"} {
		if got := w.Say("fr", games.Say("x.tiles", games.Args{"N": n}), words.Context{}); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := w.Say("pl", games.Say("x.tiles", games.Args{"N": 5}), words.Context{}); got != "5 kafelka" {
		t.Errorf("a form that is missing is said as %q", got)
	}
}

// firstUntranslated returns the first of the language codes that has no translation.
func firstUntranslated(t *testing.T, codes ...string) string {
	t.Helper()
	w := newWords(t, nil)
	for _, code := range codes {
		if !slices.Contains(append(w.Languages(), w.Drafts()...), code) {
			return code
		}
	}
	t.Fatal("all of these are translated: name another one")
	return ""
}

// A draft is not offered, no matter which of its files declares it. Its sentences are counted, and it may lack
// sentences, but not contain faults.
func TestDrafts(t *testing.T) {
	code := firstUntranslated(t, "pl", "lt", "uk")
	for name, text := range map[string]string{
		"says so":       "[language]\nname = 'a name'\ndraft = true\n[x]\nin = 'so {{.N}}'\n",
		"has no name":   "[x]\nin = 'so {{.N}}'\n",
		"says it twice": "[language]\ndraft = true\nname = 'a name'\n[x]\nin = 'so {{.N}}'\n",
	} {
		files := map[string]string{"en.toml": "[x]\nin = 'in {{.M}}'\nmore = 'more'", code + ".toml": text}
		if name == "says it twice" {
			files["more."+code+".toml"] = "[language]\ndraft = true\n"
		}
		w := newWords(t, files)
		if slices.Contains(w.Languages(), code) || w.Match(code) != "" || !slices.Contains(w.Drafts(), code) {
			t.Errorf("one that %s is offered: %q", name, w.Languages())
		}
		if said, all := w.Said(code); said != 1 || all < 500 {
			t.Errorf("one that %s says %d of %d", name, said, all)
		}
		for _, fault := range wordstest.Check(w) {
			if strings.HasPrefix(fault, code) {
				t.Errorf("one that %s: %s", name, fault)
			}
		}
		if got := strings.Join(wordstest.Check(w), "\n"); !strings.Contains(got, "x.in uses [N] in "+code) {
			t.Errorf("what is wrong in one that %s is not found", name)
		}
	}
}

// A draft's file holds its sentences, and the missing ones commented out: without the comment signs it is complete, in
// every plural form of its language.
func TestDraftsAreWritten(t *testing.T) {
	english := "# What the bot says in English.\n\n[x]\n# A sentence.\nsays = \"so \\\"{{.A}}\\\"\"\nmore = " +
		"\"more\"\n\n[x.tiles]\none = \"{{.N}} tile\"\nother = \"{{.N}} tiles\"\n"
	code := firstUntranslated(t, "pl", "uk", "be")
	w := newWords(t, map[string]string{"en.toml": english,
		code + ".toml": "[x]\nmore = 'a \\ and \"more\"'\n[x.tiles]\nfew = '{{.N}} ka'\nother = '{{.N}} ki'\n"})
	file, lacks := w.Draft(code, []byte(english))
	if text := string(file); lacks != 1 || !strings.HasSuffix(text, `[language]
draft = true

[x]
# A sentence.
# says = "so \"{{.A}}\""
more = "a \\ and \"more\""

[x.tiles]
# one = "{{.N}} tile"
few = "{{.N}} ka"
# many = "{{.N}} tiles"
other = "{{.N}} ki"
`) {
		t.Errorf("%d are missing in\n%s", lacks, text)
	}
	whole, err := fs.ReadFile(words.Own, "en.toml")
	check(t, err)
	file, lacks = newWords(t, nil).Draft(code, whole)
	if _, all := newWords(t, nil).Said("en"); lacks != all {
		t.Errorf("%d of %d are missing in what nobody has begun", lacks, all)
	}
	begun := newWords(t, map[string]string{code + ".toml": string(file)})
	if said, _ := begun.Said(code); said != 0 || !slices.Contains(begun.Drafts(), code) {
		t.Errorf("a new file says %d", said)
	}
	plain := regexp.MustCompile(`(?m)^# ([\w-]+ = ")`).ReplaceAllString(strings.Replace(string(file), "draft = true\n",
		"", 1), "$1")
	before := wordstest.Check(newWords(t, nil))
	for _, fault := range wordstest.Check(newWords(t, map[string]string{code + ".toml": plain})) {
		if !slices.Contains(before, fault) {
			t.Errorf("without its signs: %s", fault)
		}
	}
}

// A new language with very few sentences is one fault, not one for each missing sentence.
func TestALanguageThatIsOfferedTooEarlyIsOneFault(t *testing.T) {
	code := firstUntranslated(t, "fr", "es", "it")
	text := "[language]\nname = 'a name'\nlocales = '" + code + "'\n"
	var got []string
	for _, fault := range wordstest.Check(newWords(t, map[string]string{code + ".toml": text})) {
		if strings.HasPrefix(fault, code+" ") {
			got = append(got, fault)
		}
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], code+" lacks ") ||
		!strings.HasSuffix(got[0], " sentences: put draft = true back, or run knobel words "+code) {
		t.Errorf("%d faults, %.300q", len(got), got)
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
	got := strings.Join(wordstest.Check(w), "\n")
	for _, want := range []string{
		"de lacks x.only-en", "x.only-de stands only in de", "x.both uses [M] in de and [N] in en",
		"x.broken in en: ", "x.clever in en: {{len .N}} is more than an argument",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not found in\n%s", want, got)
		}
	}
}

// A key of a variant that is missing is looked up without the variant, in the game's file and then in its family's.
func TestVariantsReplaceSentences(t *testing.T) {
	w := newWords(t, map[string]string{
		"pips.en.toml": "[pips.row]\nones = 'Ones'\ntwos = 'Twos'\nthrees = 'Threes'\n",
		"en.toml": "[dots]\nabout = 'dots'\n[dots.row]\ntwos = 'Pairs'\nthrees = 'Trios'\n" +
			"[dots.variant.big]\nname = 'Big'\n[dots.variant.big.row]\nthrees = 'Thirds'\n",
	})
	for key, want := range map[string]string{
		"dots.variant.big.row.ones": "Ones", "dots.variant.big.row.twos": "Pairs", "dots.row.threes": "Trios",
		"dots.variant.big.row.threes": "Thirds", "dots.variant.big.name": "Big",
		"dots.variant.big.row.fours": "dots.variant.big.row.fours", "dots.variant.big.about": "dots.variant.big.about",
	} {
		if got := w.Say("en", games.Say(key, nil), words.Context{}); got != want || w.Has(key) != (got != key) {
			t.Errorf("%s is %q, want %q; it exists: %v", key, got, want, w.Has(key))
		}
	}
}

func TestKeysStandOnce(t *testing.T) {
	_, err := words.New(fstest.MapFS{
		"a.en.toml": {Data: []byte("[x]\ny = 'one way'")},
		"b.en.toml": {Data: []byte("[x]\ny = 'another'")},
	})
	if err == nil || !strings.Contains(err.Error(), "duplicate key x.y") {
		t.Errorf("error %v", err)
	}
	twice := fstest.MapFS{"en.toml": {Data: []byte("[language]\n[x]\ny = 'a way'")},
		"fr.toml": {Data: []byte("[language]\ndraft = true\n[x\ny = 'one way'")}}
	for system, want := range map[fs.FS]string{
		words.Folder{FS: &twice, Path: "games/x/words"}: "words: games/x/words/fr.toml: ",
		&twice: "words: fr.toml beside en.toml with [x]: ",
	} {
		if _, err := words.New(system); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestArgumentsByType(t *testing.T) {
	w := newWords(t, map[string]string{
		"en.toml": "[x]\nsays = '{{.A}}!'\nword = 'fine'\nwith = 'about {{.B}}'\n[x.tiles]\none = '{{.N}} " +
			"tile'\nother = '{{.N}} tiles'",
		"de.toml": "[x]\nsays = '{{.A}}!'\nword = 'fein'\nwith = 'um {{.B}}'\n[x.tiles]\none = '{{.N}} " +
			"Klappe'\nother = '{{.N}} Klappen'",
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
		{games.List{games.Say("x.word", nil), games.Say("x.tiles", games.Args{"N": 2})}, "fine and 2 tiles!",
			"fein und 2 Klappen!"},
		{games.Say("x.tiles", games.Args{"N": 1}), "1 tile!", "1 Klappe!"},
		{games.Say("x.tiles", games.Args{"N": 0}), "0 tiles!", "0 Klappen!"},
		{-3, "−3!", "−3!"},
		{9999, "9999!", "9999!"},
		{-2_000_000, "−2,000,000!", "−2.000.000!"},
		{int64(10_000), "10000!", "10000!"}, // int64: without separators
		{games.Number("+12345.67"), "+12,345.67!", "+12.345,67!"},
		{games.Number("-10000 1/3"), "−10,000 1/3!", "−10.000 1/3!"},
		{games.Number("-1/3"), "−1/3!", "−1/3!"},
		{games.Decimal(12_345.5), "12,345.5!", "12.345,5!"},
		{games.Decimal(8), "8!", "8!"},
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

// A command is written as its reader types it, with its arguments in backquotes; names and paths are unchanged.
func TestCommandsAreSpelled(t *testing.T) {
	w := newWords(t, map[string]string{"en.toml": "[x]\nsays = '{{.A}}: /help, (`/stats zone=`) or “`/house save " +
		"{{.A}}`”; 1/two, https://x/fair'\n[x.many]\none = '/one'\nother = '`/more of {{.N}}`'\n"})
	spell := func(typed string) string { return "<" + typed + ">" }
	for want, how := range map[string]func(string) string{
		"/forget: /help, (/stats zone=) or “/house save /forget”; 1/two, https://x/fair":    nil,
		"/forget: <help>, (<stats zone=>) or “<house save /forget>”; 1/two, https://x/fair": spell,
	} {
		got := w.Say("en", games.Say("x.says", games.Args{"A": "\x0e/forget\x0f"}), words.Context{Spell: how})
		if got != want {
			t.Error(got)
		}
	}
	inner := games.Say("x.says", games.Args{"A": games.Say("x.many", games.Args{"N": 2})})
	if got := w.Say("en", inner, words.Context{Spell: spell}); !strings.HasPrefix(got, "<more of 2>: <help>") {
		t.Errorf("within another: %s", got)
	}
	if got := w.Below("en", "x")["says"]; !strings.Contains(got, "/help, (/stats") {
		t.Errorf("below: %s", got)
	}
	for _, key := range w.Keys("en") {
		if !strings.HasPrefix(key, "web.") && strings.Contains(w.Below("en", "bot")[strings.TrimPrefix(key, "bot.")],
			"\x0e") {
			t.Errorf("%s shows its mark", key)
		}
	}
}

func TestWhatCannotBeSaid(t *testing.T) {
	w := newWords(t, map[string]string{"en.toml": "[x]\nsays = '{{.A}}!'\n", "de.toml": ""})
	for name, line := range map[string]games.Line{
		"x.nothing": games.Say("x.nothing", nil),
		"x.says":    games.Say("x.says", nil), // without the argument A
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

func TestLanguagesAreFoundByTheirNames(t *testing.T) {
	w := newWords(t, nil)
	for name, want := range map[string]string{"de": "de", "DEUTSCH": "de", "german": "de", "de-AT": "de",
		"englisch": "en", "English": "en", "Klingon": "", "": ""} {
		if got := w.Called(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	w := newWords(t, nil)
	for _, c := range []struct{ asked, want string }{
		{"de", "de"}, {"de-AT", "de"}, {"de-CH-1996", "de"}, {"en-GB", "en"}, {"en", "en"},
		{"qaa", ""}, {"", ""}, {"no such language", ""}, {"\x00", ""},
	} {
		if got := w.Match(c.asked); got != c.want {
			t.Errorf("asked for %q, got %q, want %q", c.asked, got, c.want)
		}
	}
	if got := w.Match("qaa", "", "de", "en"); got != "de" {
		t.Errorf("the first that there is, is %q, want de", got)
	}
}
