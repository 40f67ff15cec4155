package telegram

import (
	"encoding/json"
	escaped "html"
	"os"
	"regexp"
	"slices"
	"testing"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/telegram/telegramtest"
	"knobel/bot/words/wordstest"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// Whole games in a language that is only files, and longer than the real ones:
// every request is checked against Telegram's limits, and nothing is said in
// another language.
func TestAnotherLanguage(t *testing.T) {
	said := wordstest.Speak(t, coin.Game{}.Words(), shutbox.Game{}.Words(), wuerfelpoker.Game{}.Words())
	one := telegramtest.Person{ID: 11, First: "Anna", Language: wordstest.Code}
	two := telegramtest.Person{ID: 12, First: "Ben", Language: wordstest.Code}
	games := map[string]string{"Shut the Box": "/shutbox 10", "Würfelpoker": "/wuerfelpoker"}
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		games["a duel"], games["many buttons"] = "/shutbox canoga", "/shutbox three-hundred"
	}
	for name, command := range games {
		t.Run(name, func(t *testing.T) {
			e := newEveningIn(t, said)
			e.sit(command, one, two)
			e.play(one, two)
			for _, asked := range []string{"/help", "/rules", "/leaderboard", "/stats", "/settle", "/history", "/fair", "/unit"} {
				before := len(e.messages())
				e.group.Say(one, asked)
				e.until("there is an answer", func() bool { return len(e.messages()) > before })
			}
			if !slices.ContainsFunc(e.server.Calls("setMyCommands"), func(c telegramtest.Call) bool { return c.Params["language_code"] == wordstest.Code }) {
				t.Error("there is no menu in the language")
			}
			e.stop()
			e.speaksOnly()
		})
	}
}

// speaksOnly fails where the bot has told people something in a language of the
// code.
func (e *evening) speaksOnly() {
	e.t.Helper()
	told := 0
	for _, c := range e.server.Calls() {
		if c.Method == "setMyCommands" {
			continue
		}
		texts := []string{escaped.UnescapeString(tagged.ReplaceAllString(c.Params["text"], "")), c.Params["caption"]}
		var keys tg.InlineKeyboardMarkup
		if raw := c.Params["reply_markup"]; raw != "" {
			if err := json.Unmarshal([]byte(raw), &keys); err != nil {
				e.t.Fatal(err)
			}
		}
		for _, row := range keys.InlineKeyboard {
			for _, b := range row {
				texts = append(texts, b.Text)
			}
		}
		for _, text := range texts {
			told++
			if strange := wordstest.Strange(text, "Anna", "Ben"); len(strange) > 0 {
				e.t.Errorf("%s says %s", c.Method, strange)
			}
		}
	}
	if told < 100 {
		e.t.Errorf("only %d texts were sent", told)
	}
}

var tagged = regexp.MustCompile(`</?[a-z-]+[^>]*>`)
