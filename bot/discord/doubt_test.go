package discord

import (
	"context"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

// While the database is away for all, longer than the shard's lease, the connection stays and people read the
// apology. Afterwards the same session continues.
func TestWhileTheDatabaseIsAwayPeopleReadTheSentence(t *testing.T) {
	c := crowds(t, discordtest.Options{})
	one := c.all[0]
	c.give(0, one)
	c.run()
	c.begun(1)
	c.hears(0, one)
	for _, r := range c.all {
		r.Doubt(true)
	}
	for range 2 {
		c.answered(c.halls[0].Slash(c.anna, "help"), "Sorry.")
	}
	if n := len(one.core.seen()); n != 1 {
		t.Errorf("%d events are handed on", n-1)
	}
	for _, r := range c.all {
		r.Doubt(false)
	}
	c.hears(0, one)
	if n := len(c.server.Starts()); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

// A replica is cut off alone and another takes over: both receive everything, and people read the other's answers,
// even slow ones. Once the first can ask for the lease again, it leaves.
func TestWhoIsCutOffAloneLeavesTheAnswerToTheOther(t *testing.T) {
	c := crowds(t, discordtest.Options{})
	c.times.putOff, c.times.regret = 1500*time.Millisecond, 5*time.Second
	one, two := c.all[0], c.all[1]
	c.give(0, one)
	c.run()
	c.begun(1)
	c.hears(0, one)
	one.Doubt(true)
	c.leases.Lapse(c.lease(), 0)
	c.give(0, two)
	c.has(0, two)
	c.until("both have a session", func() bool { return len(c.server.Starts()) == 2 && c.server.Sockets() == 2 })
	c.until("the other's is of use", func() bool { return two.Link().Up })
	for range 2 {
		c.hears(0, two)
	}
	answer := make(chan struct{})
	two.core.handle = func(_ context.Context, _ chat.Event) chat.Reply {
		<-answer
		return chat.Reply{Toast: "Noted late."}
	}
	late := c.halls[0].Slash(c.anna, "help")
	c.until("it is put off", late.Answered)
	close(answer)
	c.until("it is answered late", func() bool {
		a, err := late.Answer(c.ctx)
		return err != nil || a.Message.Text() == "Noted late."
	})
	if n := len(one.core.seen()); n != 1 {
		t.Errorf("the one that is cut off hands %d events on", n-1)
	}
	one.Doubt(false)
	c.until("it has gone", func() bool { return c.server.Sockets() == 1 })
	two.core.handle = says(chat.Reply{Toast: "Noted."})
	c.hears(0, two)
}
