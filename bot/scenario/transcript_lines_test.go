package scenario

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// promise is something that groups have missed, and the line of an evening that shows it now.
type promise struct {
	what     string
	evening  string // "box"
	platform string // "": on each
	en, de   string // the line, as a regular expression
	never    string // what no line of the evening says, as a regular expression
}

var promises = []promise{
	{what: "a dead end is said before who is next, with the dice of whoever had them", evening: "box",
		en: `^    \| \d+ does not fit\. Anna has \d+\.\n    \| Ben is next`,
		de: `^    \| \d+ geht nicht auf\. Anna hat \d+\.\n    \| Ben ist dran`},
	{what: "a turn that nobody saw has a line", evening: "box",
		en: `^    \| Clara \(house\) .* → `, de: `^    \| Clara \(Haus\) .* → `},
	{what: "it is said for whom the house has played", evening: "box",
		en: `^    \| The house played for Clara\.`, de: `^    \| Für Clara hat das Haus gespielt\.`},
	{what: "who wins and what they take is the first sentence", evening: "box",
		en: `^Knobel edits #\d+\n    \| \S+ (wins|shuts|shut).* takes? 40 chips`,
		de: `^Knobel edits #\d+\n    \| \S+ (gewinnt|macht).* nimmt 40 Chips`},
	{what: "the button that throws says what it does whatever was drawn last", evening: "poker", platform: "telegram",
		en: `\[Throw the others\]`, de: `\[Die anderen werfen\]`, never: `\[(Throw \d dice|\d Würfel werfen)\]`},
	{what: "a press that closes and throws says so", evening: "box", platform: "telegram",
		en: `\[\d(\+\d)*, throw\]`, de: `\[\d(\+\d)*, werfen\]`},
	{what: "commands are spelled as they are filled in here", evening: "books", platform: "discord",
		en: `/shutbox house:Friday`, de: `/shutbox house:Friday`},
	{what: "who is meant is chosen, and amounts are numbers", evening: "books", platform: "discord",
		en: `^(Ben|Anna) /settle paid amount:3 who:@(Anna|Ben)$`, de: `^(Ben|Anna) /settle paid amount:3 who:@(Anna|Ben)$`},
	{what: "labels are whole where there is room", evening: "games", platform: "discord",
		en: `\[the sum, or the difference as one tile\]`, de: `\[die Summe, oder die Differenz als eine Klappe\]`},
	{what: "what is known is completed", evening: "books", platform: "discord",
		en: `^  Ben reads: \[Friday\]$`, de: `^  Ben reads: \[Friday\]$`},
	{what: "a page for one can be shown to all", evening: "books", platform: "discord",
		en: `^Anna presses \[Show it to all\]\nKnobel posts #\d+\n    \| Pools`,
		de: `^Anna presses \[Allen zeigen\]\nKnobel posts #\d+\n    \| Töpfe`},
	{what: "all are told what an admin changes for them", evening: "books", platform: "discord",
		en: `^    \| Anna: From now on you play for coffees here\.`, de: `^    \| Anna: Hier geht es ab jetzt um Kaffee\.`},
	{what: "receipts are reactions", evening: "books", platform: "telegram",
		en: `^  Anna reads: 👍$`, de: `^  Anna reads: 👍$`},
	{what: "a payment that is confirmed has no buttons any more", evening: "books",
		en: `^    \| \\?#1 .*: paid and confirmed\.\n[^ ]?`, de: `^    \| \\?#1 .*: bezahlt und bestätigt\.\n[^ ]?`},
	{what: "why leads back", evening: "books",
		en: `^\S+ presses \[Why\?\]\n(.+\n)+    .*\[Back\]`, de: `^\S+ presses \[Warum\?\]\n(.+\n)+    .*\[Zurück\]`},
	{what: "a picture says what it says once", evening: "books",
		en: `^    \| Ben began at`, de: `^    \| Ben begann bei`,
		never: `(?s)(Anna began at|Anna begann bei)[^\[]*(Anna began at|Anna begann bei)`},
	{what: "house rules have no version on boards", evening: "books",
		en: `Friday`, de: `Friday`, never: `    \|.* Friday \([0-9a-f]{8}\)`},
	{what: "the dice seal is on no board in play", evening: "box",
		en: `Dice seal`, de: `Würfelsiegel`, never: `\| ▸ [^\[]*\n    \| [^\n]*(Dice seal|Würfelsiegel)[^\[]*\[🎲`},
	{what: "who adds the bot is greeted", evening: "games", platform: "telegram",
		en: `^Anna adds the bot to the group\nKnobel posts #1\n`, de: `^Anna adds the bot to the group\nKnobel posts #1\n`},
	{what: "who says hello is answered", evening: "games", platform: "telegram",
		en: `^Anna says hello to it\nKnobel posts #2\n`, de: `^Anna says hello to it\nKnobel posts #2\n`},
	{what: "who opens a table beside another is told why they see that", evening: "books", platform: "discord",
		en: `You sit at a table here already: `, de: `Du sitzt hier schon an einem Tisch: `},
	{what: "a double tap plays nothing", evening: "books", platform: "telegram",
		en: `That was quick: press again if you mean it\.`, de: `Das ging schnell: Drück noch einmal, wenn du es so meinst\.`},
	{what: "the five dice stand above what is done with them", evening: "poker", platform: "telegram",
		en: `^    (\[\d\] ){5}\[Throw the others\]`, de: `^    (\[\d\] ){5}\[Die anderen werfen\]`},
	{what: "whoever is to move stands out", evening: "box", platform: "discord",
		en: `▸ \*\*Anna\*\*`, de: `▸ \*\*Anna\*\*`},
	{what: "toasts speak to whoever has pressed", evening: "box", platform: "telegram",
		en: `^  Anna reads: You threw \d and \d\.`, de: `^  Anna reads: Du hast \d und \d geworfen\.`},
	{what: "a hint and a word after the end are answered alike", evening: "box",
		en: `This game is over\. ↻ Rematch plays the next\.`, de: `Dieses Spiel ist vorbei\. ↻ Revanche beginnt das nächste\.`,
		never: `There is no table here|Hier ist kein Tisch`},
	{what: "practice has no winner", evening: "games",
		en: `^    \| Anna ends with \d+ points\.`, de: `^    \| Anna (kommt auf|hört mit|endet mit) `, never: `🏆`},
	{what: "the end and its review are one edit", evening: "box",
		en: `Review\]`, de: `Auswertung\]`,
		never: `(?s)takes 40 chips[^\[]*\[↻ Rematch\] \[Dice[^\]]*\]\n(\S[^\n]*\n)?Knobel edits #1\n[^\n]*takes 40 chips`},
	{what: "the sheet is for whoever asks", evening: "poker",
		en: `^Ben presses \[Sheet\]\n(.+\n)*?Knobel posts #\d+ to Ben alone`,
		de: `^Ben presses \[Zettel\]\n(.+\n)*?Knobel posts #\d+ to Ben alone`},
	{what: "the board follows the talk", evening: "books",
		en: `^Ben talks: forty messages\n(.+\n)*?\S+ presses \[.+\n(.*reads.*\n)?Knobel posts #\d+\n`,
		de: `^Ben talks: forty messages\n(.+\n)*?\S+ presses \[.+\n(.*reads.*\n)?Knobel posts #\d+\n`},
	{what: "nothing can be uncovered in the first turn of Canoga", evening: "games",
		en: `: cover \d+\.`, de: `: \d+ zudecken\.`, never: `or uncover|oder auf`},
	{what: "rules are one private page", evening: "games", platform: "discord",
		en: `^Anna presses \[⚙ Rules\]\nKnobel posts #\d+ to Anna alone\n(.+\n)+?    .*\[A turn: 10 minutes\]`,
		de: `^Anna presses \[⚙ Regeln\]\nKnobel posts #\d+ to Anna alone\n(.+\n)+?    .*\[Ein Zug: 10 Minuten\]`},
	{what: "days are told as people write them", evening: "books",
		en: `^    \| 2 November · table 1`, de: `^    \| 2\\?\. November · Tisch 1`, never: `20\d\d-\d\d-\d\d`},
	{what: "a star has its legend", evening: "games",
		en: `\* doubled on the first throw`, de: `\* im ersten Wurf verdoppelt`},
	{what: "where tiles are picked one by one, it is said what is missing", evening: "games",
		en: `Pick tiles that make \d+ together`, de: `Wähl Klappen, die zusammen \d+ ergeben`},
}

// What groups have missed stands in the evenings, in each language and on each platform that it is about.
func TestEveningsShowWhatGroupsHaveMissed(t *testing.T) {
	for _, p := range promises {
		for _, platform := range []string{"discord", "telegram"} {
			if p.platform != "" && p.platform != platform {
				continue
			}
			for language, line := range map[string]string{"en": p.en, "de": p.de} {
				file := p.evening + "-" + platform + "-" + language
				text, err := os.ReadFile(filepath.Join("testdata", "evenings", file+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				if !regexp.MustCompile("(?m)" + line).Match(text) {
					t.Errorf("%s: not in %s: %s", p.what, file, line)
				}
				if p.never == "" {
					continue
				}
				if said := regexp.MustCompile("(?m)" + p.never).Find(text); said != nil {
					t.Errorf("%s: %s says %q", p.what, file, strings.TrimSpace(string(said)))
				}
			}
		}
	}
}
