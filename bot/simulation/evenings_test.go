package simulation

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot"
	"knobel/store"
)

// TestEvenings lets two groups in different zones meet every evening, for some days around the end of a monthly season
// or, in a long test, for a month. On most evenings the bot is off for a while, dies or cannot reach the platform, or
// another table is being played. The almanac judges what opens.
func TestEvenings(t *testing.T) {
	first, days, seeds := time.Date(2026, 11, 28, 14, 0, 0, 0, time.UTC), 4, uint64(1)
	if isLong() {
		first, days, seeds = time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC), 30, 2
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(first))
			w := newTown(t, seed, 0, trouble{requests: 0.01, deaths: 0.001, sweep: 5 * time.Minute,
				together: true, hasty: true})
			guild := w.discord.Guild("The Dice")
			a := &almanac{town: w, shown: map[string]map[string]bool{}, told: map[string]bool{},
				asked: map[string]time.Time{}}
			w.evenings = a
			a.settle(&group{w: w, chat: w.telegram.Group("Friends")}, "Europe/Berlin")
			a.settle(&channel{w: w, guild: guild, Channel: guild.Channel("table")}, "America/New_York")
			for day := range days {
				for _, r := range a.regulars {
					a.planEvening(r, first.AddDate(0, 0, day))
				}
			}
			w.live(first.AddDate(0, 0, days).Add(16 * time.Hour))
			a.checkSeasons()
			t.Logf("%d tables opened, %d evenings without one, %d finals", a.met, a.unmet, a.finals)
			if a.met == 0 || isLong() && (a.unmet == 0 || a.finals == 0) {
				t.Error("not all that can happen has happened")
			}
			w.end()
		})
	}
}

// span is a time from one moment to another.
type span struct{ from, to time.Time }

// almanac knows when fixed evenings begin, and judges what the bot opens and posts.
type almanac struct {
	*town
	regulars []*regulars
	// shown holds the messages that people have seen of each notice and recap: ids by what it is about.
	shown map[string]map[string]bool
	// told is what the answer to the last press confirmed: whether the person comes, by evening and person; asked is
	// the time of that press.
	told               map[string]bool
	asked              map[string]time.Time
	met, unmet, finals int // evenings with and without a table, and finals
}

// regulars is a group with an evening at eight on each day of the week.
type regulars struct {
	club
	zone *time.Location
}

// chat returns the id of the group.
func (r *regulars) chat() string { return r.name()[:strings.LastIndex(r.name(), ":")] }

// settle adds a group whose admin sets the zone, a monthly season with a final, and seven evenings.
func (a *almanac) settle(at hall, zone string) {
	a.Helper()
	in, err := time.LoadLocation(zone)
	if err != nil {
		a.Fatal(err)
	}
	r := &regulars{club{at, a.addPeople(at, 3)}, in}
	a.regulars = append(a.regulars, r)
	for _, p := range r.people {
		p.curious, p.impatient = 0, 0
	}
	admin := r.people[0]
	commands := []func(){
		func() { admin.send("settings", option{"zone", "zone=" + zone}) },
		func() { admin.send("season", option{"name", "monthly"}) },
	}
	if !at.isTelegram() {
		commands[0] = func() { admin.send("settings", option{"zone", zone}) }
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		commands = append(commands, func() {
			if terms := "stake=2 tiles=4 dice=1d6 turn=1m"; at.isTelegram() {
				admin.send("evening", option{"when", fmt.Sprint(day, " 20:00 shutbox ", terms)})
			} else {
				admin.send("evening", option{"day", strings.ToLower(day.String())}, option{"time", "20:00"},
					option{"game", "shutbox"}, option{"options", terms})
			}
		})
	}
	for n, command := range commands {
		done := func() (all int) {
			a.view(func(tx *store.Tx) error {
				set, err := bot.SettingsOf(tx, r.chat())
				seasons, err2 := tx.Chats.Seasons(r.chat())
				evenings, err3 := tx.Calls.EveningsOf(r.chat())
				if all = len(seasons) + len(evenings); set["zone"] == zone {
					all++
				}
				return errors.Join(err, err2, err3)
			})
			return all
		}
		for try := 0; done() <= n; try++ { // a fault may have swallowed it
			if try == 9 {
				a.Fatalf("seed %d: %s is not heard at %s", a.seed, fmt.Sprint("command ", n), r.name())
			}
			command()
			a.live(time.Now().Add(30 * time.Second))
		}
	}
}

