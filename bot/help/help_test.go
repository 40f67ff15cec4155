package help_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

func TestHelpFitsOneScreen(t *testing.T) {
	_, anna := bare.WithRealGames(t)
	for _, lang := range []string{"en", "de"} {
		anna.Locale = lang
		if m := anna.Asks("/help"); bare.LinesOf(m) > bare.ScreenLines || utf8.RuneCountInString(bare.Show(m)) > 900 {
			t.Errorf("/help takes %d lines in %s:\n%s", bare.LinesOf(m), lang, bare.Show(m))
		}
	}
	if a, b := bare.Show(anna.Asks("/help")), bare.Show(anna.Asks("/start from-a-link")); a != b {
		t.Errorf("a first visit reads\n%s\nnot\n%s", b, a)
	}
}

// Every command is on one page of /help, with a button that explains it, and every button of every page gets an answer.
func TestHelpListsEveryCommandOnce(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	listed := map[string]int{}
	for _, c := range h.Bot.AllCommands {
		if c.Subject == "" && !c.Hidden {
			t.Errorf("/%s has no subject: /help would not show it (see command.go)", c.Name)
		}
	}
	for _, b := range slices.Concat(anna.Asks("/help").Buttons...) {
		page := anna.Sends(b.Press)
		if page.Refused || page.Private == nil && page.Board == 0 && page.Toast == "" {
			t.Errorf("%s answers %q", b.Label, page.Toast)
		}
		if !strings.Contains(b.Press, ":/help ") {
			continue
		}
		for _, line := range page.Private.Lines {
			name, _, _ := strings.Cut(line, " ")
			listed[name]++
		}
		if n := utf8.RuneCountInString(bare.Show(*page.Private)); n > 1500 {
			t.Errorf("%s has %d characters", b.Label, n)
		}
	}
	for _, c := range h.Bot.Commands() {
		if listed["/"+c.Name] != 1 {
			t.Errorf("/%s is listed %d times", c.Name, listed["/"+c.Name])
		}
	}
}

func TestHelpExplainsOneCommand(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	for _, lang := range []string{"en", "de"} {
		anna.Locale = lang
		for _, c := range h.Bot.Commands() {
			m := anna.Asks("/help " + c.Name)
			text := bare.Show(m) + m.Small
			options := c.Options
			for _, r := range c.Rows {
				options = []chat.CommandOption{}
				if !strings.Contains(text, "/"+c.Name+" "+r.Name+" – "+r.About[lang]) {
					t.Errorf("/help %s does not speak of %s:\n%s", c.Name, r.Name, text)
				}
			}
			for _, o := range options {
				if !strings.Contains(text, o.About[lang]) {
					t.Errorf("/help %s does not speak of %s:\n%s", c.Name, o.Name, text)
				}
			}
			if n := utf8.RuneCountInString(text); n > 1900 {
				t.Errorf("/help %s has %d characters", c.Name, n)
			}
		}
	}
	for lang, want := range map[string]string{"en": "/shutbox variant=subtraction",
		"de": "/shutbox variante=subtraktion"} {
		anna.Locale = lang
		if small := anna.Asks("/help shutbox").Small; !strings.Contains(small, want) {
			t.Errorf("/shutbox is explained in %s with %q", lang, small)
		}
	}
}

// Commands have names in every language.
func TestCommandsAreCalledInEveryLanguage(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	by := map[string]string{}
	for _, c := range h.Bot.Commands() {
		for _, name := range append(slices.Clone(c.Aliases), c.Name) {
			if other := by[name]; other != "" {
				t.Errorf("/%s is /%s and /%s", name, c.Name, other)
			}
			by[name] = c.Name
		}
	}
	if a, b := bare.Show(anna.Asks("/hilfe")), bare.Show(anna.Asks("/help")); a != b {
		t.Errorf("/hilfe answers\n%s", a)
	}
	if m := anna.Asks("/regeln golf"); !strings.Contains(m.Head, "Golf") {
		t.Errorf("/regeln golf answers %q", m.Head)
	}
}

// Long explanations may be folded; lists whose lines people compare may not.
func TestLongTextsFold(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	anna.Plays("/coin 0")
	for line, folds := range map[string]bool{
		"/privacy": true, "/rules": true, "/help shutbox": true, "/fair": true,
		"/help playing": false, "/leaderboard": false, "/settings": false, "/settle": false, "/help": false,
	} {
		if m := anna.Asks(line); m.Folds != folds {
			t.Errorf("%s is folded: %v", line, m.Folds)
		}
	}
	h.Sound()
}

