package discord

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/words/wordstest"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// Whole games in a language that is only files, and longer than the real ones:
// every request is checked against Discord's limits, and nothing is said in
// another language.
func TestAnotherLanguage(t *testing.T) {
	t.Parallel()
	said := wordstest.Speak(t, coin.Game{}.Words(), shutbox.Game{}.Words(), wuerfelpoker.Game{}.Words())
	for name, command := range map[string]string{"Shut the Box": "shutbox", "a duel": "shutbox canoga", "many buttons": "shutbox three-hundred", "Würfelpoker": "wuerfelpoker"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openIn(t, discordtest.Options{Pace: -1}, said)
			anna, ben := s.server.Person("Anna", wordstest.Code), s.server.Person("Ben", wordstest.Code)
			command, variant, _ := strings.Cut(command, " ")
			var options []discordtest.Option
			if variant != "" {
				options = with("variant", variant)
			}
			s.sit(anna, command, options, ben)
			s.play(anna, ben)
			for _, asked := range []string{"help", "rules", "leaderboard", "stats", "settle", "history", "fair", "unit"} {
				s.answer(s.hall.Slash(anna, asked))
			}
			if menu := string(s.server.Commands()); !strings.Contains(menu, `"pl":"⟦`) {
				s.Errorf("the menu does not speak the language: %.300s", menu)
			}
			s.stop()
			s.speaksOnly()
		})
	}
}

// speaksOnly fails where the bot has told people something in a language of the
// code.
func (s *stage) speaksOnly() {
	s.Helper()
	told := 0
	for _, r := range s.server.Requests("") {
		if strings.Contains(r.Path, "/commands") || len(r.Body) == 0 || r.Body[0] != '{' {
			continue
		}
		var body any
		if err := json.Unmarshal(r.Body, &body); err != nil {
			s.Fatal(err)
		}
		for _, text := range said(body) {
			told++
			if strange := wordstest.Strange(text, "Anna", "Ben"); len(strange) > 0 {
				s.Errorf("%s %s says %s", r.Method, r.Path, strange)
			}
		}
	}
	if told < 100 {
		s.Errorf("only %d texts were sent", told)
	}
}

// said are the texts of a request that people read.
func said(body any) (all []string) {
	switch body := body.(type) {
	case map[string]any:
		for key, value := range body {
			text, isText := value.(string)
			switch {
			case isText && (key == "content" || key == "label" || key == "placeholder"):
				all = append(all, pictured.ReplaceAllString(text, ""))
			default:
				all = append(all, said(value)...)
			}
		}
	case []any:
		for _, part := range body {
			all = append(all, said(part)...)
		}
	}
	return all
}

// pictured is a picture among the letters.
var pictured = regexp.MustCompile(`<a?:\w+:\d+>`)
