package bot_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
)

// spelled finds keys in code: those of the few functions that put a prefix before them.
var spelled = []struct {
	in     *regexp.Regexp
	prefix string
	suffix []string
}{
	{regexp.MustCompile(`\.key\("([a-z-]+)"`), "bot.button.", nil},
	{regexp.MustCompile(`Name: "([a-z]+)", (?:Reads:|Usual:|Values: \[\]\[2\])`), "bot.settings.", []string{"-about", "-how"}},
	{regexp.MustCompile(`[nN]ame: "([a-z]+)", [sS]ubject:`), "bot.command.", nil},
	{regexp.MustCompile(`for _, name := range \[\]string\{("rules", "leaderboard", "settle", "privacy")\}`),
		"bot.help.often.", nil},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.more.", nil},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.subject.", nil},
	{regexp.MustCompile(`[nN]ame: "([a-z]+)", (?:[sS]ubject|Hidden):`), "bot.called.", nil},
}

// usedKeys returns the keys that the code of the bot and of the games spells out, tests
// left out: whole ones begin with a first word of all keys, such as a platform's name.
func usedKeys(t *testing.T, all []string) (keys []string) {
	t.Helper()
	first := map[string]bool{}
	for _, key := range all {
		word, _, _ := strings.Cut(key, ".")
		first[word] = !saidElsewhere(key)
	}
	whole := regexp.MustCompile(`"(([a-z]+)\.[a-z0-9.-]*[a-z0-9])"`)
	for path, code := range bare.CodeOf(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range whole.FindAllStringSubmatch(code, -1) {
			if first[m[2]] {
				keys = append(keys, m[1])
			}
		}
		for _, s := range spelled {
			for _, m := range s.in.FindAllStringSubmatch(code, -1) {
				for _, key := range strings.Split(m[1], ", ") {
					for _, suffix := range append(s.suffix, "") {
						keys = append(keys, s.prefix+strings.Trim(key, `"`)+suffix)
					}
				}
			}
		}
	}
	return keys
}

// saidElsewhere reports whether a key is none that the code spells out: the page's scripts do, and
// what is of a language or of an option is looked up by its name.
func saidElsewhere(key string) bool {
	return slices.ContainsFunc([]string{"web.", "language.", "bot.option-called."}, func(begin string) bool {
		return strings.HasPrefix(key, begin)
	})
}

func TestKeysOfTheCodeAndOfTheSentencesAreTheSame(t *testing.T) {
	said := wordstest.Of(t)
	all := said.Keys(words.Default)
	used := usedKeys(t, all)
	if len(used) < 100 {
		t.Fatalf("only %d keys stand in the code", len(used))
	}
	for _, key := range used {
		if !said.Has(key) {
			t.Errorf("no sentence for %s", key)
		}
	}
	for _, key := range all {
		if !saidElsewhere(key) && !slices.Contains(used, key) {
			t.Errorf("nobody says %s", key)
		}
	}
}
