package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

// books holds the ids of the events that the cores of all replicas have handled, to make repeated ones no-ops.
type books struct {
	mu    sync.Mutex
	seen  map[string]bool
	again int
}

// carries stores the id of an event and reports whether it is new.
func (b *books) carries(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen == nil {
		b.seen = map[string]bool{}
	}
	if b.seen[id] {
		b.again++
		return false
	}
	b.seen[id] = true
	return true
}

// replica is one replica on a stage.
type replica struct {
	*platformtest.Replica
	tele *Telegram
	core *script
	log  *fakes.Journal
	end  func()
}

// replica starts a replica with the stage's options, changed by change. Its core handles only events new to books.
func (s *stage) replica(leases *platformtest.Leases, books *books, change func(*Options)) *replica {
	s.t.Helper()
	r := &replica{Replica: leases.Join(), log: &fakes.Journal{}}
	r.core = &script{commands: s.core.commands, answer: func(ev chat.Event) chat.Reply {
		if !books.carries(ev.ID) {
			return chat.Reply{}
		}
		return chat.Reply{Toast: "Heard " + ev.Text + "."}
	}}
	o := s.options()
	o.Leases = r.Replica
	o.Log = slog.New(slog.NewTextHandler(r.log, nil))
	change(&o)
	r.tele = New(o)
	r.end = s.begin(r.tele, r.core)
	s.t.Cleanup(r.end)
	return r
}

// unchanged is a change of options that changes nothing.
func unchanged(*Options) {}

// has waits until replica r polls.
func (s *stage) has(leases *platformtest.Leases, r *replica) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), fakes.Patience)
	defer cancel()
	err := leases.Wait(ctx, func() bool { return leases.Holder(pollingLease, 0) == r.Replica })
	if err != nil {
		s.t.Fatalf("it does not get to poll: %v", err)
	}
}

// TestPollingChangesHands checks that only one of two replicas polls. When it ends or loses the lease amid events, the
// other continues, and nothing is lost or carried out twice.
func TestPollingChangesHands(t *testing.T) {
	s := open(t)
	var leases platformtest.Leases
	var books books
	one := s.replica(&leases, &books, unchanged)
	s.has(&leases, one)
	two := s.replica(&leases, &books, unchanged)
	s.until("both can be reached", func() bool {
		return one.tele.Link().Up && two.tele.Link().Up && len(s.server.Calls("getUpdates")) == 1 || touch(s)
	})
	var chats []*telegramtest.Chat
	for i := range 10 {
		chats = append(chats, s.server.Group(fmt.Sprint("Friends ", i)))
	}
	said := 0
	writeMessages := func(n int) {
		for range n {
			chats[said%len(chats)].Say(anna, fmt.Sprint("/shutbox ", said))
			said++
		}
	}
	taken := func() { s.until("all is taken", func() bool { return s.server.Pending() == 0 }) }
	for range 10 {
		writeMessages(2)
		taken()
		writeMessages(2)
		leases.Give(pollingLease, 0, two.Replica)
		writeMessages(2)
		s.has(&leases, two)
		taken()
		writeMessages(2)
		leases.Give(pollingLease, 0, one.Replica)
		s.has(&leases, one)
	}
	leases.Open(pollingLease, 0)
	writeMessages(3)
	one.end()
	writeMessages(3)
	s.has(&leases, two)
	taken()
	if one, two := len(one.core.seen()), len(two.core.seen()); one < 20 || two < 20 {
		t.Errorf("one has handled %d, the other %d", one, two)
	}
	handled := map[string]int{}
	for _, ev := range slices.Concat(one.core.seen(), two.core.seen()) {
		handled[ev.Text]++
	}
	if len(handled) != said || len(books.seen) != said {
		t.Errorf("%d commands, %d handled, %d carried out", said, len(handled), len(books.seen))
	}
	for i, r := range []*replica{one, two} {
		if strings.Contains(r.log.String(), "poll telegram failed") {
			t.Errorf("replica %d is in another's way:\n%s", i, r.log)
		}
	}
	if up := two.tele.Link().Up; !up || one.tele.Link().Up {
		t.Errorf("the one that is left is up: %v", up)
	}
}

// airy runs play in fake time with two replicas; the first one polls. trouble returns a request's fault, zero: none.
func airy(t *testing.T, trouble func(method string) telegramtest.Fault, play func(s *stage,
	leases *platformtest.Leases, all []*replica)) {
	synctest.Test(t, func(t *testing.T) {
		wire := fakes.NewWire("telegram:80")
		o := telegramtest.Options{Listener: wire, Trouble: func(method string, _ map[string]string) (telegramtest.Fault,
			bool) {
			f := trouble(method)
			return f, f != telegramtest.Fault{}
		}}
		s := &stage{t: t, clock: fakes.NewClock(true), log: &fakes.Journal{}, server: telegramtest.Start(t, o),
			core: &script{commands: menuOf("shutbox")}}
		var leases platformtest.Leases
		var books books
		var all []*replica
		for range 2 {
			all = append(all, s.replica(&leases, &books, func(o *Options) {
				o.Dial, o.Clock = wire.Dial, chat.SystemClock{}
			}))
			synctest.Wait()
		}
		play(s, &leases, all)
		for _, r := range all {
			r.end()
			r.tele.http.CloseIdleConnections()
		}
		s.server.Close()
		time.Sleep(time.Minute) // fake time: connections take their time to end
	})
}