// hello returns the greeting for a person who writes to the bot (own), or for a group that has added it.
func hello(p *bare.Person, own bool) chat.Message {
	p.T.Helper()
	ev := p.Event()
	ev.Command, ev.Own = "hello", own
	if own {
		ev.Invite = "https://dice.example/invite"
	}
	r := p.Bot.Handle(context.Background(), ev)
	if r.Private == nil || r.Public == own {
		p.T.Fatalf("%+v", r)
	}
	bare.Proper(p.T, *r.Private)
	return *r.Private
}

// A group is greeted with a button for each game. A person alone reads how to play, and how to invite others.
func TestHello(t *testing.T) {
	_, anna := bare.WithRealGames(t)
	for lang, want := range map[string]string{"en": "Pick a game, and the others press", "de": "Sucht ein Spiel aus"} {
		anna.Locale = lang
		m := hello(anna, false)
		if !strings.Contains(bare.Show(m), want) || len(m.Buttons) != 2 || len(m.Buttons[0]) != 3 {
			t.Errorf("greets in %s with\n%s", lang, bare.Show(m))
		}
		m = hello(anna, true)
		last := m.Buttons[len(m.Buttons)-1]
		if len(last) != 1 || last[0].Link != "https://dice.example/invite" || last[0].Press != "" {
			t.Errorf("alone one reads in %s\n%s", lang, bare.Show(m))
		}
		if bare.LinesOf(m) > bare.ScreenLines {
			t.Errorf("that takes %d lines\n%s", bare.LinesOf(m), bare.Show(m))
		}
	}
}

// The bot's description fits into a profile, and names all games.
func TestTheProfileFits(t *testing.T) {
	h, _ := bare.WithRealGames(t)
	for _, l := range h.Bot.Languages() {
		for text, most := range map[string]int{l.Short: 120, l.Long: 512} {
			if n := utf8.RuneCountInString(text); n > most || n == 0 || !strings.Contains(text, "Shut the Box") {
				t.Errorf("%d characters in %s: %q", n, l.Code, text)
			}
		}
	}
}

// The changelog contains the news.
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

// consultant is a platform that returns the findings set by a test.
type consultant struct {
	*bare.Stage
	says func(chat.Chat, []chat.Place) ([]chat.Finding, error)
}

func (c consultant) Consult(_ context.Context, chat chat.Chat, at []chat.Place) ([]chat.Finding, error) {
	return c.says(chat, at)
}

// ConsultAll reports the problems of every chat of a platform with a running table.
func TestConsultAll(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	anna.At("test:1/2").Writes("/coin")
	other := anna.Event()
	other.Chat, other.Place, other.Command = "elsewhere:2", "elsewhere:2/1", "coin"
	h.Bot.Handle(t.Context(), other)
	var asked []string
	found, err := h.Bot.Help.ConsultAll(t.Context(),
		consultant{bare.NewStage(), func(group chat.Chat, at []chat.Place) ([]chat.Finding, error) {
			asked = append(asked, fmt.Sprint(group, at))
			return []chat.Finding{{Line: games.Say("bot.stands.well", nil)},
				{Line: games.Say("bot.stands.gone", nil), Wrong: true}}, nil
		}})
	if want := "chat test:1: I'm no longer in this chat. Invite me again"; err != nil || len(found) != 1 ||
		found[0].Text != want {
		t.Errorf("found %+v, %v", found, err)
	}
	if !slices.Equal(asked, []string{"test:1[test:1/1 test:1/2]"}) {
		t.Errorf("asked %q", asked)
	}
	_, err = h.Bot.Help.ConsultAll(t.Context(),
		consultant{bare.NewStage(), func(chat.Chat, []chat.Place) ([]chat.Finding, error) {
			return nil, errors.New("no answer")
		}})
	if err == nil || !strings.Contains(err.Error(), "test:1: no answer") {
		t.Errorf("error %v", err)
	}
}

// If a platform cannot be asked, /doctor shows the rest.
func TestDoctorWithoutAPlatform(t *testing.T) {
	h := bare.New(t)
	anna, mod := h.Person("Anna"), h.Person("Mod")
	mod.Admin = true
	anna.Writes("/coin")
	bare.Refused(t, anna.Writes("/doctor"), "Only admins of this chat can see that. Just ask.")
	if err := h.Bot.Lost(t.Context(), "test:1", ""); err != nil {
		t.Fatal(err)
	}
	r := mod.At("test:1/2").Writes("/doctor")
	if r.Private == nil || !slices.Equal(r.Private.Lines, []string{
		"1 table is open here; boards running late: 0.",
		"⚠ Tables I can no longer reach: 1. Type /table in another place to move them there.",
	}) {
		t.Errorf("told %+v", r.Private)
	}
}

func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New()) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