// planEvening plans the evening of a day: who answers, what goes wrong, who plays, and the judgement.
func (a *almanac) planEvening(r *regulars, day time.Time) {
	e := &eveningOf{regulars: r, start: time.Date(day.Year(), day.Month(), day.Day(), 20, 0, 0, 0, r.zone)}
	at := func(from, to time.Duration, do func()) {
		a.agenda.add(e.start.Add(from+time.Duration(a.chance.Int64N(int64(to-from)))), do)
	}
	for _, p := range r.people {
		for range 1 + a.chance.IntN(2) { // some change their mind
			verb := "in"
			if a.chance.IntN(4) == 0 {
				verb = "out"
			}
			at(-55*time.Minute, -3*time.Minute, func() { a.answer(p, e, verb) })
		}
		at(time.Minute, 2*time.Minute, func() { p.attend(e.start.Add(30 * time.Minute)) })
	}
	if a.chance.IntN(5) == 0 {
		at(-80*time.Minute, -4*time.Minute, func() { a.skip(e) })
	}
	if a.chance.IntN(4) == 0 {
		at(-20*time.Minute, -15*time.Minute, func() { a.playOn(e, time.Duration(a.chance.IntN(170))*time.Minute) })
	}
	switch a.chance.IntN(4) {
	case 0:
		off := time.Duration(1+a.chance.IntN(50)) * time.Minute
		at(-70*time.Minute, 35*time.Minute, func() {
			if time.Now().Add(off).After(e.start) {
				a.expect(e) // as it stays until the bot is back
			}
			a.restart(off)
		})
	case 1:
		platform, _, _ := strings.Cut(r.name(), ":")
		at(-70*time.Minute, 35*time.Minute, func() { a.cut(platform, true) })
		at(36*time.Minute, 60*time.Minute, func() { a.cut(platform, false) })
	}
	a.agenda.add(e.start.Add(-time.Hour-time.Second), func() { e.lost = a.fate.maybeSent() })
	a.agenda.add(e.start.Add(-time.Second), func() { a.expect(e) })
	for minute := range 125 {
		a.agenda.add(e.start.Add(time.Duration(minute)*time.Minute+time.Second), func() { a.watch(e) })
	}
	for minute := range 65 { // a bot that has died begins again
		a.agenda.add(e.start.Add(time.Duration(minute-62)*time.Minute), func() {})
		a.agenda.add(e.start.Add(14*time.Hour+time.Duration(minute)*time.Minute), func() {}) // the recap comes at ten
	}
	a.agenda.add(e.start.Add(3*time.Hour), func() { a.judgeEvening(e) })
}

// eveningOf is an evening of a group, as it was when it began.
type eveningOf struct {
	*regulars
	start   time.Time
	id      int64
	lost    int  // how many messages may have been sent before the notice without the bot knowing
	known   bool // what follows is known: the bot had not begun the evening when people were asked
	coming  int  // people
	skipped bool
	blocked bool      // a table is being played when it begins
	free    time.Time // when no table was being played any more
}

// key names the evening in notices and presses.
func (e *eveningOf) key() string { return fmt.Sprint(e.id, " ", e.start.UnixMilli()) }

// stored reads the evening as it is stored.
func (a *almanac) stored(e *eveningOf) (found store.Evening, ok bool) {
	a.view(func(tx *store.Tx) error {
		all, err := tx.Calls.EveningsOf(e.chat())
		i := slices.IndexFunc(all, func(one store.Evening) bool { return one.Weekday == int64(e.start.Weekday()) })
		if ok = i >= 0; ok {
			found = all[i]
			e.id = found.ID
		}
		return err
	})
	if !ok {
		a.Errorf("seed %d: %s has no evening on %s", a.seed, e.chat(), e.start.Weekday())
	}
	return found, ok
}

// answer presses a button of the evening's notice, if it is there.
func (a *almanac) answer(p *person, e *eveningOf, verb string) {
	a.stored(e)
	for _, m := range p.at.messages(nil) {
		if b, ok := m.buttonFor("/evening #" + verb + " " + e.key()); ok {
			about := e.key() + " " + p.user()
			a.asked[about] = time.Now()
			delete(a.told, about)
			p.press(m, b)
		}
	}
}

// skip lets the admin press that the next evening does not take place or, if it does not, that it does.
func (a *almanac) skip(e *eveningOf) {
	if all := e.messages(nil); len(all) > 0 {
		if is, ok := a.stored(e); ok {
			p := e.people[0]
			p.press(all[len(all)-1], button{"Not this week", fmt.Sprint("1:0:0:/evening #skip ", is.ID)})
		}
	}
}

// playOn lets two people begin a game before the hour and vote to end it some time later.
func (a *almanac) playOn(e *eveningOf, lasts time.Duration) {
	one, other := e.people[1], e.people[2]
	press := func(p *person, what string) func() {
		return func() {
			for _, m := range slices.Backward(e.messages(nil)) {
				if b, ok := m.buttonFor(what); ok {
					p.press(m, b)
					return
				}
			}
		}
	}
	for i, do := range []func(){
		func() {
			one.send("shutbox", option{"stake", "5"}, option{"variant", "lucky-seven"}, option{"turn", "none"})
		},
		press(other, "!join"), press(one, "!start"), press(one, "throw"), press(other, "throw"),
	} {
		a.agenda.add(time.Now().Add(time.Duration(i)*time.Minute), do)
	}
	a.agenda.add(time.Now().Add(15*time.Minute+lasts), func() { one.send("abandon") })
	a.agenda.add(time.Now().Add(16*time.Minute+lasts), press(other, "!vote yes"))
}

// hear notes what the answer to a press of a notice's button confirms.
func (a *almanac) hear(d *deed, said string) {
	verb, key, ok := strings.Cut(strings.TrimPrefix(d.data, "1:0:0:/evening #"), " ")
	if a == nil || !ok || verb != "in" && verb != "out" {
		return
	}
	confirms := []string{"You're in.", "Du bist dabei.", "Not this time, then.", "Dann ein andermal."}
	if about := key + " " + d.who.user(); slices.Contains(confirms, said) && d.at.Equal(a.asked[about]) {
		a.told[about] = verb == "in"
	}
}

// aRecap matches the heading of a recap.
var aRecap = regexp.MustCompile(`(?:The evening of|Der Abend vom) [^:]*:`)

// noteMessages notes the notices and recaps that people see.
func (a *almanac) noteMessages() {
	if a == nil {
		return
	}
	for _, r := range a.regulars {
		for _, m := range r.messages(nil) {
			about := aRecap.FindString(m.text)
			if b, ok := m.buttonFor("/evening #in "); ok {
				about = b.data
			}
			if about == "" {
				continue
			}
			about = r.chat() + " " + about
			if a.shown[about] == nil {
				a.shown[about] = map[string]bool{}
			}
			a.shown[about][m.id] = true
		}
	}
}
