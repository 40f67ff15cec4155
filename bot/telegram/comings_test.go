package telegram

import (
	"fmt"
	"testing"
)

// The bot is told who comes and goes, and nobody is answered.
func TestComingsAndGoings(t *testing.T) {
	s := open(t)
	s.run()
	group := s.server.Group("Friends")
	group.Join(anna, ben, clara)
	group.Leave(anna, ben)
	group.Leave(clara, clara)
	var told []string
	for _, ev := range s.events(3) {
		told = append(told, fmt.Sprint(ev.Chat == chatID(group.ID()), ev.Command, ev.Press, ev.Joined, ev.Left))
	}
	want := "[true[telegram:12 telegram:13] [] true[] [telegram:12] true[] [telegram:13]]"
	if got := fmt.Sprint(told); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
	s.end()
	if n := len(group.Messages()); n != 0 {
		t.Errorf("%d answers", n)
	}
}
