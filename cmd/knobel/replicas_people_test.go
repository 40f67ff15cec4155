package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// absent is the name of a friend who does not come.
const absent = "Sleepyhead"

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

// hurry has the calls be due of those who do not come, for whom time flies, and returns how many wait still.
func (p *party) hurry() (waiting int64) {
	if len(p.friends()) == 0 {
		return 0
	}
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
