package discord

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// crowd is a fake Discord with several replicas of the bot.
type crowd struct {
	*testing.T
	ctx    context.Context
	server *discordtest.Server
	leases platformtest.Leases
	all    []*replica
	anna   *discordtest.Person
	halls  []*discordtest.Channel // one channel of a server of each shard
	times  timing
}

// replica is one of the bots of a crowd, which share a database.
type replica struct {
	*platformtest.Replica
	*Discord
	core *script
	log  *fakes.Journal
	end  func()
}

// crowded are timings for replicas, with short waits between sessions and between checks of Discord.
var crowded = quick(func(t *timing) { t.start, t.reach = 300*time.Millisecond, 20*time.Millisecond })

// crowds returns a crowd of two replicas that do not run yet, with a channel for each shard.
func crowds(t *testing.T, o discordtest.Options) *crowd {
	t.Helper()
	t.Parallel()
	o.Within = fakes.Patience
	c := &crowd{T: t, server: discordtest.Start(t, o), times: crowded}
	ctx, cancel := context.WithTimeout(context.Background(), fakes.Patience)
	t.Cleanup(cancel)
	c.ctx, c.anna = ctx, c.server.Person("Anna", "en-US")
	for n := 0; len(c.halls) < max(o.Shards, 1); n++ {
		g := c.server.Guild(fmt.Sprint("Server ", n))
		if id, _ := strconv.ParseInt(g.ID, 10, 64); int(id>>22)%max(o.Shards, 1) == len(c.halls) {
			c.halls = append(c.halls, g.Channel("table"))
		}
	}
	for range 2 {
		c.all = append(c.all, &replica{Replica: c.leases.Join(), log: &fakes.Journal{},
			core: &script{handle: says(chat.Reply{Toast: "Noted."})}})
	}
	return c
}

// run starts the replicas.
func (c *crowd) run() {
	for _, r := range c.all {
		r.Discord = New(Options{Token: c.server.Token(), URL: c.server.URL(), Shards: len(c.halls), Log: r.log.Log(),
			Leases: r.Replica, Letters: true})
		r.times = c.times
		r.end = fakes.Running(c, func(ctx context.Context) error { return r.Discord.Run(ctx, r.core) })
	}
}

// lease returns the name of the leases of shards.
func (c *crowd) lease() string { return fmt.Sprintf(shardLease, len(c.halls)) }

// has waits until replica r holds shard.
func (c *crowd) has(shard int, r *replica) {
	c.Helper()
	if c.leases.Wait(c.ctx, func() bool { return c.leases.Holder(c.lease(), shard) == r.Replica }) != nil {
		c.Fatalf("shard %d does not change hands\n%s", shard, r.log)
	}
}

// give gives the lease of shard to replica r.
func (c *crowd) give(shard int, r *replica) { c.leases.Give(c.lease(), shard, r.Replica) }

// until waits until holds returns true, and else fails the test; condition is its name in words.
func (c *crowd) until(condition string, holds func() bool) {
	c.Helper()
	for !holds() {
		select {
		case <-time.After(time.Millisecond):
		case <-c.ctx.Done():
			c.Fatalf("%s\n%s\n%s", condition, c.all[0].log, c.all[1].log)
		}
	}
}

// begun waits until this number of sessions were started and all shards are connected.
func (c *crowd) begun(sessions int) {
	c.Helper()
	c.until(fmt.Sprint(sessions, " sessions stand"), func() bool {
		return len(c.server.Starts()) >= sessions && c.server.Listening() && c.server.Sockets() == len(c.halls)
	})
}

// hears sends an interaction in a server of shard and checks that replica r answers it.
func (c *crowd) hears(shard int, r *replica) {
	c.Helper()
	before := len(r.core.seen())
	c.answered(c.halls[shard].Slash(c.anna, "help"), "Noted.")
	if n := len(r.core.seen()) - before; n != 1 {
		c.Errorf("shard %d: it is told %d times", shard, n)
	}
}

// answered checks that the answer to interaction contains want.
func (c *crowd) answered(interaction *discordtest.Interaction, want string) {
	c.Helper()
	if got, err := interaction.Answer(c.ctx); err != nil || !private(got, want) {
		c.Errorf("answered %q, %v, want %q", got.Message.Text(), err, want)
	}
}

// paced checks that this number of sessions were started, at most atOnce at a time.
func (c *crowd) paced(atOnce, sessions int) {
	c.Helper()
	last := map[int]time.Time{}
	all := c.server.Starts()
	if len(all) != sessions {
		c.Errorf("%d sessions, want %d: %v", len(all), sessions, all)
	}
	for _, b := range all {
		if before, ok := last[b.Shard%atOnce]; ok && b.At.Sub(before) < crowded.start {
			c.Errorf("shard %d begins %v after another", b.Shard, b.At.Sub(before))
		}
		last[b.Shard%atOnce] = b.At
	}
}

