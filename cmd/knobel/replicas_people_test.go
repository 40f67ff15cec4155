package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// caller is somebody who plays on Telegram, against the house or with a friend who does not come.
type caller struct {
	*chatting
	friend  *telegramtest.Person
	presses []asking
}

// asking is a press with a move in it.
type asking struct {
	query string
	at    turn
	move  string
}

// caller makes somebody with a private chat, or with a group.
func (p *party) caller(id int64, group bool) *caller {
	who := telegramtest.Person{ID: id, First: fmt.Sprintf("<b>P%d&", id), Language: []string{"en", "de"}[id%2]}
	c := &chatting{server: p.telegram, person: who, asked: map[turn][]string{}, answers: map[turn][]string{},
		houses: map[int64]int{}, chance: rand.New(rand.NewPCG(2026, uint64(id)))}
	if group {
		c.chat = p.telegram.Supergroup(fmt.Sprint("Group ", id), false)
	} else {
		c.chat = p.telegram.Private(who)
	}
	return &caller{chatting: c}
}

// sit opens a table and has a friend join.
func (c *caller) sit(p *party) {
	c.friend = &telegramtest.Person{ID: c.person.ID + 1, First: absent, Language: "en"}
	c.chat.Say(c.person, "/shutbox 3 tiles=3")
	c.press(p, *c.friend, "!join")
	c.press(p, c.person, "!start")
}

// sit has a friend join at the table that was opened, and starts the game.
func (c *channelled) sit(p *party) {
	p.t.Helper()
	c.friend = p.discord.Person(absent, "en-GB")
	c.leads(p, c.friend, "!join")
	c.leads(p, c.person, "!start")
}

// leads presses a button of the newest board as soon as it is there.
func (c *channelled) leads(p *party, who *discordtest.Person, what string) {
	p.t.Helper()
	var board discordtest.Message
	button := ""
	p.until(fmt.Sprintf("%s is there to be pressed", what), func() bool {
		board, _ = c.board()
		for _, b := range board.Buttons() {
			if strings.HasSuffix(b.CustomID, ":"+what) {
				button = b.CustomID
			}
		}
		return button != ""
	})
	if _, err := c.hall.Press(who, board.ID, button).Answer(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}

// absent is the name of a friend who does not come.
const absent = "Sleepyhead"

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

// waitingFor tells what those see who wait for a friend, and what they were answered last.
func (p *party) waitingFor() (all string) {
	for _, c := range p.waiting {
		board, _ := c.board()
		all += fmt.Sprintf("%s sees %q with %v, written %d times", c.person.First, board.Text, board.Keyboard,
			board.Edits)
		for _, a := range c.presses[max(len(c.presses)-3, 0):] {
			q, _ := c.server.Query(a.query)
			all += fmt.Sprintf("; %s: %v", a.move, q.Answers)
		}
		all += "\n"
	}
	for _, c := range p.halves {
		board, _ := c.board()
		all += fmt.Sprintf("%s sees %q with %v", c.person.Name, board.Text(), board.Buttons())
		for _, i := range c.said[max(len(c.said)-3, 0):] {
			a, err := answerSoFar(p.t, i)
			all += fmt.Sprintf("; %v %q %v", a.Type, a.Message.Text(), err)
		}
		all += "\n"
	}
	return all
}

// sorry are the answers to a press that could not be carried out, because the database was away.
var sorry = []string{"Something broke on our side", "Bei uns klemmt es"}

// promised notes the moves for which a turn was answered in any other way than that nothing was done, or that it is the
// absent friend's. Of such a turn any move may be there that was asked for: one that broke may have counted after all.
// What was refused is answered without a word where it is delivered again.
func (c *caller) promised() {
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
		if good && !refused {
			held[a.at] = true
		}
	}
	for at := range c.asked {
		if !held[at] {
			delete(c.asked, at)
		}
	}
}

// hurry has the calls be due of those who do not come, for whom time flies, and returns how many wait still.
func (p *party) hurry() (waiting int64) {
	db := p.opened()
	defer db.Close()
	done, err := db.ExecContext(p.t.Context(), `UPDATE calls SET due = 1 WHERE due > 0 AND NOT sent
		AND table_id IN (SELECT id FROM tables WHERE place = ANY($1))`, slices.Collect(maps.Keys(p.friends())))
	if err == nil {
		waiting, err = done.RowsAffected()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return waiting
}

// friends are those who do not come, by the place where they are waited for.
func (p *party) friends() map[string]string {
	all := map[string]string{}
	for _, c := range p.waiting {
		all[fmt.Sprintf("telegram:%d:0", c.chat.ID())] = fmt.Sprint(c.friend.ID)
	}
	for _, c := range p.halves {
		all["discord:"+p.guild.ID+":"+c.hall.ID] = c.friend.ID
	}
	return all
}

// called is how often somebody was called who does not come, by who that is. Discord takes calls of one nonce as one.
func (p *party) called() map[string]int {
	p.t.Helper()
	all, nonces := map[string]int{}, map[string]bool{}
	for _, call := range p.telegram.Calls("sendMessage") {
		for _, friend := range p.friends() {
			if call.Status == http.StatusOK && strings.Contains(call.Params["text"], fmt.Sprintf(`tg://user?id=%s"`, friend)) {
				all[friend]++
			}
		}
	}
	for _, call := range p.discord.Requests("POST /channels/") {
		var said struct {
			Content, Nonce string
		}
		if call.Status != http.StatusOK || json.Unmarshal(call.Body, &said) != nil || nonces[said.Nonce] {
			continue
		}
		nonces[said.Nonce] = true
		for _, friend := range p.friends() {
			if strings.Contains(said.Content, "<@"+friend+">") {
				all[friend]++
			}
		}
	}
	return all
}
