package telegram

import (
	"slices"
	"strings"
	"testing"

	"knobel/bot/telegram/telegramtest"
)

// A leaderboard of people with names of all kinds: every button of every menu
// is pressed and draws over the one answer; whoever did not ask for it gets
// their own, and who hides is told alone.
func TestLeaderboards(t *testing.T) {
	e := newEvening(t)
	var people []telegramtest.Person
	for i, word := range append(hostile(), strings.Repeat("W", 64), "Ben", "Ben") {
		people = append(people, telegramtest.Person{ID: int64(100 + i), First: strings.ToValidUTF8(word, "?"), Last: "&<>", Language: "en"})
	}
	for seated := range slices.Chunk(people, 8) {
		there := e.in(e.group, 0)
		e.group.Say(seated[0], "/coin 10")
		for _, p := range seated[1:] {
			there.press(p, ":!join")
		}
		there.press(seated[0], ":!start")
		e.group.Delete(there.play(seated...).ID)
	}
	anna, ben := people[0], people[1]
	e.group.Say(anna, "/leaderboard pool period=all")
	m := e.reads("Pools in chips, all time: 4 games.")
	e.pressAll(anna, m)
	before := len(e.messages())
	e.answered(e.group.PressData(ben, m.ID, press(m, "Ranking…")))
	e.until("Ben has his own", func() bool { return len(e.messages()) == before+1 })

	e.says(e.group.PressData(ben, m.ID, press(m, "Hide me")), "You are off the leaderboards here.")
	e.group.Leave(people[2], people[2])
	e.group.Say(anna, "/leaderboard@KnobelBot rank=pool least=1 against=Nobody At All")
	e.reads("Nobody called “Nobody At All” plays here.")
}

// press is what the first button with one of some labels carries.
func press(m telegramtest.Message, labels ...string) string {
	for _, b := range slices.Concat(m.Keyboard...) {
		if slices.Contains(labels, b.Text) {
			return b.Data
		}
	}
	return ""
}

// pressAll presses every button that can be reached from an answer, each once,
// but for those that hide somebody, and those that lead elsewhere.
func (e *evening) pressAll(who telegramtest.Person, m telegramtest.Message) {
	e.t.Helper()
	seen := map[string]bool{}
	var queue []string
	add := func() {
		now, _ := e.group.Message(m.ID)
		for _, b := range slices.Concat(now.Keyboard...) {
			if !seen[b.Data] && !strings.HasSuffix(b.Data, ".h") && !strings.Contains(b.Data, "/stats") {
				seen[b.Data] = true
				queue = append(queue, b.Data)
			}
		}
	}
	add()
	written := len(e.messages())
	for n := 0; len(queue) > 0 && n < 40; n++ {
		before, _ := e.group.Message(m.ID)
		e.answered(e.group.PressData(who, m.ID, queue[0]))
		queue = queue[1:]
		e.until("the page is turned", func() bool {
			now, ok := e.group.Message(m.ID)
			return ok && (now.Text != before.Text || !slices.EqualFunc(now.Keyboard, before.Keyboard, slices.Equal[[]telegramtest.Button]))
		})
		add()
	}
	if n := len(e.messages()); n != written {
		e.t.Errorf("%d messages more", n-written)
	}
}
