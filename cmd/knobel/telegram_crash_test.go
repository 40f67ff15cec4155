package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

// chatting is somebody in a private chat with the bot, and all moves that they
// have asked for, by table and turn.
type chatting struct {
	server  *telegramtest.Server
	person  telegramtest.Person
	chat    *telegramtest.Chat
	chance  *rand.Rand
	asked   map[turn][]string
	answers map[turn][]string // to the presses of a turn, where they are noted
	houses  map[int64]int     // how often they wanted another house seat, by table
}

// turn is a turn of a table.
type turn struct {
	table  int64
	number int
}

// TestKillAtAnyMomentOnTelegram kills the program over and over while people
// press buttons in their chats, takes back what Telegram believes to be
// acknowledged, and looks each time whether every press counts, and once.
func TestKillAtAnyMomentOnTelegram(t *testing.T) {
	t.Parallel() // it waits for Telegram's pace most of the time
	rounds, people := kills(t, 6), 16
	// Who crashes ten times in a minute and writes at once each time has spent
	// the budget of a minute, which is not what this is about: time flies here.
	began := time.Now()
	flies := func() time.Time { return began.Add(3 * time.Since(began)) }
	server := telegramtest.Start(t, telegramtest.Options{Token: telegramToken, Now: flies})
	program, listen, db := build(t), freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	chance := rand.New(rand.NewPCG(2026, 12))
	var all []*chatting
	for i := range people {
		p := telegramtest.Person{ID: int64(100 + i), First: fmt.Sprintf("<b>P%d&", i),
			Language: []string{"en", "de"}[i%2]}
		c := &chatting{server: server, person: p, chat: server.Private(p), asked: map[turn][]string{},
			houses: map[int64]int{},
			chance: rand.New(rand.NewPCG(2026, uint64(i)))}
		c.chat.Say(p, "/shutbox 3 tiles=3")
		all = append(all, c)
	}
	server.Proxy("http://" + listen)
	for round := range rounds {
		server.Rewind(chance.IntN(20))
		env := []string{"KNOBEL_TELEGRAM_TOKEN=" + telegramToken, "KNOBEL_TELEGRAM_API_URL=" + server.URL()}
		if round%2 == 1 { // by turns polled and delivered
			env = append(env, "KNOBEL_TELEGRAM_WEBHOOK_URL=https://dice.example.org/telegram")
		}
		s := start(t, program, listen, db, env...)
		caughtUp(t, s, server)
		counted(t, db, all)
		if round > 0 {
			examine(t, program, db)
		}
		killWhilePressing(t, s, all, len(server.Calls())+40+chance.IntN(60))
		secretive(t, s.said.String())
	}
	s := start(t, program, listen, db, "KNOBEL_TELEGRAM_TOKEN="+telegramToken, "KNOBEL_TELEGRAM_API_URL="+server.URL())
	caughtUp(t, s, server)
	s.leave()
	counted(t, db, all)
	examine(t, program, db)
	secretive(t, s.said.String())
	if n := verifyAll(t, db); n < rounds/2 {
		t.Errorf("only %d games came to an end in %d rounds", n, rounds)
	}
}

// caughtUp waits until the bot has dealt with everything that was sent to it.
func caughtUp(t *testing.T, s *serving, server *telegramtest.Server) {
	t.Helper()
	late, stop := context.WithTimeout(t.Context(), fakes.Patience)
	defer stop()
	err := server.Wait(late, func() bool { return server.Pending() == 0 && len(server.Unanswered()) == 0 })
	if err != nil {
		t.Fatalf("%d updates are not dealt with, presses %v are not answered: %v\n%s", server.Pending(),
			server.Unanswered(), err, s.said)
	}
}

// killWhilePressing lets everybody press until the bot has made so many
// requests in all, and kills it then.
func killWhilePressing(t *testing.T, s *serving, people []*chatting, requests int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), fakes.Patience)
	defer stop()
	var pressing sync.WaitGroup
	for _, c := range people {
		pressing.Go(func() { c.press(ctx) })
	}
	err := people[0].server.Wait(ctx, func() bool { return len(people[0].server.Calls()) >= requests })
	s.kill()
	stop()
	pressing.Wait()
	if err != nil {
		t.Fatalf("the games do not go on: %v\n%s", err, s.said)
	}
}

