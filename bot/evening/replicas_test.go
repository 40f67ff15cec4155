package evening_test

import (
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

// TestOneReplicaOpensAnEvening sets an evening at the replica that does not run the chat's loops, and moves these to
// it between the notice and the hour: there is one notice and one lobby.
func TestOneReplicaOpensAnEvening(t *testing.T) {
	stage := bare.NewStage() // both replicas write to one chat
	bare.InPairOn(t, func(string, *bare.Side) chat.Platform { return stage }, func(p *bare.Pair) {
		anna, ben := p.Person("Anna"), p.Person("Ben")
		start := time.Now().UTC().Truncate(time.Minute).Add(14 * time.Minute)
		at := func(s *bare.Side, who *bare.Person, command, text, press string) {
			ev := who.Event()
			ev.Command, ev.Text, ev.Press, ev.Admin = command, text, press, anna.Event().Admin
			p.At(s, ev)
		}
		anna.Admin = true
		at(p.B, anna, "evening", start.Weekday().String()+" "+start.Format("15:04")+" relay notice=10m", "")
		bare.GoOn(time.Until(start.Add(-8 * time.Minute)))
		if n := posts(stage); n != 1 {
			t.Fatalf("%d notices: %q", n, stage.Requests())
		}
		press := stage.Notice().Buttons[0][0].Press
		at(p.A, anna, "", "", press)
		at(p.B, ben, "", "", press)
		bare.GoOn(time.Until(start.Add(-time.Minute)))
		p.A.Leases.Yield()
		bare.GoOn(3 * time.Minute)
		if n := posts(stage); n != 2 {
			t.Errorf("%d posts: %q", n, stage.Requests())
		}
		if now := anna.Table(); now.State != store.Lobby || len(now.Seats) != 2 {
			t.Errorf("table %d is %s with %d seats", now.ID, now.State, len(now.Seats))
		}
	})
}
