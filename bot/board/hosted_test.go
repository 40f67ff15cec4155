package board_test

import (
	"regexp"
	"testing"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/store"
)

// In a room with a host, and where all are equal, nothing that people read of commands, and no answer to one, speaks of
// admins: there are none.
func TestNobodyIsToldOfAdminsWhereThereAreNone(t *testing.T) {
	for _, lang := range []string{"en", "de"} {
		for i := range 4 {
			rules, hosted := i%2 == 1, i < 2
			h := bare.New(t)
			anna, ben := h.Person("Anna"), h.Person("Ben")
			anna.Admin, ben.Admin = true, !hosted
			for _, p := range []*bare.Person{anna, ben} {
				p.Locale, p.Hosted, p.Equals = lang, hosted, !hosted
			}
			anna.Writes("/language " + lang)
			anna.Writes("/settings calls=off")
			bare.Owing(h, "chips", map[string]int64{"Anna": -40, "house": 40})
			anna.Writes("/settle paid 40 House")
			ben.Writes("/coin")
			if rules {
				anna.Writes("/house save sunday")
			}
			for _, p := range []*bare.Person{ben, anna} {
				for _, line := range everyCommand(h.Bot.AllCommands) {
					namesNoAdmin(t, line, p.Writes(line))
				}
			}
			for _, typed := range []string{"doctor", "house", "season", "settings"} {
				ev := ben.Event()
				ev.Command = "help"
				for _, c := range h.Bot.Complete(t.Context(), ev, "about", typed) {
					if label := c.Label[lang]; anAdmin.MatchString(label) || label == "" {
						t.Errorf("/help about=%s is offered as %q", typed, label)
					}
				}
			}
		}
	}
	for _, c := range bare.New(t).Bot.Commands() {
		for _, row := range append(c.Rows, c) {
			for lang, about := range row.About {
				told := []string{about}
				if row.Hosted != nil || row.Equals != nil {
					told = []string{row.Hosted[lang], row.Equals[lang]}
				}
				for _, about := range told {
					if anAdmin.MatchString(about) || about == "" {
						t.Errorf("/%s %s does %q", c.Name, row.Name, about)
					}
				}
			}
		}
	}
}

// everyCommand returns lines that have every command answer and /help explain it, and those that ask for what is not
// there.
func everyCommand(all []bot.Command) []string {
	lines := []string{"/leaderboard season", "/settle back 1", "/house save x", "/house drop x", "/season Winter",
		"/settings pace=quick", "/settings idle=?", "/unit coffees", "/language fr", "/start"}
	for _, subject := range bot.Subjects {
		lines = append(lines, "/help "+subject)
	}
	for _, c := range all {
		if !c.Hidden && c.Name != "forget" {
			lines = append(lines, "/"+c.Name, "/help "+c.Name)
		}
	}
	return lines
}

var anAdmin = regexp.MustCompile(`(?i)admin`)

// namesNoAdmin looks at all that an answer says.
func namesNoAdmin(t *testing.T, line string, r chat.Reply) {
	t.Helper()
	text := r.Toast
	if r.Private != nil {
		text += "\n" + bare.Show(*r.Private) + r.Private.Small
	}
	if anAdmin.MatchString(text) {
		t.Errorf("%s is answered\n%s", line, text)
	}
}

// The version of house rules is told only where a name has had several, and everywhere else those of
// before are told apart in words.
func TestHouseRulesAreCalled(t *testing.T) {
	kept := store.HouseRules{ID: 2, Game: "shutbox", Name: "Friday", Version: "b", Kept: true}
	first := store.HouseRules{ID: 1, Game: "shutbox", Name: "friday", Version: "a"}
	third := store.HouseRules{ID: 3, Game: "shutbox", Name: "Friday", Version: "c"}
	other := store.HouseRules{ID: 4, Game: "pile", Name: "Friday", Version: "d", Kept: true}
	dropped := store.HouseRules{ID: 5, Game: "pile", Name: "Monday", Version: "e"}
	for _, c := range []struct {
		all          []store.HouseRules
		h            store.HouseRules
		called, aged string
	}{
		{[]store.HouseRules{kept, other}, kept, "bot.text", "bot.text"},
		{[]store.HouseRules{kept, other}, other, "bot.text", "bot.text"},
		{[]store.HouseRules{other, dropped}, dropped, "bot.text", "bot.text"},
		{[]store.HouseRules{first, kept}, kept, "bot.house-rules.version", "bot.text"},
		{[]store.HouseRules{first, kept}, first, "bot.house-rules.version", "bot.house-rules.earlier"},
		{[]store.HouseRules{first, kept, third}, first, "bot.house-rules.version", "bot.house-rules.earlier-nth"},
	} {
		if called := board.VersionLabel(c.all, c.h).Key; called != c.called {
			t.Errorf("%s %s of %d is called by %s", c.h.Game, c.h.Version, len(c.all), called)
		}
		if aged := board.AgeLabel(c.all, c.h).Key; aged != c.aged {
			t.Errorf("%s %s of %d is called by %s among others", c.h.Game, c.h.Version, len(c.all), aged)
		}
	}
	all := []store.HouseRules{first, kept, third}
	if nth := board.AgeLabel(all, first).Args["N"]; nth != 2 {
		t.Errorf("the oldest is number %v of before", nth)
	}
}
