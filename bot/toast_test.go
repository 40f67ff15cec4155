package bot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/words"
	"knobel/games"
)

// TestToastsAreShort holds every refusal and toast to 60 characters, names and
// the like counted as eight.
func TestToastsAreShort(t *testing.T) {
	said, err := words.New()
	if err != nil {
		t.Fatal(err)
	}
	spoken := regexp.MustCompile(`(?:Refuse|toast)\("([a-z.-]+)"`)
	var keys []string
	for _, pattern := range []string{"*.go", "../games/*.go", "../games/dice/*.go", "../games/money/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			code, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range spoken.FindAllStringSubmatch(string(code), -1) {
				keys = append(keys, m[1])
			}
		}
	}
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