// well returns no fault, for use as trouble.
func well(string) telegramtest.Fault { return telegramtest.Fault{} }

// TestPollingIsHandedOverWithinASecond checks that a replica with slow work hands over polling within a second and
// finishes that work. The other replica gets the update again, which does nothing.
func TestPollingIsHandedOverWithinASecond(t *testing.T) {
	airy(t, well, func(s *stage, leases *platformtest.Leases, all []*replica) {
		one, two := all[0], all[1]
		answer := one.core.answer
		one.core.answer = func(ev chat.Event) chat.Reply {
			reply := answer(ev)
			time.Sleep(2500 * time.Millisecond)
			return reply
		}
		time.Sleep(time.Minute) // a new process starts with used-up budgets; they refill
		group := s.server.Group("Friends")
		group.Say(anna, "/shutbox 1")
		synctest.Wait()
		if n := len(one.core.seen()); n != 1 {
			s.t.Fatalf("%d events at the one that polls", n)
		}
		began := time.Now()
		go one.end()
		s.has(leases, two)
		if took := time.Since(began); took > time.Second {
			s.t.Errorf("polling is handed over in %v", took)
		}
		group.Say(anna, "/shutbox 2")
		time.Sleep(5 * time.Second)
		var texts []string
		for _, m := range group.Messages() {
			texts = append(texts, m.Text)
		}
		slices.Sort(texts)
		if want := []string{"Heard 1.", "Heard 2."}; !slices.Equal(texts, want) || s.server.Pending() != 0 {
			s.t.Errorf("answered %q, %d left\n%s\n%s", texts, s.server.Pending(), one.log, two.log)
		}
	})
}

// TestALatePollDelaysNoTakeover checks that a replica polls again at once if a cancelled poll of the replica before it
// has arrived late and ended its first poll.
func TestALatePollDelaysNoTakeover(t *testing.T) {
	var late atomic.Bool
	airy(t, func(method string) (f telegramtest.Fault) {
		if method == pollMethod && late.CompareAndSwap(true, false) {
			f = telegramtest.Fault{Status: 409, Message: "Conflict: terminated by other getUpdates request"}
		}
		return f
	}, func(s *stage, leases *platformtest.Leases, all []*replica) {
		two := all[1]
		late.Store(true)
		leases.Give(pollingLease, 0, two.Replica)
		s.has(leases, two)
		synctest.Wait()
		s.server.Group("Friends").Say(anna, "/shutbox 1")
		synctest.Wait()
		if n := len(two.core.seen()); n != 1 || late.Load() || strings.Contains(two.log.String(), "failed") {
			s.t.Errorf("%d events; late: %v\n%s", n, late.Load(), two.log)
		}
	})
}

// TestWhoDoesNotPollKnowsWhetherTelegramIsAway checks that a replica that does not poll detects whether Telegram can be
// reached, and its link stays up when it begins to poll.
func TestWhoDoesNotPollKnowsWhetherTelegramIsAway(t *testing.T) {
	airy(t, well, func(s *stage, leases *platformtest.Leases, all []*replica) {
		one, two := all[0], all[1]
		since := two.tele.Link().Since
		if !one.tele.Link().Up || !two.tele.Link().Up || since.IsZero() {
			s.t.Fatalf("%+v and %+v", one.tele.Link(), two.tele.Link())
		}
		leases.Give(pollingLease, 0, two.Replica)
		s.has(leases, two)
		time.Sleep(time.Hour)
		if link := two.tele.Link(); !link.Up || !link.Since.Equal(since) || !one.tele.Link().Up {
			s.t.Errorf("after the lease has changed hands: %+v and %+v", one.tele.Link(), link)
		}
		s.server.Away(true)
		time.Sleep(2 * time.Minute)
		if one.tele.Link().Up || two.tele.Link().Up {
			s.t.Errorf("Telegram is away: %+v and %+v", one.tele.Link(), two.tele.Link())
		}
		s.server.Away(false)
		time.Sleep(2 * time.Minute)
		if !one.tele.Link().Up || !two.tele.Link().Up {
			s.t.Errorf("Telegram is back: %+v and %+v", one.tele.Link(), two.tele.Link())
		}
	})
}

