package simulation

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestWeek is the life of busy groups for a week, or for an evening where there is little time: people come for half
// an hour or so, some put their phones away, the platforms are away for minutes and the bot for hours.
func TestWeek(t *testing.T) {
	days := 1
	if long() {
		days = 7
	}
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 52, 0, trouble{lengthy: 0.06, requests: 0.01, together: true, sweep: 5 * time.Minute})
		halls := w.places()
		w.hush(halls[:2])
		for day := range days {
			for i, h := range halls {
				w.meeting(h, day)
				if i%4 == day%4 {
					w.meeting(h, day)
				}
			}
			w.outages(day)
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

// club is a hall and who comes there.
type club struct {
	hall
	people []*person
}

// places are two groups and a busy forum on Telegram, and a server on Discord.
func (w *town) places() []club {
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
		clubs = append(clubs, club{h, w.settle(h, 2+i%3)})
	}
	return clubs
}

// hush has groups on Telegram agree on quiet hours: people there meet in them, too, and no player is reminded.
func (w *town) hush(clubs []club) {
	for _, c := range clubs {
		at := c.hall.(*group)
		// Settings stay: the group keeps its id, and no person changes them.
		at.grows, c.people[0].curious = false, 0
		c.people[0].says("settings", option{"quiet", "quiet=20-10"}, option{"zone", "zone=UTC"})
		w.agenda.add(time.Now().Add(tolerance), func() { w.fate.hush(at.chat.ID()) })
	}
}

// meeting has people come to a hall in the evening, for half an hour or so.
func (w *town) meeting(c club, day int) {
	from := beginning.AddDate(0, 0, day).Add(time.Duration(w.chance.Int64N(int64(3 * time.Hour))))
	until := from.Add(20*time.Minute + time.Duration(w.chance.Int64N(int64(20*time.Minute))))
	w.agenda.add(from, func() { w.incidents(c.hall, until) })
	for _, p := range c.people {
		w.agenda.add(from.Add(time.Duration(w.chance.Int64N(int64(time.Minute)))), func() { p.attend(until) })
	}
}

// outages has the platforms be away for minutes, twice a day, and the bot for hours on every other.
func (w *town) outages(day int) {
	evening := beginning.AddDate(0, 0, day)
	for _, platform := range []string{"telegram", "discord", "telegram", "discord"} {
		from := evening.Add(time.Duration(w.chance.Int64N(int64(4 * time.Hour))))
		w.agenda.add(from, func() {
			w.trace.tell("a platform is away")
			w.cut(platform, true)
		})
		w.agenda.add(from.Add(time.Duration(w.chance.Int64N(int64(10*time.Minute)))), func() { w.cut(platform, false) })
	}
	if day%2 == 0 {
		from := evening.Add(time.Hour + time.Duration(w.chance.Int64N(int64(90*time.Minute))))
		w.agenda.add(from, func() { w.restart(time.Hour + time.Duration(w.chance.Int64N(int64(4*time.Hour)))) })
	}
}

// While no player acts, the bot does next to nothing: not for tables that
// wait for a player, and not in a chat that removed it in the middle of a game.
func TestNobodyIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 1, 0, trouble{sweep: 5 * time.Minute})
		in, out := &group{w: w, chat: w.telegram.Group("In")}, &group{w: w, chat: w.telegram.Group("Out")}
		for _, at := range []*group{in, out} {
			w.begins(at)
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

// begins has two people begin a game without a limit, in which each has moved.
func (w *town) begins(at *group) {
	w.Helper()
	people := w.settle(at, 2)
	press := func(p *person, what string) {
		w.live(time.Now().Add(10 * time.Second))
		for _, m := range at.messages(nil) {
			if b, ok := m.carrying(what); ok {
				w.does(p, at.press(p, m.id, b.data), what)
				return
			}
		}
		w.Fatalf("nothing to press carries %q: %+v", what, at.messages(nil))
	}
	people[0].says("shutbox", option{"stake", "5"}, option{"variant", "lucky-seven"}, option{"turn", "none"})
	press(people[1], "!join")
	press(people[0], "!start")
	press(people[0], "throw")
	w.live(time.Now().Add(time.Second))
}
