package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// TestReviewsOfTenAreReadable seats ten people with the longest names at a box,
// and three at Würfelpoker, in German: no page may be longer than a message can be.
func TestReviewsOfTenAreReadable(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	for i, line := range []string{"/shutbox 1000000 tiles=1-6", "/wuerfelpoker"} {
		anna := h.person(strings.Repeat("W", 31) + "A")
		anna.locale, anna.admin = "de", true
		anna.writes("/language de")
		anna.writes(line)
		people := []*person{anna}
		for k := range []int{9, 2}[i] {
			p := h.person(strings.Repeat("W", 31) + string(rune('B'+k)))
			p.sends(anna.button("Mitspielen").Press)
			people = append(people, p)
		}
		anna.sends(fmt.Sprintf("1:%d:0:!start", i+1))
		h.pressOut(people)
		s := newStage()
		stop := h.onStage(s)
		s.until(t, "the review", func([]string) bool { return anna.writes("/review").Private != nil })
		stop()
		holds(t, anna.board(), 2000)
		for _, page := range []string{"/review", "/review %d moves", "/review %d moves 99", "/review %d line",
			"/skill"} {
			r := anna.writes(strings.ReplaceAll(page, "%d", fmt.Sprint(i+1)))
			if r.Private == nil {
				t.Fatalf("%s: %+v", page, r)
			}
			proper(t, *r.Private)
			holds(t, *r.Private, 4000)
			if p := r.Private.Picture; p != nil && utf8.RuneCountInString(p.Alt) > 1024 {
				t.Errorf("the words of a picture have %d characters", utf8.RuneCountInString(p.Alt))
			}
		}
	}
}

func holds(t *testing.T, m chat.Message, most int) {
	t.Helper()
	if text := show(m); utf8.RuneCountInString(text) > most {
		t.Errorf("%d characters:\n%s", utf8.RuneCountInString(text), text)
	}
}
