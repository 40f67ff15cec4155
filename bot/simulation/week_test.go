package simulation

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/store/storetest"
)

// TestWeek runs busy groups for a week, or for an evening if there is little time: people come for half an hour, some
// put their phones away, the platforms are away for minutes and the bot for hours.
func TestWeek(t *testing.T) {
	days := 1
	if isLong() {
		days = 7
	}
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 52, 0, trouble{lengthy: 0.06, requests: 0.01, together: true, sweep: 5 * time.Minute})
		halls := w.openClubs()
		w.agreeQuietHours(halls[:2])
		for day := range days {
			for i, h := range halls {
				w.planMeeting(h, day)
				if i%4 == day%4 {
					w.planMeeting(h, day)
				}
			}
			w.planOutages(day)
		}
		w.live(beginning.AddDate(0, 0, days))
		w.end()
		t.Logf("%d tables, %d finished, %d looks, %d acts, %d first absences, %d told of moves", w.tables, w.games,
			w.looks, w.acts, w.missed, w.heard)
		if w.heard < w.games {
			t.Error("hardly any answer to a move was judged: its words are not recognized")
		}
	})
}

// club is a hall with the people who come there.
type club struct {
	hall
	people []*person
}

// openClubs opens two groups and a busy forum on Telegram, and a server on Discord.
func (w *town) openClubs() []club {
	forum := w.telegram.Supergroup("Dice", true)
	guild := w.discord.Guild("The Dice")
	halls := []hall{
		&group{w: w, chat: w.telegram.Group("Friends"), grows: true},
		&group{w: w, chat: w.telegram.Group("Family"), grows: true},
		&channel{w: w, guild: guild, Channel: guild.Channel("table")},
		&channel{w: w, guild: guild, Channel: guild.Channel("other table")},
	}
	for _, topic := range []string{"Games", "More games", "Dice", "Evenings"} {
		halls = append(halls, &group{w: w, chat: forum, topic: forum.Topic(topic)})
	}
	var clubs []club
	for i, h := range halls {
		clubs = append(clubs, club{h, w.addPeople(h, 2+i%3)})
	}
	return clubs
}

// agreeQuietHours sets quiet hours in groups on Telegram. People also play then, but get no reminder.
func (w *town) agreeQuietHours(clubs []club) {
	for _, c := range clubs {
		at := c.hall.(*group)
		// Settings stay: the group keeps its id, and no person changes them.
		at.grows, c.people[0].curious = false, 0
		c.people[0].send("settings", option{"quiet", "quiet=20-10"}, option{"zone", "zone=UTC"})
		w.agenda.add(time.Now().Add(tolerance), func() { w.fate.setQuiet(at.chat.ID()) })
	}
}

// planMeeting lets people come to a hall in the evening of a day, for half an hour or so.
func (w *town) planMeeting(c club, day int) {
	from := beginning.AddDate(0, 0, day).Add(time.Duration(w.chance.Int64N(int64(3 * time.Hour))))
	until := from.Add(20*time.Minute + time.Duration(w.chance.Int64N(int64(20*time.Minute))))
	w.agenda.add(from, func() { w.incidents(c.hall, until) })
	for _, p := range c.people {
		w.agenda.add(from.Add(time.Duration(w.chance.Int64N(int64(time.Minute)))), func() { p.attend(until) })
	}
}

// planOutages makes the platforms unreachable for minutes, twice a day, and the bot for hours every second day.
func (w *town) planOutages(day int) {
	evening := beginning.AddDate(0, 0, day)
	for _, platform := range []string{"telegram", "discord", "telegram", "discord"} {
		from := evening.Add(time.Duration(w.chance.Int64N(int64(4 * time.Hour))))
		w.agenda.add(from, func() {
			w.trace.event("a platform is away")
			w.cut(platform, true)
		})
		w.agenda.add(from.Add(time.Duration(w.chance.Int64N(int64(10*time.Minute)))), func() { w.cut(platform, false) })
	}
	if day%2 == 0 {
		from := evening.Add(time.Hour + time.Duration(w.chance.Int64N(int64(90*time.Minute))))
		w.agenda.add(from, func() { w.restart(time.Hour + time.Duration(w.chance.Int64N(int64(4*time.Hour)))) })
	}
}

