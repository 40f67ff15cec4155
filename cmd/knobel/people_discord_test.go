package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
)

// channelled is somebody who plays in a channel of their own.
type channelled struct {
	server *discordtest.Server
	person *discordtest.Person
	hall   *discordtest.Channel
	chance *rand.Rand
	friend *discordtest.Person        // who does not come, nil: it is played against the house
	said   []*discordtest.Interaction // with a move in it
	moves  []string                   // what it carried
}

// answersWithBoard is the kind of answer that draws the board of the pressed
// button anew: only what was carried out has it.
const answersWithBoard = 7

// play presses the buttons of whatever board is the newest, one after the other, until ctx is done, and counts the
// moves that were answered with a board. What has no answer after a while is pressed again, as a new press: Discord
// tells nothing twice.
func (c *channelled) play(ctx context.Context, answered *atomic.Int64) {
	for ctx.Err() == nil {
		var board discordtest.Message
		var button string
		err := c.server.Wait(ctx, func() bool {
			board, _ = c.board()
			button = c.choose(board)
			return button != "" || c.calls()
		})
		if err != nil || c.calls() || c.friend != nil && strings.HasSuffix(button, ":!rematch") {
			return // it is the friend's turn, or that has not come: they have lost before
		}
		if strings.HasSuffix(button, ":!rematch") && c.chance.IntN(2) == 0 {
			c.opens(ctx, board)
			continue
		}
		i := c.hall.Press(c.person, board.ID, button)
		_, _, _, moves := parse(button)
		if moves {
			c.said, c.moves = append(c.said, i), append(c.moves, button)
		}
		wait, stop := context.WithTimeout(ctx, 4*time.Second)
		a, err := i.Answer(wait)
		stop()
		if err == nil && a.Type == answersWithBoard {
			if moves {
				answered.Add(1)
			}
		} else if err == nil && c.friend != nil && strings.Contains(a.Message.Text(), absent) {
			return // it is the friend's turn
		}
		select {
		case <-time.After(leisure):
		case <-ctx.Done():
		}
	}
}

// opens opens another table by the command, and waits for its board. Where that is lost, it is tried again.
func (c *channelled) opens(ctx context.Context, board discordtest.Message) {
	ctx, stop := context.WithTimeout(ctx, 4*time.Second)
	defer stop()
	c.hall.Slash(c.person, "shutbox", discordtest.Option{Name: "stake", Value: 3},
		discordtest.Option{Name: "tiles", Value: "3"})
	_ = c.server.Wait(ctx, func() bool {
		now, _ := c.board()
		return now.ID != board.ID
	})
}

// calls reports whether the friend is called.
func (c *channelled) calls() bool {
	return c.friend != nil && slices.ContainsFunc(c.hall.Messages(), func(m discordtest.Message) bool {
		return slices.Contains(m.Called, c.friend.ID)
	})
}

// board is the newest message that calls nobody.
func (c *channelled) board() (discordtest.Message, bool) {
	for _, m := range slices.Backward(c.hall.Messages()) {
		if len(m.Called) == 0 {
			return m, true
		}
	}
	return discordtest.Message{}, false
}

// choose takes a button that carries a game on, "" where there is none.
func (c *channelled) choose(m discordtest.Message) string {
	var useful []string
	for _, b := range m.Buttons() {
		what := b.CustomID[strings.LastIndex(b.CustomID, ":")+1:]
		if what != "" && (!strings.ContainsAny(what[:1], "!/") || slices.Contains(leading, what)) {
			useful = append(useful, b.CustomID)
		}
	}
	if len(useful) == 0 {
		return ""
	}
	return useful[c.chance.IntN(len(useful))]
}

// answerSoFar is the answer to an interaction, if it is there: where all has ended none comes any more.
func answerSoFar(t *testing.T, i *discordtest.Interaction) (discordtest.Answer, error) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	return i.Answer(ctx)
}

// kept wants every move that was answered with a board, and counts them.
func (c *channelled) kept(t *testing.T, now kept) (promised int) {
	t.Helper()
	for n, i := range c.said {
		a, err := answerSoFar(t, i)
		if err != nil || a.Type != answersWithBoard {
			continue
		}
		promised++
		if table, turn, move, _ := parse(c.moves[n]); !now.has(table, turn, move) {
			t.Errorf("%s was answered with a board and is not there: table %d has %d moves", c.moves[n], table,
				len(now[table]))
		}
	}
	return promised
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
