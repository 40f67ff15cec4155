package telegram

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/telegram/telegramtest"
)

// Statistics, pictures and games of before: every button that can be reached is
// pressed, and there is never more than the one answer, a text or a picture with
// its words.
func TestStatisticsAndGamesOfBefore(t *testing.T) {
	e := newEvening(t)
	var people []telegramtest.Person
	for i, word := range append(hostile(), strings.Repeat("🎲", 60), "Ben") {
		people = append(people, telegramtest.Person{ID: int64(100 + i), First: strings.ToValidUTF8(word, "?"), Last: "&<>", Language: []string{"en", "de"}[i%2]})
	}
	people = people[len(people)-5:]
	for range 2 {
		there := e.in(e.group, 0)
		e.group.Say(people[0], "/coin 10")
		for _, p := range people[1:] {
			there.press(p, ":!join")
		}
		there.press(people[0], ":!start")
		e.group.Delete(there.play(people...).ID)
	}
	for _, p := range people[:2] {
		before := len(e.messages())
		e.group.Say(p, "/stats")
		e.until("there is an answer", func() bool { return len(e.messages()) == before+1 })
		if pictures := e.walk(p, 30); pictures < 2 {
			t.Errorf("%d pictures were seen", pictures)
		}
		e.until("there is one answer only", func() bool { return len(e.messages()) == before+1 })
	}
	e.group.Say(people[0], "/history@KnobelBot 2 last")
	e.until("the end of a game is looked at again", func() bool {
		all := e.messages()
		text := all[len(all)-1].Text
		return strings.Contains(text, "#2") && (strings.Contains(text, "(+") || strings.Contains(text, "(0)")) // all may have thrown the same
	})
}

// walk presses so many buttons that can be reached from a page, each once, and
// the one that leads to one's own statistics, and returns how many pictures it
// has seen. The page may become another message, or two for a while.
func (e *evening) walk(who telegramtest.Person, presses int) (pictures int) {
	e.t.Helper()
	seen := map[string]bool{}
	var queue []string
	now := func() (m telegramtest.Message) {
		if all := e.messages(); len(all) > 0 {
			m = all[len(all)-1]
		}
		return m
	}
	look := func() {
		m := now()
		if m.Photo != nil {
			pictures++
		}
		if n := utf8.RuneCountInString(m.Text); n > 1500 || strings.Contains(m.Text, "bot.") {
			e.t.Errorf("%d characters: %s", n, m.Text)
		}
		for _, b := range slices.Concat(m.Keyboard...) {
			// One step through a game is like the others.
			if once := regexp.MustCompile(`history \d+ [<>]?\d+`).ReplaceAllString(b.Data, "step"); !seen[once] && !strings.Contains(once, "/l") {
				seen[once] = true
				queue = append(queue, b.Data)
			}
		}
	}
	// written is how often something was written, once nothing is being written.
	written := func() int {
		calls := e.server.Calls("sendMessage", "sendPhoto", "editMessageText", "editMessageMedia")
		if slices.ContainsFunc(calls, func(c telegramtest.Call) bool { return c.Status == 0 }) {
			return -1
		}
		return len(calls)
	}
	turn := func(press string) {
		before := written()
		e.answered(e.group.PressData(who, now().ID, press))
		e.until("the page is written", func() bool { return written() > before && len(now().Keyboard) > 0 })
		look()
	}
	look()
	for ; len(queue) > 0 && presses > 0; presses-- {
		next := queue[0]
		queue = queue[1:]
		turn(next)
	}
	turn("1:0:0:/stats")
	return pictures
}
