package bot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/words"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// TestToastsAreShort holds every refusal and toast to 60 characters, names and
// the like counted as eight.
func TestToastsAreShort(t *testing.T) {
	said, err := words.New()
	if err != nil {
		t.Fatal(err)
	}
	keys := keysBehind(t, `(?:Refuse|adminsOnly|toast)\("([a-z.-]+)"`, ".", "../games", "../games/dice", "../games/money")
	if len(keys) < 40 {
		t.Fatalf("only %d toasts found", len(keys))
	}
	for _, key := range append(keys, "bot.sorry") {
		if !strings.HasPrefix(key, "bot.") && !strings.HasPrefix(key, "games.") || !said.Has(key) {
			continue
		}
		args := games.Args{}
		for _, name := range said.Arguments(key) {
			args[name] = "12345678"
		}
		if _, plural := args["N"]; plural {
			args["N"] = 10
		}
		for _, lang := range said.Languages() {
			text, err := said.TrySay(lang, games.Say(key, args), words.Context{})
			if n := utf8.RuneCountInString(text); err != nil || n > 60 {
				t.Errorf("%s in %s has %d characters: %q, %v", key, lang, n, text, err)
			}
		}
	}
}

// keysBehind are the keys in the code of some folders that stand where a pattern says.
func keysBehind(t *testing.T, pattern string, folders ...string) (keys []string) {
	t.Helper()
	says := regexp.MustCompile(pattern)
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			code, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range says.FindAllStringSubmatch(string(code), -1) {
				keys = append(keys, m[1])
			}
		}
	}
	return keys
}

// TestRefusalsSayWhatToDo holds every refusal to more than a bare no: behind what
// cannot be stands what can, in a sentence or a clause of its own. Those listed
// here say in one what to do.
func TestRefusalsSayWhatToDo(t *testing.T) {
	said, err := words.New(shutbox.Game{}.Words(), wuerfelpoker.Game{}.Words())
	if err != nil {
		t.Fatal(err)
	}
	whole := []string{
		"bot.text",          // said elsewhere
		"bot.confirm-first", // these say it in one
		"bot.forget.how", "bot.house-rules.how", "bot.puzzle.how", "bot.settle-how",
		"bot.leaders.least", "bot.may-not-end", "bot.may-not-end-equals", "bot.may-not-end-gone",
		"bot.season.name", "bot.settle.amount", "games.unit-empty", "bot.review.not-over", "bot.stake-number",
		"wuerfelpoker.refuse.point",
	}
	keys := keysBehind(t, `(?:Refuse|adminsOnly)\("([a-z.-]+)"`, ".", "discord", "telegram", "web", "terminal",
		"../games", "../games/dice", "../games/money", "../games/record", "../games/shutbox", "../games/wuerfelpoker")
	if len(keys) < 100 {
		t.Fatalf("only %d refusals found", len(keys))
	}
	further := regexp.MustCompile(`[.:;,?] ?\S`)
	for _, key := range keys {
		if slices.Contains(whole, key) || !said.Has(key) {
			continue
		}
		args := games.Args{}
		for _, name := range said.Arguments(key) {
			args[name] = "Anna"
		}
		args["N"] = 10
		for _, lang := range said.Languages() {
			text, err := said.TrySay(lang, games.Say(key, args), words.Context{})
			if err != nil || !further.MatchString(text) {
				t.Errorf("%s in %s says no and nothing else: %q, %v", key, lang, text, err)
			}
		}
	}
}
