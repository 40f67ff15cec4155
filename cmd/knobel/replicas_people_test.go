package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"knobel/store"
)

// nothingTwice wants one table on Telegram for each command and for each rematch, and at
// most one house seat for each press that asks for one: what comes again does
// nothing again.
func nothingTwice(t *testing.T, db string, people []*player) {
	t.Helper()
	wanted, commands := map[int64]int{}, 0
	for _, c := range people {
		if c.discord {
			continue
		}
		commands++
		for table, presses := range c.houses {
			wanted[table] += presses
		}
	}
	tables, again := 0, 0
	viewed(t, db, func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			table, err := tx.Tables.Table(id)
			if err != nil || !strings.HasPrefix(table.Chat, "telegram:") {
				return err
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
	if tables != commands+again {
		t.Errorf("%d tables after %d commands and %d rematches", tables, commands, again)
	}
}

// waitingFor tells what those see who wait for a friend, and what they were answered last.
func (p *party) waitingFor() (all string) {
	for _, c := range p.people {
		if !c.waiting {
			continue
		}
		all += fmt.Sprintf("at %s they see %+v", c.place(), c.board())
		for _, a := range c.presses[max(len(c.presses)-3, 0):] {
			said, _ := a.answer()
			all += fmt.Sprintf("; %s: %q", a.move, said)
		}
		all += "\n"
	}
	return all
}

// hurry makes the calls of friends who do not come due, and returns how many wait.
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
	check(p.t, err)
	return waiting
}

// friends returns those who do not come, by the place where they are waited for.
func (p *party) friends() map[string]string {
	all := map[string]string{}
	for _, c := range p.people {
		if c.waiting {
			all[c.place()] = c.friend()
		}
	}
	return all
}

// called returns how often each friend was called. Discord takes calls of one nonce as one.
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
