package bot_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/words"
	"knobel/bot/words/wordstest"
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
	{regexp.MustCompile(`for _, name := range \[\]string\{("rules", "leaderboard", "settle", "privacy")\}`),
		"bot.help.often."},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.more."},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.subject."},
	{regexp.MustCompile(`[nN]ame: "([a-z]+)", [sS]ubject:`), "bot.called."},
}

// usedKeys are the keys that the code of the bot and of the games spells out, tests
// left out.
func usedKeys(t *testing.T) (keys []string) {
	t.Helper()
	for path, code := range codeOf(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, s := range spelled {
			for _, m := range s.in.FindAllStringSubmatch(code, -1) {
				for _, key := range strings.Split(m[1], ", ") {
					keys = append(keys, s.prefix+strings.Trim(key, `"`))
				}
			}
		}
	}
	return keys
}

func TestKeysOfTheCodeAndOfTheSentencesAreTheSame(t *testing.T) {
	said := wordstest.Of(t)
	used := usedKeys(t)
	if len(used) < 100 {
		t.Fatalf("only %d keys stand in the code", len(used))
	}
	for _, key := range used {
		if !said.Has(key) {
			t.Errorf("no sentence for %s", key)
		}
	}
	for _, key := range said.Keys(words.Default) {
		elsewhere := strings.HasPrefix(key, "web.") || strings.HasPrefix(key, "language.") ||
			strings.HasPrefix(key, "news.")
		if !elsewhere && !slices.Contains(used, key) {
			t.Errorf("nobody says %s", key)
		}
	}
}

// TestShutboxSaysWhatItShows guards the keys that are put together from names.
func TestShutboxSaysWhatItShows(t *testing.T) {
	g := shutbox.Game{}
	said := wordstest.Of(t, g)
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
