package words_test

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"knobel/bot/bare"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

// sheetGames returns all games on a score sheet.
func sheetGames() []games.Game {
	all := []games.Game{wuerfelpoker.New()}
	for _, g := range sets.All() {
		all = append(all, g)
	}
	return all
}

// sentencesOf returns the sentences of a language (form other) in message files, by their keys without the first part.
func sentencesOf(t *testing.T, from fs.FS, lang string) map[string]string {
	t.Helper()
	files, err := fs.Glob(from, "*"+lang+".toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string]string{}
	var flatten func(key string, tree map[string]any)
	flatten = func(key string, tree map[string]any) {
		for name, value := range tree {
			switch value := value.(type) {
			case map[string]any:
				flatten(key+"."+name, value)
			case string:
				all[strings.TrimSuffix(key+"."+name, ".other")] = value
			}
		}
	}
	for _, file := range files {
		text, err := fs.ReadFile(from, file)
		check(t, err)
		var tree map[string]any
		check(t, toml.Unmarshal(text, &tree))
		for _, sentences := range tree { // by the name of the game or family
			flatten("", sentences.(map[string]any))
		}
	}
	return all
}

// No sentence of a sheet says "1 points".
func TestSheetsSayOnePointRightly(t *testing.T) {
	numbered := regexp.MustCompile(`\{\{\.\w+\}\} (points?|Punkte?n?)\b`)
	argument := regexp.MustCompile(`\{\{\.(\w+)\}\}`)
	wrong := regexp.MustCompile(`\b1 (points|Punkten?\b)`)
	for _, g := range sheetGames() {
		w, err := words.New(g.Words())
		check(t, err)
		for _, lang := range []string{"en", "de"} {
			all, said := sentencesOf(t, g.Words(), lang), 0
			for _, key := range slices.Sorted(maps.Keys(all)) {
				if !numbered.MatchString(all[key]) || key == ".gives.by-throw" { // this one has several numbers
					continue
				}
				args := games.Args{"N": 1}
				for _, name := range argument.FindAllStringSubmatch(all[key], -1) {
					if name[1] != "N" {
						args[name[1]] = "1"
					}
				}
				text := w.Say(lang, games.Say(g.Name()+key, args), words.Context{})
				if wrong.MatchString(text) {
					t.Errorf("%s in %s: %s", g.Name()+key, lang, text)
				}
				said++
			}
			if said < 6 {
				t.Errorf("%s has %d sentences with points in %s", g.Name(), said, lang)
			}
		}
	}
}

// The rules of sheets mention the dice, do not contradict themselves, and follow the options.
func TestStories(t *testing.T) { bare.AllStories(t, sheetGames()...) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
