package bot_test

import (
	"strings"
	"testing"

	"knobel/games/shutbox"
)

// Where people write !help, everything that the bot says of commands says so, and
// nothing else changes.
func TestSentencesHaveThePlatformsSign(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.signs = map[string]string{"test": "!"}
	h.restart()
	anna := h.person("Anna")
	refused(t, anna.writes("/fair"), "There is no table here. !help shows how to open one.")
	refused(t, anna.writes("/nonsense"), "There is no !nonsense. !help shows what there is.")
	anna.admin = true
	anna.writes("/shutbox 3")
	if r := anna.writes("/house save Friday"); !strings.HasSuffix(r.Toast, ". !shutbox Friday opens a table by it.") {
		t.Errorf("kept: %q", r.Toast)
	}
	told(t, h.person("Ben").presses("Sit down"), "You are in. !luck WORD adds your own luck to the dice.")
	for _, line := range []string{"/help", "/help shutbox", "/privacy", "/house", "/settings", "/stats"} {
		m := anna.asks(line)
		for _, command := range h.bot.Commands() {
			if text := show(m); strings.Contains(text, " /"+command.Name) || strings.Contains(text, "“/"+command.Name) {
				t.Errorf("%s says /%s:\n%s", line, command.Name, text)
			}
		}
	}
}
