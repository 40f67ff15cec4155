package review_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// TestReviewsOfTenAreReadable seats ten people with the longest names at a box,
// and three at Würfelpoker, in German: no page may be longer than a message can be.
func TestReviewsOfTenAreReadable(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for i, line := range []string{"/shutbox 1000000 tiles=1-6", "/wuerfelpoker"} {
		anna := h.Person(strings.Repeat("W", 31) + "A")
		anna.Locale, anna.Admin = "de", true
		anna.Writes("/language de")
		anna.Writes(line)
		people := []*bare.Person{anna}
		for k := range []int{9, 2}[i] {
			p := h.Person(strings.Repeat("W", 31) + string(rune('B'+k)))
			p.Sends(anna.Button("Mitspielen").Press)
			people = append(people, p)
		}
		anna.Sends(fmt.Sprintf("1:%d:0:!start", i+1))
		h.PressOut(people)
		s := bare.NewStage()
		stop := h.OnStage(s)
		s.Until(t, "the review", func([]string) bool { return anna.Writes("/review").Private != nil })
		stop()
		holds(t, anna.Board(), 2000)
		for _, page := range []string{"/review", "/review %d moves", "/review %d moves 99", "/review %d line",
			"/skill"} {
			r := anna.Writes(strings.ReplaceAll(page, "%d", fmt.Sprint(i+1)))
			if r.Private == nil {
				t.Fatalf("%s: %+v", page, r)
			}
			bare.Proper(t, *r.Private)
			holds(t, *r.Private, 4000)
			if p := r.Private.Picture; p != nil && utf8.RuneCountInString(p.Alt) > 1024 {
				t.Errorf("the words of a picture have %d characters", utf8.RuneCountInString(p.Alt))
			}
		}
	}
}

func holds(t *testing.T, m chat.Message, most int) {
	t.Helper()
	if text := bare.Show(m); utf8.RuneCountInString(text) > most {
		t.Errorf("%d characters:\n%s", utf8.RuneCountInString(text), text)
	}
}
