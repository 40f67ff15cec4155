package main

import (
	"fmt"
	"testing"

	"knobel/bot/chat"
	"knobel/store/storetest"
)

// The program's bot knows who is at one browser.
func TestNobodyTakesASeatFromTheirSecondSelfAtOneBrowser(t *testing.T) {
	st := storetest.Open(t)
	b := quietBot(t, st)
	var last chat.Reply
	for i, step := range []struct {
		user          chat.User
		command, what string
	}{
		{"web:aa:0", "shutbox", "10"}, {"web:bb:0", "", "1:1:0:!join"}, {"web:aa:0", "", "1:1:0:!start"},
		{"web:aa:0", "handover", ""}, {"web:aa:1", "", "1:1:0:!take 0"},
	} {
		ev := chat.Event{ID: fmt.Sprint("web:", i), Chat: "web:room", Place: "web:room", User: step.user,
			Name: string(step.user), Locale: "en"}
		if ev.Command, ev.Text = step.command, step.what; step.command == "" {
			ev.Press, ev.Text = step.what, ""
		}
		last = b.Handle(t.Context(), ev)
	}
	if last.Toast != "Not to somebody at the same browser. Others may take it." {
		t.Errorf("told %q", last.Toast)
	}
}
