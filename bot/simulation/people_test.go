package simulation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// over is a cancelled context, for calls that must not wait.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// parseInt returns the number in text, 0 if there is none.
func parseInt(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// person is a player with habits.
type person struct {
	w      *town
	number int
	called string
	german bool
	chance *rand.Rand
	at     hall
	on     *discordtest.Person

	// absent is the share of looks at which the person puts the phone away, impatient the share of presses that are
	// made twice, and curious the share of looks at which the person tries something else.
	absent, impatient, curious float64
	// seen is the newest message that the person saw.
	seen message
	// away is the time until which the phone is unused.
	away time.Time
}

var names = []string{"Anna", "Ben", "Clara", "Dora", "Emil", "Fritz", "Gerda", "Hans", "Ida", "Jo", "Karl", "Lena"}

// telegram returns the person's Telegram account.
func (p *person) telegram() telegramtest.Person {
	lang := "en"
	if p.german {
		lang = "de"
	}
	return telegramtest.Person{ID: int64(100 + p.number), First: p.called, Language: lang}
}

// discord returns the person's Discord account.
func (p *person) discord(w *town) *discordtest.Person {
	if p.on == nil {
		lang := "en-US"
		if p.german {
			lang = "de"
		}
		p.on = w.discord.Person(p.called, lang)
	}
	return p.on
}

// user returns the person's user id.
func (p *person) user() string {
	if !p.at.isTelegram() {
		return "discord:" + p.discord(p.w).ID
	}
	return "telegram:" + decimal(p.telegram().ID)
}

// addPeople adds a number of people to a hall; the first is an administrator.
func (w *town) addPeople(at hall, count int) []*person {
	var people []*person
	w.halls = append(w.halls, at)
	for range count {
		n := len(w.people)
		p := &person{
			w: w, number: n, called: names[n%len(names)] + suffix(n/len(names)), german: n%3 == 0, at: at,
			chance: rand.New(rand.NewPCG(w.seed, uint64(100+n))), impatient: 0.05, curious: 0.06,
		}
		if n%4 == 3 {
			p.absent = 0.05
		}
		if len(people) == 0 {
			at.appoint(p)
		}
		w.people = append(w.people, p)
		people = append(people, p)
	}
	return people
}

// suffix returns " 2" for the people who have the names a second time (n 1), and so on; "" for n 0.
func suffix(n int) string {
	if n == 0 {
		return ""
	}
	return " " + decimal(int64(n+1))
}

// attend makes the person look at the hall every few seconds until a time.
func (p *person) attend(until time.Time) {
	p.w.agenda.add(time.Now().Add(time.Duration(1+p.chance.Int64N(int64(20*time.Second)))), func() { p.look(until) })
}

// look lets the person look at the messages and act, and plans the next look.
func (p *person) look(until time.Time) {
	if time.Now().After(until) {
		return
	}
	p.w.looks++
	defer p.attend(until)
	if time.Now().Before(p.away) {
		return
	}
	if p.chance.Float64() < p.absent {
		longest := 6 * time.Minute
		if p.chance.IntN(3) == 0 {
			longest = 3 * time.Hour
		}
		p.away = time.Now().Add(time.Duration(p.chance.Int64N(int64(longest))))
		return
	}
	messages := p.at.messages(p)
	if p.chance.Float64() < p.impatient && p.seen.id != "" {
		messages = []message{p.seen} // a slow phone still shows it
	}
	if len(messages) > 0 {
		p.seen = messages[len(messages)-1]
	}
	if p.chance.Float64() < p.curious {
		p.trySomething(messages)
		return
	}
	for i := len(messages) - 1; i >= 0 && i >= len(messages)-6; i-- {
		if table, _, _, ok := splitData(first(messages[i])); ok && table != 0 {
			p.play(messages[i])
			return
		}
	}
	p.openTable()
}

// first returns the data of the first button, "" if there is none.
func first(m message) string {
	if len(m.buttons) == 0 {
		return ""
	}
	return m.buttons[0].data
}

// buttonFor returns the button of a message whose action begins with a prefix, and false if there is none.
func (m message) buttonFor(what string) (button, bool) {
	for _, b := range m.buttons {
		if _, _, says, ok := splitData(b.data); ok && strings.HasPrefix(says, what) {
			return b, true
		}
	}
	return button{}, false
}

// play makes the person's next press on the board m.
func (p *person) play(m message) {
	_, joins := m.buttonFor("!join")
	_, rematch := m.buttonFor("!rematch")
	if back, covered := m.buttonFor("!refresh"); covered {
		p.press(m, back)
		return
	}
	mine := strings.Contains(m.text, "▸ "+p.called) || strings.Contains(m.text, "▸ **"+p.called)
	switch {
	case joins || strings.Contains(first(m), "!start") || strings.Contains(first(m), "!page"):
		p.join(m)
	case rematch:
		p.afterGame(m)
	case mine:
		p.press(m, p.choice(m))
	case p.chance.Float64() < 0.05:
		p.payOther()
	}
}

// join joins a lobby, agrees to its terms or starts the game.
func (p *person) join(m message) {
	sits := strings.Contains(m.text, p.called)
	join, joins := m.buttonFor("!join")
	agree, agrees := m.buttonFor("!agree")
	start, starts := m.buttonFor("!start")
	switch d := p.chance.Float64(); {
	case d < 0.12:
		p.press(m, m.buttons[p.chance.IntN(len(m.buttons))])
	case !sits && joins && d < 0.8:
		p.press(m, join)
	case sits && agrees && d < 0.4:
		p.press(m, agree)
	case sits && starts && d < 0.5:
		p.press(m, start)
	}
}

// afterGame presses rematch or another button of a finished game, or opens a table.
func (p *person) afterGame(m message) {
	switch d := p.chance.Float64(); {
	case d < 0.4:
		b, _ := m.buttonFor("!rematch")
		p.press(m, b)
	case d < 0.5:
		p.press(m, m.buttons[p.chance.IntN(len(m.buttons))])
	case d < 0.9:
		p.openTable()
	}
}

// choice returns the mover's next button: mostly the first.
func (p *person) choice(m message) button {
	if p.chance.Float64() < 0.45 {
		return m.buttons[0]
	}
	return m.buttons[p.chance.IntN(len(m.buttons))]
}

// press presses a button, rarely twice.
func (p *person) press(m message, b button) {
	press := func() { p.w.note(p, p.at.press(p, m.id, b.data), b.label) }
	press()
	if p.chance.Float64() < p.impatient {
		p.w.agenda.add(time.Now().Add(time.Duration(1+p.chance.IntN(500_000_000))), press)
	}
}

// shortTables and longTables are commands that open a table, as options whose first value is the command.
var (
	shortTables = [][]option{
		{{"", "shutbox"}, {"stake", "2"}, {"tiles", "4"}, {"dice", "1d6"}},
		{{"", "shutbox"}, {"stake", "4"}, {"variant", "lucky-seven"}},
		{{"", "shutbox"}, {"stake", "8"}, {"tiles", "5"}, {"seven", "ends-round"}},
		{{"", "shutbox"}, {"stake", "5"}, {"ties", "roll-off"}, {"tiles", "4"}},
		{{"", "shutbox"}, {"stake", "4"}, {"shut", "pays-double"}, {"tiles", "4"}},
	}
	longTables = [][]option{
		{{"", "shutbox"}, {"stake", "6"}, {"variant", "thai"}},
		{{"", "shutbox"}, {"stake", "5"}, {"tiles", "6"}, {"dice", "1d6"}},
		{{"", "shutbox"}, {"stake", "10"}},
		{{"", "shutbox"}, {"stake", "7"}, {"variant", "golf"}},
		{{"", "shutbox"}, {"stake", "3"}, {"tiles", "4"}, {"match", "rounds:3"}},
		{{"", "shutbox"}, {"stake", "0"}, {"variant", "canoga"}},
		{{"", "wuerfelpoker"}, {"point", "3"}},
		{{"", "wuerfelpoker"}, {"order", "free"}},
	}
)

// openTable opens a table.
func (p *person) openTable() {
	agreed := shortTables[p.chance.IntN(len(shortTables))]
	if p.chance.Float64() < p.w.fate.trouble.lengthy {
		agreed = longTables[p.chance.IntN(len(longTables))]
	}
	if p.w.fate.trouble.hasty {
		agreed = append(agreed[:len(agreed):len(agreed)], turnLimits[0]...)
	} else if p.chance.IntN(3) == 0 {
		agreed = append(agreed[:len(agreed):len(agreed)], turnLimits[p.chance.IntN(len(turnLimits))]...)
	}
	p.send(agreed[0].value, agreed[1:]...)
}

// turnLimits are options for absent players.
var turnLimits = [][]option{
	{{"turn", "1m"}}, {{"turn", "3m"}}, {{"turn", "2m"}, {"absent", "wait"}}, {{"turn", "1m"}, {"absent", "out"}},
	{{"turn", "none"}},
}

// said are texts for options without choices.
var said = []string{"coffees", "me", "1", "en", "Ben", "lots of luck", "<b>&"}

// sendAnyCommand sends a random command with random options.
func (p *person) sendAnyCommand() {
	all := p.w.bot.Commands()
	command := all[p.chance.IntN(len(all))]
	if command.Opens != nil || command.Name == "forget" && p.chance.IntN(10) > 0 {
		p.openTable()
		return
	}
	var given []option
	for _, o := range command.Options {
		switch d := p.chance.Float64(); {
		case o.Type == chat.TypeAmount || d < 0.6:
		case len(o.Choices) > 0:
			given = append(given, option{o.Name, o.Choices[p.chance.IntN(len(o.Choices))].Value})
		case o.Type != chat.TypeChoice:
			given = append(given, option{o.Name, said[p.chance.IntN(len(said))]})
		}
	}
	p.send(command.Name, given...)
}

// trySomething sends a random command or presses a random visible button.
func (p *person) trySomething(messages []message) {
	if len(messages) > 0 && p.chance.IntN(2) == 0 {
		m := messages[max(0, len(messages)-1-p.chance.IntN(4))]
		if len(m.buttons) > 0 {
			p.press(m, m.buttons[p.chance.IntN(len(m.buttons))])
		}
		return
	}
	p.sendAnyCommand()
}

func (p *person) send(command string, options ...option) {
	p.w.note(p, p.at.say(p, command, options...), fmt.Sprint("/", command, options))
}

// note stores an action so that its answer can be checked. said is its command or label.
func (w *town) note(p *person, d *deed, said string) {
	w.acts++
	paid := amountOf(said)
	if d != nil && d.data != "" {
		paid = amountOf(d.data)
	}
	w.paid[paid]++
	if d == nil {
		w.trace.event(p.called, "says", said)
		return
	}
	w.trace.event(p.called, "presses", said, d.data)
	d.life, d.paid, d.at = w.lives, paid, time.Now()
	w.deeds = append(w.deeds, d)
	w.pressed[d.data] = true
}