// While no player acts, the bot does next to nothing: neither for tables that wait for a player, nor in a chat that
// removed it in the middle of a game.
func TestNobodyIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 1, 0, trouble{sweep: 5 * time.Minute})
		in, out := &group{w: w, chat: w.telegram.Group("In")}, &group{w: w, chat: w.telegram.Group("Out")}
		for _, at := range []*group{in, out} {
			w.startGame(at)
		}
		out.chat.Close()
		w.live(time.Now().Add(time.Hour)) // calls, reminders
		w.fate.mu.Lock()
		w.fate.asked, w.fate.kept = 0, 0
		w.fate.mu.Unlock()
		w.live(time.Now().Add(12 * time.Hour))
		w.fate.mu.Lock()
		asked, kept := w.fate.asked, w.fate.kept
		w.fate.mu.Unlock()
		if asked > 10 || kept > 150 {
			t.Errorf("in half a day without anybody: %d requests, %d commits", asked, kept)
		}
		w.end()
	})
}

// startGame lets two people start a game without turn times and make a move each.
func (w *town) startGame(at *group) {
	w.Helper()
	people := w.addPeople(at, 2)
	press := func(p *person, what string) {
		w.live(time.Now().Add(10 * time.Second))
		for _, m := range at.messages(nil) {
			if b, ok := m.buttonFor(what); ok {
				w.note(p, at.press(p, m.id, b.data), what)
				return
			}
		}
		w.Fatalf("nothing to press carries %q: %+v", what, at.messages(nil))
	}
	people[0].send("shutbox", option{"stake", "5"}, option{"variant", "lucky-seven"}, option{"turn", "none"})
	press(people[1], "!join")
	press(people[0], "!start")
	press(people[0], "throw")
	w.live(time.Now().Add(time.Second))
}

// evening is a town with people for a while, and all faults.
func evening(t *testing.T, seed uint64, lasts time.Duration) (w *town) {
	synctest.Test(t, func(t *testing.T) {
		w = newTown(t, seed, 0, trouble{lengthy: 0.4, requests: 0.06, disk: 0.01, deaths: 0.008})
		w.strict = checkInterval()
		forum := w.telegram.Supergroup("Dice", true)
		guild := w.discord.Guild("The Dice")
		for _, at := range []hall{
			&group{w: w, chat: w.telegram.Group("Friends"), grows: true},
			&group{w: w, chat: forum, topic: forum.Topic("Games")},
			&channel{w: w, guild: guild, Channel: guild.Channel("table")},
		} {
			w.incidents(at, time.Now().Add(lasts))
			for _, p := range w.addPeople(at, 2+int(seed%3)) {
				p.attend(time.Now().Add(lasts))
			}
		}
		w.live(time.Now().Add(lasts + 5*time.Minute))
		w.end()
	})
	return w
}

// isLong reports whether long tests are wanted.
func isLong() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// How long an evening takes if a test plays few evenings (longEvening), or very many (shortEvening).
const (
	longEvening  = 25 * time.Minute
	shortEvening = 6 * time.Minute
)

// veryMany is the number of evenings above which they are short and invariants are not checked after each step.
const veryMany = 100

// checkInterval returns after how many steps of an evening invariants are checked.
func checkInterval() int {
	if seeds, _ := seedCount(); seeds > veryMany {
		return 8
	}
	return 1
}

// seedCount returns how many seeds are tested, and how long each evening takes.
func seedCount() (seeds int, lasts time.Duration) {
	if n, err := strconv.Atoi(os.Getenv("KNOBEL_SEEDS")); err == nil {
		if n > veryMany {
			return n, shortEvening
		}
		return n, longEvening
	}
	if isLong() || oneSeed() != "" {
		return 10, longEvening
	}
	return 1, shortEvening
}

func TestSeeds(t *testing.T) {
	seeds, lasts := seedCount()
	if seed, err := strconv.ParseUint(oneSeed(), 10, 64); err == nil {
		evening(t, seed, lasts)
		return
	}
	games, deaths, payments := 0, 0, 0
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := evening(t, uint64(seed), lasts)
			games, deaths, payments = games+w.games, deaths+w.lives-1, payments+w.payments
		})
	}
	t.Logf("%d games, %d deaths, %d payments", games, deaths, payments)
}

func TestSeedReproduces(t *testing.T) {
	seed, err := strconv.ParseUint(oneSeed(), 10, 64)
	if err != nil {
		seed = 1
	}
	lasts := 4 * time.Minute
	if isLong() {
		lasts *= 2
	}
	one, other := evening(t, seed, lasts).trace, evening(t, seed, lasts).trace
	if one.sum() == other.sum() {
		return
	}
	a, b := one.story(), other.story()
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-8)
			t.Fatalf("the same seed lives through this:\n%s\nand this:\n%s", strings.Join(a[from:i+3], "\n"),
				strings.Join(b[from:i+3], "\n"))
		}
	}
	t.Errorf("the same seed lives through %d and through %d lines", len(a), len(b))
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