// TestShardsChangeHands checks that two replicas share four shards, two of which may start at a time, and that first
// one, then all shards move to the second replica, even while the first still answers interactions it has accepted.
func TestShardsChangeHands(t *testing.T) {
	c := crowds(t, discordtest.Options{Shards: 4, AtOnce: 2})
	one, two := c.all[0], c.all[1]
	for shard := range 4 {
		c.give(shard, c.all[shard/2])
	}
	asked, answer := make(chan struct{}), make(chan struct{})
	one.core.handle = func(_ context.Context, ev chat.Event) chat.Reply {
		if ev.Command != "rules" {
			return chat.Reply{Toast: "Noted."}
		}
		asked <- struct{}{}
		<-answer
		return chat.Reply{Toast: "Noted late."}
	}
	c.run()
	c.begun(4)
	c.until("both are up", func() bool { return one.Link().Up && two.Link().Up })
	for shard := range 4 {
		c.hears(shard, c.all[shard/2])
	}

	late := c.halls[0].Slash(c.anna, "rules")
	<-asked
	c.give(0, two)
	c.has(0, two)
	c.begun(5)
	c.hears(0, two)
	c.hears(1, one)
	answer <- struct{}{}
	c.answered(late, "Noted late.")

	// The first replica ends, and the second takes all shards while the first has not yet answered.
	c.leases.Open(c.lease(), 1)
	late = c.halls[1].Slash(c.anna, "rules")
	<-asked
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		one.end()
	}()
	c.has(1, two)
	c.begun(6)
	for shard := range 4 {
		c.hears(shard, two)
	}
	answer <- struct{}{}
	c.answered(late, "Noted late.")
	<-ended
	c.until("one is gone and the other up", func() bool { return !one.Link().Up && two.Link().Up })
	c.paced(2, 6)
}

// TestAShardThatIsRefusedIsGivenBack checks that a shard refused for good is tried once by each replica, and is down.
func TestAShardThatIsRefusedIsGivenBack(t *testing.T) {
	c := crowds(t, discordtest.Options{})
	c.server.Open(discordtest.Opening{Close: 4014}, discordtest.Opening{Close: 4014})
	c.run()
	c.until("both are refused", func() bool {
		return c.all[0].Link().Why == finalCodes[4014] && c.all[1].Link().Why == finalCodes[4014]
	})
	for _, r := range c.all {
		r.end()
		if opened, _, _ := c.server.Connections(); opened != 2 || r.Link().Up {
			t.Errorf("%d connections, %+v", opened, r.Link())
		}
	}
}

// TestABoardIsPostedOnceByAllReplicas checks that a board that one replica has posted but not stored is posted again by
// another only if its message was deleted. That the replicas know of different deletions makes no difference.
func TestABoardIsPostedOnceByAllReplicas(t *testing.T) {
	c := crowds(t, discordtest.Options{Pace: -1})
	var all []*Discord
	for _, r := range c.all {
		all = append(all, New(Options{Token: c.server.Token(), URL: c.server.URL(), Leases: r.Replica}))
	}
	guild := c.server.Guild("The Dice")
	hall := guild.Channel("table")
	place := placeID(guild.ID, hall.ID)
	post := func(d *Discord, head string) chat.Ref {
		ref, err := d.Post(c.ctx, place, boardOf(head))
		check(t, err)
		return ref
	}
	first := post(all[0], "A board.")
	check(t, all[0].Retire(c.ctx, place, first))
	second := post(all[0], "Another board.")
	if again := post(all[1], "Another board."); again != second || len(hall.Messages()) != 1 {
		t.Errorf("posted as %s and as %s, %d messages", second, again, len(hall.Messages()))
	}
	if again := post(all[0], "A board."); again == first {
		t.Error("a message that was taken away is to hold a board")
	}
	_, message, _ := parseRef(second)
	hall.Remove(message)
	all[1].clock.ahead.Store(int64(time.Minute)) // as if it had been posted a minute ago
	if again := post(all[1], "Another board."); again == second || len(hall.Messages()) != 2 {
		t.Errorf("a message that was deleted is to hold a board: %d messages", len(hall.Messages()))
	}
}

// TestWhoHasNoShardKnowsWhetherDiscordIsAway checks that replicas with and without a shard detect outages.
func TestWhoHasNoShardKnowsWhetherDiscordIsAway(t *testing.T) {
	c := crowds(t, discordtest.Options{})
	one, two := c.all[0], c.all[1]
	c.give(0, one)
	c.run()
	c.begun(1)
	up := func() bool { return one.Link().Up && two.Link().Up }
	c.until("both are up", up)
	c.until("it knows the commands without a welcome", func() bool { return two.rest.commands.Load() != nil })
	c.server.Away(true)
	c.server.Drop()
	c.until("both know that Discord is away", func() bool { return !one.Link().Up && !two.Link().Up })
	c.server.Away(false)
	c.until("both know that it is back", up)
	c.hears(0, one)
}

// TestWhileTheDatabaseIsAwayPeopleReadTheSentence checks that while no replica can reach the database, for longer than
// the shard's lease lasts, the connection stays and people read the apology. The same session continues afterwards.
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

// TestWhoIsCutOffAloneLeavesTheAnswerToTheOther checks that when one replica is cut off from the database and another
// takes over, both receive all events, and people read the other's answers, even slow ones. Once the first one can ask
// for the lease again, it ends its connection.
func TestWhoIsCutOffAloneLeavesTheAnswerToTheOther(t *testing.T) {
	c := crowds(t, discordtest.Options{})
	c.times.deferAfter, c.times.refuseAfter = 1500*time.Millisecond, 5*time.Second
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
