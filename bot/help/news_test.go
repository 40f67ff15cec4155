package help_test

import (
	"os"
	"strings"
	"testing"

	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games"
)

// The changelog begins with what is new.
func TestNewsStandInTheChangelog(t *testing.T) {
	raw, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	log := strings.Join(strings.Fields(strings.ReplaceAll(string(raw), "`", "")), " ")
	said := wordstest.Of(t)
	told := 0
	for _, key := range said.Keys(words.Default) {
		if !strings.HasPrefix(key, "news.") {
			continue
		}
		told++
		if sentence := said.Say(words.Default, games.Say(key, nil), words.Context{}); !strings.Contains(log, sentence) {
			t.Errorf("%s is not in the changelog: %s", key, sentence)
		}
	}
	if told == 0 {
		t.Error("nothing is new")
	}
}
