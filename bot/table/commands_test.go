package table_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// TestSentencesHaveThePlatformsSign checks that all sentences use the platform's spelling of commands, here !help.
func TestSentencesHaveThePlatformsSign(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Spellings = map[string]chat.Spelling{"test": func(t chat.Typed) string { return "!" + t.Text }}
	h.Restart()
	anna := h.Person("Anna")
	bare.Refused(t, anna.Writes("/fair"), "There is no game here. !play starts one.")
	bare.Refused(t, anna.Writes("/nonsense"), "There is no !nonsense. !help lists them all.")
	anna.Admin = true
	anna.Writes("/shutbox 3")
	if r := anna.Writes("/house save Friday"); !strings.HasSuffix(r.Toast, ". Play: !shutbox Friday") {
		t.Errorf("kept: %q", r.Toast)
	}
	bare.Told(t, h.Person("Ben").Presses("Join"), "You're in. Add your own luck: !luck WORD")
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

// filled returns a command in the form of a platform on which options are filled into fields: "<unit> name:coffees".
func filled(t chat.Typed) string {
	said := "<" + strings.TrimSpace(t.Command+" "+t.Row) + ">"
	for _, o := range t.Given {
		said += fmt.Sprintf(" %s:%s", o.Name, o.Value)
	}
	return said
}

// TestCommandsAreTakenApart checks that commands in sentences are split into their options, in every language.
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

// moreOptions is the key of a sentence about options of any game's command. It is the same on all platforms.
const moreOptions = "bot.option.play-options"

// TestSentencesNameCommandsThatThereAre checks in every language that sentences name only existing commands and
// options, in backquotes: without these no platform could respell them.
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

// TestHouseRulesThatHaveChanged checks that a record with house rules is valid and keeps their version, and that Check
// reports house rules whose stored version does not match.
func TestHouseRulesThatHaveChanged(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/shutbox 0 tiles=4")
	anna.Writes("/house save quick")
	anna.Presses("▶ Start")
	h.PlayOn("quick", anna)
	r := h.RecordOf(1)
	if r.HouseRules == nil || r.HouseRules.Name != "quick" || len(record.Verify(r, h.Games, &record.Solutions{})) > 0 {
		t.Errorf("the record tells %+v", r.HouseRules)
	}
	if line := h.Export(review.Wanted{Anonymous: true})[0]; strings.Contains(line, "quick") ||
		!strings.Contains(line, `"house_rules":{"version":"`) {
		t.Errorf("without names the record is %s", line)
	}
	h.Sound()
	h.Tamper(`UPDATE house_rules SET version = '00000000'`)
	if faults, err := h.Bot.Check(context.Background(), nil); err != nil || len(faults) != 1 ||
		!strings.Contains(faults[0], "version") {
		t.Errorf("%v, %v", faults, err)
	}
	if anna.Table().State != store.Over {
		t.Error("the game goes on")
	}
}

// TestABoardWithRulesOnItGoesBack checks that a board with a page of rules, as older versions had, shows the seats
// after the next choice.
func TestABoardWithRulesOnItGoesBack(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox 5")
	for _, again := range []string{"1:1:0:!set tiles=12", "1:1:0:!stake more", "1:1:0:!page rules/tiles"} {
		anna.Presses("⚙ Options")
		ev := anna.Event()
		ev.Press, ev.On, ev.Menus = again, chat.Ref(anna.Table().Board.Message), true
		if r := h.Bot.Handle(t.Context(), ev); r.Refused || r.Board != 1 || anna.Table().Board.Page != "" {
			t.Errorf("%s: %+v, page %q", again, r, anna.Table().Board.Page)
		}
	}
}

// TestATableInAThreadOfItsOwn checks that "thread" opens a valid table in a new thread.
func TestATableInAThreadOfItsOwn(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	opened := 0
	asks := func(place chat.Place, err error, text string) chat.Reply {
		ev := anna.Event()
		ev.Command, ev.Text = "coin", text
		ev.Thread = func(_ context.Context, name string) (chat.Place, error) {
			opened++
			if name != "Coin · Anna" {
				t.Errorf("the thread is called %q", name)
			}
			return place, err
		}
		return h.Bot.Handle(t.Context(), ev)
	}
	bare.Refused(t, anna.Writes("/coin thread"), "No threads here: leave out “thread” to play right here.")
	if r := asks("", nil, "thread 10 nonsense"); !r.Refused || opened != 0 {
		t.Errorf("a thread for a table that cannot be: %+v", r)
	}
	if r := asks("test:1/7", nil, "thread 5"); r.Refused || r.At != "test:1/7" || r.Board != 0 ||
		r.Toast != "Your table now has its own thread." {
		t.Errorf("told %+v", r)
	}
	if table := h.TableAt("test:1/7"); table.Stake != 5 || table.Chat != "test:1" || opened != 1 {
		t.Errorf("%d threads, the table is %+v", opened, table)
	}
	anna.Writes("/coin 1") // the place outside the thread is free
	if table := h.TableAt("test:1/1"); table.Stake != 1 {
		t.Errorf("here stands %+v", table)
	}
	if r := asks("test:1/8", nil, "thread=true"); r.At != "test:1/8" {
		t.Errorf("beside a table that is here: %+v", r)
	}
	anna.At("test:1/9").Writes("/coin 2 thread=no")
	h.TableAt("test:1/9")

	if r := asks("", errors.New("trouble"),
		"thread"); r.Toast != "Our mistake; nothing was changed. Please try again." {
		t.Errorf("told %+v", r)
	}
}

// TestTablesOfPagesHaveNoStakeUnlessAsked checks the stake of tables that a browser opens, and that others open.
func TestTablesOfPagesHaveNoStakeUnlessAsked(t *testing.T) {
	for _, c := range []struct {
		line  string
		pages bool
		want  int64
	}{
		{"/coin", false, 10}, {"/coin", true, 0}, {"/coin 7", true, 7}, {"/play coin", true, 0},
	} {
		anna := bare.New(t).Person("Anna")
		anna.Pages = c.pages
		anna.Writes(c.line)
		if got := anna.Table().Stake; got != c.want {
			t.Errorf("%s opens a table for %d, want %d; pages: %v", c.line, got, c.want, c.pages)
		}
	}
}