// press presses the buttons of whatever board is the newest, one after the
// other and now and then twice, until ctx is done.
func (c *chatting) press(ctx context.Context) {
	for ctx.Err() == nil {
		board, ok := c.board()
		if !ok {
			_ = c.server.Wait(ctx, func() bool { _, ok := c.board(); return ok })
			continue
		}
		data, ok := onward(board, c.chance)
		if !ok {
			return
		}
		select { // to look at the board
		case <-time.After(leisure):
		case <-ctx.Done():
			return
		}
		if table, number, move, ok := parse(data); ok {
			at := turn{table, number}
			c.asked[at] = append(c.asked[at], move)
		}
		for range 1 + c.chance.IntN(2) {
			c.chat.PressData(c.person, board.ID, data)
			if table, ok := housed(data); ok {
				c.houses[table]++
			}
		}
		c.await(ctx, board)
	}
}

// await waits until there is another board than this one. What was refused
// changes nothing, so it does not wait for long.
func (c *chatting) await(ctx context.Context, board telegramtest.Message) {
	ctx, stop := context.WithTimeout(ctx, 3*time.Second)
	defer stop()
	_ = c.server.Wait(ctx, func() bool {
		now, ok := c.board()
		return ok && (now.ID != board.ID || now.Edits != board.Edits)
	})
}

// board is the newest message with buttons that calls nobody.
func (c *chatting) board() (telegramtest.Message, bool) {
	for _, m := range slices.Backward(c.chat.Messages()) {
		if len(m.Keyboard) > 0 && !strings.Contains(m.Keyboard[0][0].Data, ":/notify") {
			return m, true
		}
	}
	return telegramtest.Message{}, false
}

// counted wants a move in every turn for which one was asked, and one of those.
func counted(t *testing.T, db string, people []*chatting) {
	t.Helper()
	now := read(t, db)
	for _, c := range people {
		for at, moves := range c.asked {
			if !slices.ContainsFunc(moves, func(move string) bool { return now.has(at.table, at.number, move) }) {
				t.Errorf("table %d: %q was asked for in turn %d, answered %q, and is not there among %d moves",
					at.table, moves, at.number, c.answers[at], len(now[at.table]))
			}
		}
	}
	nothingTwice(t, db, people)
}

// nothingTwice wants one table for each command and for each rematch, and at
// most one house seat for each press that asks for one: what comes again does
// nothing again.
func nothingTwice(t *testing.T, db string, people []*chatting) {
	t.Helper()
	st, err := store.OpenReadOnly(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	wanted := map[int64]int{}
	for _, c := range people {
		for table, presses := range c.houses {
			wanted[table] += presses
		}
	}
	tables, again := 0, 0
	err = st.View(t.Context(), func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			table, err := tx.Tables.Table(id)
			if err != nil {
				return err
			}
			if !strings.HasPrefix(table.Chat, "telegram:") {
				return nil
			}
			tables++
			houses := 0
			for _, seat := range table.Seats {
				if seat.House != "" {
					houses++
				}
			}
			if houses > wanted[id] {
				t.Errorf("table %d has %d house seats, %d were asked for", id, houses, wanted[id])
			}
			if table.Rematch != 0 {
				again++
				wanted[table.Rematch] += houses // they stay for the next game
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if tables != len(people)+again {
		t.Errorf("%d tables after %d commands and %d rematches", tables, len(people), again)
	}
}

// housed reads a press that asks for another house seat.
func housed(data string) (table int64, ok bool) {
	part := strings.SplitN(data, ":", 4)
	if len(part) != 4 || !strings.HasPrefix(part[3], "!house ") {
		return 0, false
	}
	table, err := strconv.ParseInt(part[1], 10, 64)
	return table, err == nil
}

// onward takes one of the buttons that carry a game on: a move, or what leads
// from a lobby to a game against the house.
func onward(m telegramtest.Message, chance *rand.Rand) (string, bool) {
	var useful []string
	for _, row := range m.Keyboard {
		for _, b := range row {
			what := b.Data[strings.LastIndex(b.Data, ":")+1:]
			if !strings.ContainsAny(what[:1], "!/") || slices.Contains(leading, what) {
				useful = append(useful, b.Data)
			}
		}
	}
	if len(useful) == 0 {
		return "", false
	}
	return useful[chance.IntN(len(useful))], true
}

// leading are the presses that lead from a lobby to a game, and from one game
// to the next.
var leading = []string{"!page houses", "!house fewest", "!house random", "!page", "!start", "!rematch", "!join",
	"!agree"}
