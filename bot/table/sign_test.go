package table_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

// Where people write !help, everything that the bot says of commands says so, and nothing else changes.
func TestSentencesHaveThePlatformsSign(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Spellings = map[string]chat.Spelling{"test": func(t chat.Typed) string { return "!" + t.Text }}
	h.Restart()
	anna := h.Person("Anna")
	bare.Refused(t, anna.Writes("/fair"), "There is no table here. !help shows how to open one.")
	bare.Refused(t, anna.Writes("/nonsense"), "There is no !nonsense. !help shows what there is.")
	anna.Admin = true
	anna.Writes("/shutbox 3")
	if r := anna.Writes("/house save Friday"); !strings.HasSuffix(r.Toast, ". Play: !shutbox Friday") {
		t.Errorf("kept: %q", r.Toast)
	}
	bare.Told(t, h.Person("Ben").Presses("Sit down"), "You are in. !luck WORD adds your own luck to the dice.")
	for _, line := range []string{"/help", "/help shutbox", "/privacy", "/house", "/settings", "/stats"} {
		m := anna.Asks(line)
		for _, command := range h.Bot.Commands() {
			if text := bare.Show(m); strings.Contains(text, " /"+command.Name) || strings.Contains(text,
				"“/"+command.Name) {
				t.Errorf("%s says /%s:\n%s", line, command.Name, text)
			}
		}
	}
}

// filled returns how a platform on which options are filled in spells commands.
func filled(t chat.Typed) string {
	said := "<" + strings.TrimSpace(t.Command+" "+t.Row) + ">"
	for _, o := range t.Given {
		said += fmt.Sprintf(" %s:%s", o.Name, o.Value)
	}
	return said
}

// Where options are filled in, sentences say which, in every language.
func TestCommandsAreTakenApart(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	for text, want := range map[string]string{
		"help": "<help>", "nonsense of mine": "<nonsense>", "unit coffees": "<unit> name:coffees",
		"luck my fox": "<luck> word:my fox", "notify on": "<notify> calls:on", "history 41": "<history> game:41",
		"settle": "<settle balances>", "settle why Ben": "<settle why> who:Ben", "house": "<house list>",
		"settle bezahlt 7 Ben Müller": "<settle paid> amount:7 who:Ben Müller",
		"house merken NAME":           "<house save> name:NAME", "house NAME": "<house show> name:NAME",
		"settings zone=": "<settings> zone:", "shutbox one-die=never": "<shutbox> one-die:never",
		"shutbox Friday 5 golf": "<shutbox> house:Friday stake:5 variant:golf", "hilfe": "<help>",
		"settle zahlungen": "<settle payments>", "language": "<language>", "season NAME": "<season> name:NAME",
	} {
		if got := filled(h.Bot.Typed(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// moreOptions is about what is written behind any game's command, on each platform alike.
const moreOptions = "bot.option.play-options"

// Every sentence that names a command names one that there is, with options that it has, in
// every language: what stands behind a command without backquotes would stay as it is.
func TestSentencesNameCommandsThatThereAre(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	behind := regexp.MustCompile(`⟨([a-z]+)⟩ ([\pL\d=]+)`)
	commands, option := regexp.MustCompile("⟨[^⟩]*⟩"), regexp.MustCompile(`[a-z]=\pL*`)
	named := 0
	for _, lang := range h.Bot.Words.Languages() {
		for _, key := range h.Bot.Words.Keys(lang) {
			args := games.Args{}
			for _, name := range wordstest.Arguments(h.Bot.Words, key) {
				args[name] = "{" + name + "}"
			}
			said := h.Bot.Words.Say(lang, games.Say(key, args), words.Context{Spell: func(typed string) string {
				if strings.HasPrefix(typed, "{") || key == "bot.missing-there" {
					return typed
				}
				apart := h.Bot.Typed(typed)
				_, err := h.Bot.Find(apart.Command)
				_, rest, more := strings.Cut(typed, " ")
				if err != nil || more && apart.Row == "" && len(apart.Given) == 0 {
					t.Errorf("%s in %s: there is no %s with %s", key, lang, typed, rest)
				} else if more {
					named++
				}
				return "⟨" + typed + "⟩"
			}})
			if found := option.FindString(commands.ReplaceAllString(said, "")); found != "" && key != moreOptions {
				t.Errorf("%s in %s writes an option without its command: %s", key, lang, said)
			}
			for _, found := range behind.FindAllStringSubmatch(said, -1) {
				c, _ := h.Bot.Find(found[1])
				given := h.Bot.Typed(found[1] + " " + found[2]).Given
				meant := c.Sub(found[2]) >= 0 || found[2] == strings.ToUpper(found[2])
				named := len(given) > 0 && (found[2] == "on" || strings.Contains(found[2], "="))
				if meant || named {
					t.Errorf("%s in %s writes options without backquotes: %s", key, lang, said)
				}
			}
		}
	}
	if named < 30 {
		t.Errorf("%d commands with options in sentences", named)
	}
}