// TestReplicasKeepOneBudget checks that two replicas that draw in one group never hit Telegram's rate limit together.
func TestReplicasKeepOneBudget(t *testing.T) {
	airy(t, well, func(s *stage, leases *platformtest.Leases, all []*replica) {
		group := s.server.Group("Friends")
		place := placeID(group.ID(), 0)
		holder, since := all[0].Replica, time.Now()
		var mu sync.Mutex
		leases.Share(func(r *platformtest.Replica, _ chat.Chat) chat.Part {
			mu.Lock()
			defer mu.Unlock()
			return chat.Part{Replicas: 2, Holds: r == holder, Since: since}
		})
		ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Minute)
		defer cancel()
		var drawing sync.WaitGroup
		for _, r := range all {
			drawing.Go(func() {
				ref, err := r.tele.Post(ctx, place, lobby("A board."))
				for n := 0; err == nil; n++ {
					if err = r.tele.Ready(ctx, place, chat.ToMove); err == nil {
						err = r.tele.Edit(ctx, place, ref, lobby(fmt.Sprint(n)))
					}
				}
				if ctx.Err() == nil {
					s.t.Error(err)
				}
			})
		}
		for i := range 30 {
			time.Sleep(time.Duration(7+11*i%50) * time.Second)
			mu.Lock()
			holder, since = all[i%2].Replica, time.Now()
			mu.Unlock()
		}
		drawing.Wait()
		if writes, often := s.server.Writes(); often != 0 || writes < 250 {
			s.t.Errorf("%d writes in twenty minutes, %d too many", writes, often)
		}
	})
}

// TestUpdatesAreDeliveredToAnyReplica checks that any replica accepts delivered updates, even after another has ended.
func TestUpdatesAreDeliveredToAnyReplica(t *testing.T) {
	s := open(t)
	var leases platformtest.Leases
	var books books
	doors, turn := [2]atomic.Pointer[Telegram]{}, atomic.Int32{}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		door := doors[turn.Add(1)%2].Load()
		if door == nil {
			http.Error(w, "nobody is there", http.StatusBadGateway)
			return
		}
		door.Hook().ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	s.server.Proxy(front.URL)
	var all []*replica
	for i := range doors {
		r := s.replica(&leases, &books, func(o *Options) {
			o.Webhook = "https://dice.example.org" + HookPath
		})
		doors[i].Store(r.tele)
		all = append(all, r)
	}
	s.until("both have set the webhook", func() bool { return len(s.server.Calls("setWebhook")) == 2 })
	if calls := s.server.Calls("setWebhook"); calls[0].Params["secret_token"] != calls[1].Params["secret_token"] ||
		strings.Contains(s.secret(), s.server.Token()) || len(s.secret()) < 32 {
		t.Errorf("the secrets are %q and %q", calls[0].Params["secret_token"], calls[1].Params["secret_token"])
	}
	group := s.server.Group("Friends")
	for i := range 6 {
		group.Say(anna, fmt.Sprint("/shutbox ", i))
		s.until("it is taken", func() bool { return s.server.Pending() == 0 })
	}
	if one, two := len(all[0].core.seen()), len(all[1].core.seen()); one == 0 || two == 0 || len(books.seen) != 6 {
		t.Errorf("one has handled %d, the other %d", one, two)
	}
	all[1].end()
	group.Say(anna, "/shutbox 6")
	s.until("it is taken by the one that is left", func() bool { return s.server.Pending() == 0 })
	if n := len(s.server.Calls("deleteWebhook", "getUpdates")); n != 0 || len(books.seen) != 7 {
		t.Errorf("%d requests about polling, %d carried out", n, len(books.seen))
	}
}

// TestAGroupIsGreetedOnceByAllReplicas checks that a group is greeted once, even if its updates reach two replicas.
func TestAGroupIsGreetedOnceByAllReplicas(t *testing.T) {
	s := open(t)
	var leases platformtest.Leases
	var ids []string
	for _, text := range []string{
		`"my_chat_member":{"date":%[2]d,"chat":{"id":-5,"type":"group"},"from":{"id":11,"is_bot":false,"first_name":"A"},
			"old_chat_member":{"status":"left"},"new_chat_member":{"status":"member"}}`,
		`"message":{"message_id":3,"date":%[2]d,"text":"/start@KnobelBot hello","chat":{"id":-5,"type":"group"},
			"from":{"id":11,"is_bot":false,"first_name":"A"}}`,
	} {
		r := s.replica(&leases, &books{}, unchanged)
		s.has(&leases, r)
		s.server.Inject(func(id int64) string {
			return fmt.Sprintf(`{"update_id":%d,`+text+`}`, id, 1_700_000_000+id%2)
		})
		s.until("it is handled", func() bool { return s.server.Pending() == 0 && len(r.core.seen()) == 1 || touch(s) })
		ids = append(ids, r.core.seen()[0].ID)
		r.end()
	}
	if ids[0] != ids[1] || !strings.HasPrefix(ids[0], "telegram:4839574812:hello:-5:") {
		t.Errorf("the greetings are %q", ids)
	}
}
