package bot_test

import (
	"testing"
	"time"

	"knobel/bot/chat"
)

func TestTallyOfAMinute(t *testing.T) {
	var m chat.Tally
	at := time.UnixMilli(1_700_000_000_000)
	for range 3 {
		m.Count("a", chat.Sent, at)
	}
	m.Count("a", chat.Edited, at.Add(20*time.Second))
	m.Count("a", chat.Called, at.Add(30*time.Second))
	m.Count("a", chat.Slowed, at.Add(30*time.Second))
	m.Count("b", chat.Sent, at.Add(40*time.Second))
	first, second := m.Wait("a"), m.Wait("a")
	first()
	for _, c := range []struct {
		after time.Duration
		want  chat.Budget
	}{
		{59 * time.Second, chat.Budget{Sends: 3, Edits: 1, Calls: 1, Waiting: 1}},
		{60 * time.Second, chat.Budget{Edits: 1, Calls: 1, Waiting: 1}},
		{2 * time.Minute, chat.Budget{Waiting: 1}},
	} {
		if c.after == 59*time.Second {
			want := chat.Budget{Sends: 4, Edits: 1, Calls: 1, Slowed: 1, Waiting: 1, Busiest: 4}
			if got := m.Whole(at.Add(c.after)); got != want {
				t.Errorf("all chats: %+v, want %+v", got, want)
			}
		}
		if got := m.Budget("a", at.Add(c.after)); got != c.want {
			t.Errorf("after %v: %+v, want %+v", c.after, got, c.want)
		}
	}
	second()
	want := chat.Budget{Sends: 4, Edits: 1, Calls: 1, Slowed: 1}
	if got := m.Whole(at.Add(2 * time.Minute)); got != want {
		t.Errorf("at the end: %+v, want %+v", got, want)
	}
}
