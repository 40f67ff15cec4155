package board_test

import (
	"regexp"
	"testing"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/chat"
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
