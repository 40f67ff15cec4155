package standings

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The maximum length of a season's name, in letters and in bytes: it must fit into the text of a button.
const (
	maxSeason      = chat.MaxName
	maxSeasonBytes = 32
)

// seasonCommand shows the present season. With a name it asks an admin to confirm the start of a new one, with the word
// of a cadence it changes when seasons begin by themselves, and with that of the final it opens the final.
func (v *Visit) seasonCommand(w bot.Args) error {
	said := w.Text("name")
	word, rest, _ := strings.Cut(said, " ")
	if v.bot.Means(finalWord, word) {
		return v.openFinal(cmp.Or(strings.TrimSpace(rest), w.Text("game")))
	}
	cadence, isCadence := v.bot.cadenceCalled(said)
	_, changesFinal := w["final"]
	switch {
	case isCadence || said == "" && changesFinal:
		return v.changeCadence(cadence, w)
	case said == "":
		return v.showSeason()
	}
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	name, err := v.bot.seasonName(seasons, said)
	if err != nil {
		return err
	}
	if err := v.AdminsOnly("bot.season.admins"); err != nil {
		return err
	}
	present := append(seasons, store.Season{})[0]
	m := v.Private(games.Say("bot.season.ask", games.Args{"Name": chat.Isolate(name)}))
	if present.ID != 0 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.season.ask-old",
			games.Args{"Old": chat.Isolate(present.Name)})))
	}
	begin := chat.Press{What: fmt.Sprintf("/renew %d %s", present.ID, packName(name))}
	m.Row(chat.Button{Label: chat.Shorten(v.Say(games.Say("bot.button.begin-season", nil)), chat.MaxButton),
		Press: begin.String(), Style: games.Primary})
	return nil
}

// seasonOptions returns the options of /season: a name or the word of a cadence or of the final, and the people in
// finals and the game of a final.
func (b *Standings) seasonOptions() []bot.Option {
	people := []bot.Choice{{Value: noFinal, Label: games.Say("bot.season.word.none", nil)}}
	for n := 2; n <= 8; n++ {
		people = append(people, bot.TextChoice(strconv.Itoa(n)))
	}
	return []bot.Option{
		{Name: "name", Type: chat.TypeText, About: games.Say("bot.option.season", nil),
			More: func(*bot.Visit) (all []bot.Choice, err error) {
				for _, c := range append(cadences, cadence{"final", finalWord, 0}) {
					all = append(all, bot.Choice{Value: cmp.Or(c.name, "off"), Label: games.Say(c.key, nil)})
				}
				return all, nil
			}},
		{Name: "final", Type: chat.TypeChoice, Label: games.Say("bot.option-called.final", nil),
			About: games.Say("bot.option.final", nil), Choices: people,
			Also: []bot.Choice{{Value: noFinal, Label: games.Say("bot.season.word.off", nil)}}},
		{Name: "game", Type: chat.TypeText, About: games.Say("bot.option.final-game", nil), Choices: b.GameChoices()},
	}
}

// seasonName returns text as a clean name for a season. It refuses empty names, long ones, those of other seasons, and
// the words of /season.
func (b *Standings) seasonName(seasons []store.Season, text string) (string, error) {
	name := chat.OneLine(text, chat.MaxName)
	if _, isCadence := b.cadenceCalled(name); isCadence || b.Means(finalWord, name) {
		return "", games.Refuse("bot.season.reserved", games.Args{"Name": chat.Isolate(name)})
	}
	if name == "" || utf8.RuneCountInString(text) > maxSeason {
		return "", games.Refuse("bot.season.name", games.Args{"Most": maxSeason})
	}
	letters, size := 0, 0
	for _, r := range name {
		if size += utf8.RuneLen(r); size > maxSeasonBytes { // non-ASCII letters take more bytes, so fewer fit
			return "", games.Refuse("bot.season.name", games.Args{"Most": letters})
		}
		letters++
	}
	if i := slices.IndexFunc(seasons, func(s store.Season) bool { return strings.EqualFold(s.Name, name) }); i >= 0 {
		return "", games.Refuse("bot.season.taken", games.Args{"Name": chat.Isolate(seasons[i].Name)})
	}
	return name, nil
}

// renewCommand handles the button that starts a season. It refuses if another season has started since it was shown.
func (v *Visit) renewCommand(w bot.Args) error {
	number, given := w.Amount("before")
	name, ok := unpackName(w.Text("name"))
	if !given || !ok {
		return games.Refuse("bot.no-such-button", nil)
	}
	if err := v.AdminsOnly("bot.season.admins"); err != nil {
		return err
	}
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	present := append(seasons, store.Season{Final: store.DefaultFinal})[0]
	if present.ID != number {
		return games.Refuse("bot.season.moved-on", nil)
	}
	if name, err = v.bot.seasonName(seasons, name); err != nil {
		return err
	}
	crowned, err := v.crownFirst(&present, 0) // no recap has to name the champion: the answer does
	if err != nil {
		return err
	}
	next := store.Season{Chat: v.Chat.ID, Name: name, Starter: string(v.Event.User), Started: v.At,
		Cadence: present.Cadence, Final: present.Final}
	if next.Due, err = v.seasonEnd(next); err != nil {
		return err
	}
	if _, err := v.Tx.Chats.StartSeason(next); err != nil {
		return err
	}
	v.Wake(v.bot.renewals)
	return v.Public(func() error {
		who := v.bot.ShownName(v.Player.Name, v.Lang)
		m := v.Private(games.Say("bot.season.started", games.Args{"Who": who, "Name": chat.Isolate(name)}))
		if crowned {
			line, err := v.bot.ChampionLine(v.Tx, present, v.Lang)
			if err != nil {
				return err
			}
			m.Lines = append(m.Lines, v.Say(line))
		}
		m.Row(v.Button(games.Say("bot.button.leaderboard", nil), "/leaderboard season", games.Plain))
		return nil
	})
}

