package bot_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/words"
	"knobel/games/shutbox"
)

// spelled finds keys in code: whole ones as they are, and those of the few
// functions that put a prefix before them.
var spelled = []struct {
	in     *regexp.Regexp
	prefix string
}{
	{regexp.MustCompile(`"((?:bot|games|terminal)\.[a-z0-9.-]*[a-z0-9])"`), ""},
	{regexp.MustCompile(`\.key\("([a-z-]+)"`), "bot.button."},
	{regexp.MustCompile(`[nN]ame: "([a-z]+)", [sS]ubject:`), "bot.command."},
	{regexp.MustCompile(`for _, name := range \[\]string\{("rules", "leaderboard", "settle", "privacy")\}`), "bot.help.often."},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.more."},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.subject."},
	{regexp.MustCompile(`[nN]ame: "([a-z]+)", [sS]ubject:`), "bot.called."},
}

// usedKeys are the keys that code in a folder spells out.
func usedKeys(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range spelled {
			for _, m := range s.in.FindAllStringSubmatch(string(code), -1) {
				for _, key := range strings.Split(m[1], ", ") {
					keys = append(keys, s.prefix+strings.Trim(key, `"`))
				}
			}
		}
	}
	return keys
}

func TestKeysOfTheCodeAndOfTheSentencesAreTheSame(t *testing.T) {
	said, err := words.New()
	if err != nil {
		t.Fatal(err)
	}
	var used []string
	for _, root := range []string{".", "../games"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				used = append(used, usedKeys(t, path)...)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(used) < 100 {
		t.Fatalf("only %d keys stand in the code", len(used))
	}
	for _, key := range used {
		if !said.Has(key) {
			t.Errorf("no sentence for %s", key)
		}
	}
	for _, key := range said.Keys(words.Default) {
		elsewhere := strings.HasPrefix(key, "web.") || strings.HasPrefix(key, "language.") || strings.HasPrefix(key, "news.")
		if !elsewhere && !slices.Contains(used, key) {
			t.Errorf("nobody says %s", key)
		}
	}
}

// TestShutboxSaysWhatItShows guards the keys that are put together from names.
func TestShutboxSaysWhatItShows(t *testing.T) {
	g := shutbox.Game{}
	said, err := words.New(g.Words())
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{"shutbox.name", "shutbox.about"}
	for _, v := range g.Variants() {
		keys = append(keys, "shutbox.variant."+v.Name+".name")
	}
	for _, o := range g.Options() {
		keys = append(keys, "shutbox.option."+o.Name+".name", "shutbox.option."+o.Name+".about")
		for _, value := range o.Values {
			keys = append(keys, o.Say(value).Key)
		}
	}
	for _, h := range g.Houses() {
		keys = append(keys, "shutbox.house."+h.Name)
	}
	for _, key := range keys {
		if !said.Has(key) {
			t.Errorf("no sentence for %s", key)
		}
	}
}
