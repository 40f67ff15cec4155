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

// over is a cancelled context, to wait for nothing.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func whole(text string) int64 {
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

	// absent is the share of looks at which the person has put the phone away, impatient the share of presses
	// that are pressed twice, and curious the share of looks at which something else is tried.
	absent, impatient, curious float64
	// seen is the newest message that they saw.
	seen message
	// away is the time until which the phone is unused.
	away time.Time
}

var names = []string{"Anna", "Ben", "Clara", "Dora", "Emil", "Fritz", "Gerda", "Hans", "Ida", "Jo", "Karl", "Lena"}

// telegram returns the person's account there.
func (p *person) telegram() telegramtest.Person {
	lang := "en"
	if p.german {
		lang = "de"
	}
	return telegramtest.Person{ID: int64(100 + p.number), First: p.called, Language: lang}
}

// discord returns the person's account there.
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

// user returns the person as the bot knows them.
func (p *person) user() string {
	if _, ok := p.at.(*channel); ok {
		return "discord:" + p.discord(p.w).ID
	}
	return "telegram:" + decimal(p.telegram().ID)
}

// settle adds some people to a hall.
func (w *town) settle(at hall, many int) []*person {
	var people []*person
	w.halls = append(w.halls, at)
	for range many {
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

func suffix(n int) string {
	if n == 0 {
		return ""
	}
	return " " + decimal(int64(n+1))
}

// attend makes a person look at the hall every now and then until a moment.
func (p *person) attend(until time.Time) {
	p.w.agenda.add(time.Now().Add(time.Duration(1+p.chance.Int64N(int64(20*time.Second)))), func() { p.look(until) })
}

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
		p.tries(messages)
		return
	}
	for i := len(messages) - 1; i >= 0 && i >= len(messages)-6; i-- {
		if table, _, _, ok := part(first(messages[i])); ok && table != 0 {
			p.plays(messages[i])
			return
		}
	}
	p.opens()
}

func first(m message) string {
	if len(m.buttons) == 0 {
		return ""
	}
	return m.buttons[0].data
}

// carrying returns the button of a message whose data has a prefix.
func (m message) carrying(what string) (button, bool) {
	for _, b := range m.buttons {
		if _, _, says, ok := part(b.data); ok && strings.HasPrefix(says, what) {
			return b, true
		}
	}
	return button{}, false
}

// plays makes the next press of the current board.
func (p *person) plays(m message) {
	_, joins := m.carrying("!join")
	_, rematch := m.carrying("!rematch")
	mine := strings.Contains(m.text, "▸ "+p.called) || strings.Contains(m.text, "▸ **"+p.called)
	switch {
	case joins || strings.Contains(first(m), "!start") || strings.Contains(first(m), "!page"):
		p.gathers(m)
	case rematch:
		p.isOver(m)
	case mine:
		p.presses(m, p.choice(m))
	case p.chance.Float64() < 0.05:
		p.pays()
	}
}

// gathers joins, and starts the game.
func (p *person) gathers(m message) {
	sits := strings.Contains(m.text, p.called)
	join, joins := m.carrying("!join")
	agree, agrees := m.carrying("!agree")
	start, starts := m.carrying("!start")
	switch d := p.chance.Float64(); {
	case d < 0.12:
		p.presses(m, m.buttons[p.chance.IntN(len(m.buttons))])
	case !sits && joins && d < 0.8:
		p.presses(m, join)
	case sits && agrees && d < 0.4:
		p.presses(m, agree)
	case sits && starts && d < 0.5:
		p.presses(m, start)
	}
}

// isOver handles the end of a game.
func (p *person) isOver(m message) {
	switch d := p.chance.Float64(); {
	case d < 0.4:
		b, _ := m.carrying("!rematch")
		p.presses(m, b)
	case d < 0.5:
		p.presses(m, m.buttons[p.chance.IntN(len(m.buttons))])
	case d < 0.9:
		p.opens()
	}
}

// choice returns the mover's next press: mostly the first button.
func (p *person) choice(m message) button {
	if p.chance.Float64() < 0.45 {
		return m.buttons[0]
	}
	return m.buttons[p.chance.IntN(len(m.buttons))]
}

// presses presses a button, sometimes twice.
func (p *person) presses(m message, b button) {
	press := func() { p.w.does(p, p.at.press(p, m.id, b.data), b.label) }
	press()
	if p.chance.Float64() < p.impatient {
		p.w.agenda.add(time.Now().Add(time.Duration(1+p.chance.IntN(500_000_000))), press)
	}
}

// short and lengthy are commands for tables.
var (
	short = [][]option{
		{{"", "shutbox"}, {"stake", "2"}, {"tiles", "4"}, {"dice", "1d6"}},
		{{"", "shutbox"}, {"stake", "4"}, {"variant", "lucky-seven"}},
		{{"", "shutbox"}, {"stake", "8"}, {"tiles", "5"}, {"seven", "ends-round"}},
		{{"", "shutbox"}, {"stake", "5"}, {"ties", "roll-off"}, {"tiles", "4"}},
		{{"", "shutbox"}, {"stake", "4"}, {"shut", "pays-double"}, {"tiles", "4"}},
	}
	lengthy = [][]option{
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

// opens opens a table.
func (p *person) opens() {
	agreed := short[p.chance.IntN(len(short))]
	if p.chance.Float64() < p.w.fate.trouble.lengthy {
		agreed = lengthy[p.chance.IntN(len(lengthy))]
	}
	if p.w.fate.trouble.hasty {
		agreed = append(agreed[:len(agreed):len(agreed)], patience[0]...)
	} else if p.chance.IntN(3) == 0 {
		agreed = append(agreed[:len(agreed):len(agreed)], patience[p.chance.IntN(len(patience))]...)
	}
	p.says(agreed[0].value, agreed[1:]...)
}

// patience is the agreed rule for absent players.
var patience = [][]option{
	{{"turn", "1m"}}, {{"turn", "3m"}}, {{"turn", "2m"}, {"absent", "wait"}}, {{"turn", "1m"}, {"absent", "out"}},
	{{"turn", "none"}},
}

// said are texts for options without choices.
var said = []string{"coffees", "me", "1", "en", "Ben", "lots of luck", "<b>&"}

// asks uses any command with any option.
func (p *person) asks() {
	all := p.w.bot.Commands()
	command := all[p.chance.IntN(len(all))]
	if command.Opens != nil || command.Name == "forget" && p.chance.IntN(10) > 0 {
		p.opens()
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
	p.says(command.Name, given...)
}

// tries something: a command, or any button in sight.
func (p *person) tries(messages []message) {
	if len(messages) > 0 && p.chance.IntN(2) == 0 {
		m := messages[max(0, len(messages)-1-p.chance.IntN(4))]
		if len(m.buttons) > 0 {
			p.presses(m, m.buttons[p.chance.IntN(len(m.buttons))])
		}
		return
	}
	p.asks()
}

func (p *person) says(command string, options ...option) {
	p.w.does(p, p.at.say(p, command, options...), fmt.Sprint("/", command, options))
}

// does notes an action, to be judged when it is answered.
func (w *town) does(p *person, d *deed, said string) {
	w.acts++
	paid := amountOf(said)
	if d != nil && d.data != "" {
		paid = amountOf(d.data)
	}
	w.paid[paid]++
	if d == nil {
		w.trace.tell(p.called, "says", said)
		return
	}
	w.trace.tell(p.called, "presses", said, d.data)
	d.life, d.paid, d.at = w.lives, paid, time.Now()
	w.deeds = append(w.deeds, d)
	w.pressed[d.data] = true
}
