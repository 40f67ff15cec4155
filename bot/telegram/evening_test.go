package telegram

import (
	"context"
	"crypto/rand"
	"hash/fnv"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/standin"
	"knobel/bot/telegram/telegramtest"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
	"knobel/store/storetest"
)

// evening is a whole house on Telegram: a database, the bot, this adapter, the
// real library, and people in a group.
type evening struct {
	t      *testing.T
	server *telegramtest.Server
	clock  *standin.Clock
	file   string
	store  *store.Store
	log    *journal
	tele   *Telegram
	said   *words.Words // nil: in the languages that there are
	group  *telegramtest.Chat
	topic  int64      // what happens, happens there
	house  chat.Clock // what the bot goes by
	stop   func()
}

// in is the same evening, seen in another chat or topic.
func (e *evening) in(group *telegramtest.Chat, topic int64) *evening {
	there := *e
	there.group, there.topic = group, topic
	return &there
}

// messages are what the bot has written here.
func (e *evening) messages() []telegramtest.Message {
	return slices.DeleteFunc(e.group.Messages(), func(m telegramtest.Message) bool { return m.Thread != e.topic })
}

// reads waits until a message of the bot says something.
func (e *evening) reads(part string) telegramtest.Message {
	e.t.Helper()
	var found telegramtest.Message
	e.until("somebody reads "+part, func() bool {
		for _, m := range e.messages() {
			if strings.Contains(m.Text, part) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

func newEvening(t *testing.T) *evening { return newEveningIn(t, nil) }

// newEveningIn is newEvening with words of other languages.
func newEveningIn(t *testing.T, said *words.Words) *evening {
	t.Helper()
	e := unopened(t, said, standin.NewClock(true))
	e.open()
	return e
}

// system is the chance of the operating system.
var system = rand.Reader

// alikeEveryTime lets the dice of a test fall alike whenever it runs, from its
// first evening on.
func alikeEveryTime(t *testing.T) {
	if rand.Reader == system {
		name := fnv.New64()
		_, _ = name.Write([]byte(t.Name()))
		cryptotest.SetGlobalRandom(t, name.Sum64())
	}
}

// unopened is an evening by some clock, whose house is still to be opened.
func unopened(t *testing.T, said *words.Words, clock *standin.Clock) *evening {
	t.Helper()
	alikeEveryTime(t)
	e := &evening{t: t, said: said, clock: clock, file: storetest.Empty(t), log: &journal{}, house: &standin.Restless{}}
	e.server = telegramtest.Start(t, telegramtest.Options{Now: e.clock.Now})
	e.group = e.server.Group("Friends")
	t.Cleanup(func() {
		e.stop()
		if strings.Contains(e.log.String(), e.server.Token()) {
			t.Error("the token stands in the log")
		}
		if left := e.server.Unanswered(); len(left) > 0 {
			t.Errorf("unanswered presses: %v", left)
		}
		for _, c := range e.server.Calls() {
			if c.Status == 429 {
				t.Errorf("%s was too much for a chat", c.Method)
			}
		}
		if t.Failed() {
			t.Log(e.log)
		}
	})
	return e
}

// open starts the house on its database.
func (e *evening) open() {
	e.t.Helper()
	var err error
	if e.store, err = store.Open(context.Background(), e.file, store.SealedBy(storetest.Key(e.t))); err != nil {
		e.t.Fatal(err)
	}
	all := []games.Game{shutbox.Game{}, coin.Game{}, wuerfelpoker.Game{}}
	said := e.said
	if said == nil {
		said = wordstest.Of(e.t, all...)
	}
	log := slog.New(slog.NewTextHandler(e.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	house := wiring.New(bot.Config{Store: e.store, Games: all, Words: said, Log: log, Clock: e.house})
	e.tele = New(Options{Token: e.server.Token(), URL: e.server.URL(), Log: log, Clock: e.clock})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { house.Run(ctx, e.tele) })
	e.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		faults, err := e.store.Check(context.Background())
		if err != nil || len(faults) > 0 {
			e.t.Errorf("the books: %v, %v", faults, err)
		}
		if err := e.store.Close(); err != nil {
			e.t.Error(err)
		}
	})
}

func (e *evening) until(what string, holds func() bool) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if e.server.Wait(ctx, holds) != nil {
		var seen []string
		for _, m := range e.messages() {
			seen = append(seen, m.Text)
		}
		e.t.Fatalf("waited in vain until %s\nin the chat:\n%s", what, strings.Join(seen, "\n---\n"))
	}
}

// carries finds the newest message with a button that carries something that
// ends so, and what it carries.
func (e *evening) carries(ends string) (m telegramtest.Message, data string, ok bool) {
	return carried(e.messages(), ends)
}

// carried is carries of messages as they stood at one moment.
func carried(messages []telegramtest.Message, ends string) (m telegramtest.Message, data string, ok bool) {
	for i := len(messages) - 1; i >= 0; i-- {
		for _, row := range messages[i].Keyboard {
			for _, b := range row {
				if strings.HasSuffix(b.Data, ends) {
					return messages[i], b.Data, true
				}
			}
		}
	}
	return telegramtest.Message{}, "", false
}

// press waits for a button, lets somebody press it, and returns the answer.
func (e *evening) press(who telegramtest.Person, ends string) telegramtest.Answer {
	e.t.Helper()
	return e.answer(e.pressAsync(who, ends))
}

// pressAsync is press that does not wait for the answer.
func (e *evening) pressAsync(who telegramtest.Person, ends string) string {
	e.t.Helper()
	e.until("there is a button "+ends, func() bool { _, _, ok := e.carries(ends); return ok })
	m, data, _ := e.carries(ends)
	return e.group.PressData(who, m.ID, data)
}

// answer waits until a press is answered, and returns the answer.
func (e *evening) answer(query string) telegramtest.Answer {
	e.t.Helper()
	e.answered(query)
	q, _ := e.server.Query(query)
	return q.Answers[0]
}

// answered waits until presses are answered, and checks that each was once.
func (e *evening) answered(queries ...string) {
	e.t.Helper()
	for _, id := range queries {
		e.until("a press is answered", func() bool {
			q, _ := e.server.Query(id)
			return len(q.Answers) > 0
		})
		if q, _ := e.server.Query(id); len(q.Answers) != 1 {
			e.t.Errorf("a press has the answers %v", q.Answers)
		}
	}
}

// sit opens a table, seats people and a house player, and starts.
func (e *evening) sit(command string, opener telegramtest.Person, others ...telegramtest.Person) {
	e.t.Helper()
	e.group.SayIn(e.topic, opener, command)
	for i, p := range others {
		e.press(p, ":!join")
		e.until("the seat is shown", func() bool {
			m, _, ok := e.carries(":!start")
			return ok && strings.Contains(m.Text, others[i].First)
		})
	}
	if told := e.press(opener, ":!start").Text; told != "" {
		e.t.Fatalf("the game does not start: %s", told)
	}
}

// turn is the first button of the present board, if the game goes on: what it
// carries changes with every turn.
func (e *evening) turn(last string) (m telegramtest.Message, data string, over bool) {
	e.until("the board moves on", func() bool {
		m, data, over = e.present()
		return over || data != "" && data != last
	})
	return m, data, over
}

// next is the button that somebody who wants to go on presses: the one that
// plays what is picked, else the first one that is not picked.
func next(rows [][]telegramtest.Button) string {
	first := ""
	for _, b := range slices.Concat(rows...) {
		if strings.HasSuffix(b.Data, ":!play") {
			return b.Data
		}
		if picked := picks(b.Data) && b.Style == "success"; first == "" && !picked {
			first = b.Data
		}
	}
	return first
}

// picks reports whether a button only picks something: pressed again, it puts it
// back.
func picks(data string) bool { return strings.Contains(data, ":!pick") }

// present is the first button of the newest board; over says that it offers a
// rematch.
func (e *evening) present() (m telegramtest.Message, data string, over bool) {
	messages := e.messages() // once: the board may move on meanwhile
	if _, _, lobby := carried(messages, ":!start"); lobby {
		return m, "", false
	}
	if m, _, ok := carried(messages, ":!rematch"); ok {
		return m, "", true
	}
	for i := len(messages) - 1; i >= 0; i-- {
		if k := messages[i].Keyboard; len(k) > 0 {
			return messages[i], next(k), false
		}
	}
	return m, "", false
}

// play plays to the end. At every turn everybody presses at the same time,
// one of them twice, and somebody presses what the last board had shown.
func (e *evening) play(people ...telegramtest.Person) telegramtest.Message {
	e.t.Helper()
	last := ""
	for range 400 {
		m, data, over := e.turn(last)
		if over {
			return m
		}
		var queries []string
		for _, p := range people {
			queries = append(queries, e.group.PressData(p, m.ID, data))
		}
		if !picks(data) {
			queries = append(queries, e.group.PressData(people[0], m.ID, data))
		}
		if last != "" && !picks(last) {
			queries = append(queries, e.group.PressData(people[len(people)-1], m.ID, last))
		}
		e.answered(queries...)
		last = data
	}
	e.t.Fatal("the game does not end")
	return telegramtest.Message{}
}
