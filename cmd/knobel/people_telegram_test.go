package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

// caller is a player on Telegram, against the house or with a friend who does not come.
type caller struct {
	server  *telegramtest.Server
	person  telegramtest.Person
	chat    *telegramtest.Chat
	friend  *telegramtest.Person
	chance  *rand.Rand
	presses []asking
	asked   map[turn][]string // the moves that are promised, by table and turn
	answers map[turn][]string // to the presses of a turn, where they are noted
	houses  map[int64]int     // how often they wanted another house seat, by table
}

// asking is a press with a move in it.
type asking struct {
	query string
	at    turn
	move  string
}

// turn is a turn of a table.
type turn struct {
	table  int64
	number int
}

// await waits until there is another board than this one. What was refused
// changes nothing, so it does not wait for long.
func (c *caller) await(ctx context.Context, board telegramtest.Message) {
	ctx, stop := context.WithTimeout(ctx, 3*time.Second)
	defer stop()
	_ = c.server.Wait(ctx, func() bool {
		now, ok := c.board()
		return ok && (now.ID != board.ID || now.Edits != board.Edits)
	})
}

// board is the newest message with buttons that calls nobody.
func (c *caller) board() (telegramtest.Message, bool) {
	for _, m := range slices.Backward(c.chat.Messages()) {
		if len(m.Keyboard) > 0 && !strings.Contains(m.Keyboard[0][0].Data, ":/notify") {
			return m, true
		}
	}
	return telegramtest.Message{}, false
}

// counted wants a move in every turn for which one was asked, and one of those.
func counted(t *testing.T, db string, people []*caller) {
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
func nothingTwice(t *testing.T, db string, people []*caller) {
	t.Helper()
	wanted := map[int64]int{}
	for _, c := range people {
		for table, presses := range c.houses {
			wanted[table] += presses
		}
	}
	tables, again := 0, 0
	viewed(t, db, func(tx *store.Tx) error {
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

// caller makes somebody with a private chat, or with a group.
func (p *party) caller(id int64, group bool) *caller {
	who := telegramtest.Person{ID: id, First: fmt.Sprintf("<b>P%d&", id), Language: []string{"en", "de"}[id%2]}
	c := &caller{server: p.telegram, person: who, asked: map[turn][]string{}, answers: map[turn][]string{},
		houses: map[int64]int{}, chance: rand.New(rand.NewPCG(2026, uint64(id)))}
	if group {
		c.chat = p.telegram.Supergroup(fmt.Sprint("Group ", id), false)
	} else {
		c.chat = p.telegram.Private(who)
	}
	return c
}

// sit opens a table and has a friend join.
func (c *caller) sit(p *party) {
	c.friend = &telegramtest.Person{ID: c.person.ID + 1, First: absent, Language: "en"}
	c.chat.Say(c.person, "/shutbox 3 tiles=3")
	c.press(p, *c.friend, "!join")
	c.press(p, c.person, "!start")
}

// press presses a button of the newest board as soon as it is there.
func (c *caller) press(p *party, who telegramtest.Person, what string) {
	p.t.Helper()
	data := ""
	p.until(fmt.Sprintf("%s is there to be pressed", what), func() bool {
		board, _ := c.board()
		for _, row := range board.Keyboard {
			for _, b := range row {
				if strings.HasSuffix(b.Data, ":"+what) {
					data = b.Data
					return true
				}
			}
		}
		return false
	})
	board, _ := c.board()
	c.chat.PressData(who, board.ID, data)
}

// play presses the buttons of whatever board is the newest, one after the other and now and then twice, until ctx is
// done or it is the absent friend's turn.
func (c *caller) play(ctx context.Context) {
	for ctx.Err() == nil {
		board, _ := c.board()
		data, ok := onward(board, c.chance)
		if c.waits() || c.friend != nil && strings.HasSuffix(data, ":!rematch") {
			return // the friend's turn has come, or comes no more: they have lost before
		}
		if !ok {
			_ = c.server.Wait(ctx, func() bool {
				now, _ := c.board()
				return now.ID != board.ID || now.Edits != board.Edits || c.waits()
			})
			continue
		}
		select { // to look at the board
		case <-time.After(leisure):
		case <-ctx.Done():
			return
		}
		for range 1 + c.chance.IntN(2) {
			query := c.chat.PressData(c.person, board.ID, data)
			if table, number, move, ok := parse(data); ok {
				c.presses = append(c.presses, asking{query, turn{table, number}, move})
			}
			if table, ok := housed(data); ok {
				c.houses[table]++
			}
		}
		c.await(ctx, board)
	}
}

// waits reports whether it is the absent friend's turn: they are called, or one of the presses was answered so, however
// late that was.
func (c *caller) waits() bool {
	if c.friend == nil {
		return false
	}
	called := fmt.Sprintf(`tg://user?id=%d"`, c.friend.ID)
	return slices.ContainsFunc(c.chat.Messages(), func(m telegramtest.Message) bool {
		return strings.Contains(m.HTML, called)
	}) || slices.ContainsFunc(c.presses, func(a asking) bool {
		q, _ := c.server.Query(a.query)
		return len(q.Answers) > 0 && strings.Contains(q.Answers[0].Text, absent)
	})
}

// promised notes the moves for which a turn was answered in any other way than that nothing was done, or that it is
// the absent friend's; or all, where nothing that was sent is lost. Any move of such a turn may be there:
// one that broke may have counted after all. What was refused is answered without a word where it is delivered again.
func (c *caller) promised(all bool) {
	held := map[turn]bool{}
	for _, a := range c.presses {
		c.asked[a.at] = append(c.asked[a.at], a.move)
		q, _ := c.server.Query(a.query)
		good, refused := false, false
		for _, said := range q.Answers {
			c.answers[a.at] = append(c.answers[a.at], said.Text)
			refused = refused || strings.Contains(said.Text, absent)
			good = good || !strings.HasPrefix(said.Text, sorry[0]) && !strings.HasPrefix(said.Text, sorry[1])
		}
		if all || good && !refused {
			held[a.at] = true
		}
	}
	for at := range c.asked {
		if !held[at] {
			delete(c.asked, at)
		}
	}
}

// sorry are the answers to a press that could not be carried out, because the database was away.
var sorry = []string{"Something broke on our side", "Bei uns klemmt es"}
