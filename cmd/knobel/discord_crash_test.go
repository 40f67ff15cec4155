package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
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

// TestKillAtAnyMomentOnDiscord kills the program over and over while people
// press buttons in their channels, and looks each time whether every press is
// there that was answered with a board. Discord delivers nothing twice: what
// had no answer is pressed again, on the board as it comes back.
func TestKillAtAnyMomentOnDiscord(t *testing.T) {
	t.Parallel() // much of it waits for the program to start
	rounds := kills(t, 10)
	server := discordtest.Start(t, discordtest.Options{Token: discordToken, Within: fakes.Patience, Repeats: true,
		Pace: -1})
	program, listen, db := build(t), freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	guild := server.Guild("The Dice")
	chance := rand.New(rand.NewPCG(2026, 13))
	var all []*channelled
	for i := range 8 {
		all = append(all, &channelled{
			server: server, person: server.Person(fmt.Sprintf("P%d", i), []string{"en-GB", "de"}[i%2]),
			hall: guild.Channel(fmt.Sprint("table-", i)), chance: rand.New(rand.NewPCG(2026, uint64(i))),
		})
	}
	promised := 0
	for round := range rounds {
		s := start(t, program, listen, db, "KNOBEL_DISCORD_TOKEN="+discordToken, "KNOBEL_DISCORD_API_URL="+server.URL())
		s.until("Discord is listened to", server.Listening)
		if round == 0 {
			for _, c := range all {
				c.opens(t.Context(), discordtest.Message{})
			}
		}
		var answered atomic.Int64
		enough := int64(10 + chance.IntN(30))
		ctx, stop := context.WithTimeout(t.Context(), fakes.Patience)
		var pressing sync.WaitGroup
		for _, c := range all {
			pressing.Go(func() { c.play(ctx, &answered) })
		}
		err := server.Wait(ctx, func() bool { return answered.Load() >= enough })
		s.kill()
		stop()
		pressing.Wait()
		if err != nil {
			t.Fatalf("the games do not go on: %v\n%s", err, s.said)
		}
		for _, v := range server.Forgive() {
			t.Errorf("Discord would not take this: %v", v)
		}
		now := read(t, db)
		promised = 0
		for _, c := range all {
			promised += c.kept(t, now)
		}
		examine(t, program, db)
		secretive(t, s.said.String())
	}
	n := verifyAll(t, db)
	t.Logf("%d rounds, %d moves answered with a board, %d games finished", rounds, promised, n)
	if n < rounds/2 || promised < 5*rounds {
		t.Errorf("only %d games and %d moves in %d rounds", n, promised, rounds)
	}
}

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