// packName encodes name for the text of a button: unchanged if printable ASCII without "=" first, else "=" and base64.
func packName(name string) string {
	if strings.HasPrefix(name, "=") || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "=" + base64.RawURLEncoding.EncodeToString([]byte(name))
	}
	return name
}

// unpackName returns the name that packName encoded as text, and false if text is invalid.
func unpackName(text string) (string, bool) {
	code, coded := strings.CutPrefix(text, "=")
	if !coded {
		return text, true
	}
	raw, err := base64.RawURLEncoding.DecodeString(code)
	return string(raw), err == nil
}

// kind is the kind of a Period: all time, a season, a month, a week or one evening.
type kind byte

// The kinds of periods. Each value is the first letter of the kind's name as an option.
const (
	allTime   kind = 'a'
	season    kind = 's'
	month     kind = 'm'
	week      kind = 'w'
	anEvening kind = 'e'
)

// Period is a span of evenings: all time, a season, a month, a week or one evening.
type Period struct {
	kind   kind
	season int64     // season id, 0 for the time before the first; for seasons only
	first  time.Time // first evening, for months, weeks and evenings only
}

// beforeSeasons is the period before the first season of a chat.
var beforeSeasons = Period{kind: season}

// periodOf returns the period of the kind k (month, week or anEvening) that contains evening.
func periodOf(k kind, evening store.Day) Period {
	day := evening.Time()
	switch k {
	case month:
		day = day.AddDate(0, 0, 1-day.Day())
	case week:
		day = day.AddDate(0, 0, -(int(day.Weekday())+6)%7) // back to Monday
	}
	return Period{kind: k, first: day}
}

// end returns the evening after the last one of the period, which must be a month, a week or an evening.
func (p Period) end() time.Time {
	switch p.kind {
	case month:
		return p.first.AddDate(0, 1, 0)
	case week:
		return p.first.AddDate(0, 0, 7)
	}
	return p.first.AddDate(0, 0, 1)
}

// String returns the period as buttons and options spell it: "all", "season-2", "2026-11", "2026-w47", "2026-11-20".
func (p Period) String() string {
	switch p.kind {
	case season:
		return fmt.Sprint("season-", p.season)
	case month:
		return p.first.Format("2006-01")
	case week:
		year, number := p.first.ISOWeek()
		return fmt.Sprintf("%04d-w%02d", year, number)
	case anEvening:
		return p.first.Format(time.DateOnly)
	}
	return "all"
}

var spelledWeek = regexp.MustCompile(`^([0-9]{4})-w([0-9]{2})$`)

// parsePeriod returns the period that String spells as text, and false if text spells no period.
func parsePeriod(text string) (Period, bool) {
	var n int64
	if m := spelledWeek.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[1])
		number, _ := strconv.Atoi(m[2])
		monday := periodOf(week, store.DayOf(time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC))).first.AddDate(0, 0,
			7*(number-1))
		p := Period{kind: week, first: monday}
		return p, p.String() == text
	}
	if _, err := fmt.Sscanf(text, "season-%d", &n); err == nil {
		p := Period{kind: season, season: n}
		return p, p.String() == text
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return Period{kind: anEvening, first: day}, true
	}
	if day, err := time.Parse("2006-01", text); err == nil {
		return Period{kind: month, first: day}, true
	}
	return Period{kind: allTime}, text == "all"
}

// isPeriodSpelling reports whether word spells a period other than a season in the way of Period.String.
func isPeriodSpelling(word string) bool {
	p, ok := parsePeriod(word)
	return ok && p.kind != season
}

// PeriodLabel returns the name of p for players, with the year if it is not this year. It refuses unknown seasons.
func (v *Visit) PeriodLabel(p Period) (games.Line, error) {
	if p == beforeSeasons {
		return games.Say("bot.period.before-seasons", nil), nil
	}
	if p.kind == season {
		seasons, err := v.Seasons()
		i := slices.IndexFunc(seasons, func(s store.Season) bool { return s.ID == p.season })
		if err != nil || i < 0 {
			return games.Line{}, cmp.Or[error](err, games.Refuse("bot.no-such-button", nil))
		}
		return games.Say("bot.period.season", games.Args{"Name": chat.Isolate(seasons[i].Name)}), nil
	}
	today, err := v.Evening()
	year, number := p.first.Year(), 0
	if p.kind == week {
		year, number = p.first.ISOWeek()
	}
	args := games.Args{"Month": bot.MonthLabel(p.first.Month()), "Week": number, "Year": year}
	this := year == today.Time().Year()
	switch {
	case p.kind == month && this:
		return games.Say("bot.period.a-month", args), err
	case p.kind == month:
		return games.Say("bot.period.month-of-year", args), err
	case p.kind == week && this:
		return games.Say("bot.period.a-week", args), err
	case p.kind == week:
		return games.Say("bot.period.week-of-year", args), err
	case p.kind == anEvening:
		return bot.DayLabel(store.DayOf(p.first), today), err
	}
	return games.Say("bot.period.all", nil), err
}
