package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// arena is a fake platform for a load.
type arena interface {
	chats() []party
	// count returns how many boards were drawn beside the answers, how many requests were refused as too frequent, and
	// how many broke a platform's rules.
	count() (drawn, often, violations int)
	close()
}

// party is a chat of a load.
type party interface {
	// open opens a table and waits for its board.
	open(ctx context.Context) error
	// play presses the table's buttons from a time on until another, one a pace, and returns how long each press waited
	// for its answer, -1 for none. It also presses if the board has not changed.
	play(ctx context.Context, from time.Time, pace time.Duration, until time.Time) []time.Duration
}

// patience is how long answers are waited for at the end.
const patience = 5 * time.Second

// drum calls press once a pace, from one moment until another, or until ctx is done.
func drum(ctx context.Context, from time.Time, pace time.Duration, until time.Time, press func()) {
	for at := from; at.Before(until); at = at.Add(pace) {
		select {
		case <-time.After(time.Until(at)):
			press()
		case <-ctx.Done():
			return
		}
	}
}

// carriesOn picks a button that continues a game, "" for none.
func carriesOn(presses []string, chance *rand.Rand) string {
	var useful []string
	for _, p := range presses {
		switch what := p[strings.LastIndex(p, ":")+1:]; what {
		case "", "!page", "!leave", "!undo", "!page rules":
		case "!start", "!rematch":
			return p
		default:
			if !strings.ContainsAny(what[:1], "!/") || strings.HasPrefix(what, "!pick ") {
				useful = append(useful, p)
			}
		}
	}
	if len(useful) == 0 {
		return ""
	}
	return useful[chance.IntN(len(useful))]
}

// channels is a Discord with a server of many channels, each a party.
type channels struct {
	server *discordtest.Server
	all    []party
}

func newChannels(server *discordtest.Server, n int) *channels {
	c := &channels{server: server}
	guild := server.Guild("Load")
	for i := range n {
		c.all = append(c.all, &channel{
			server: server, hall: guild.Channel(fmt.Sprint("table-", i)),
			player: server.Person(fmt.Sprint("P", i), "en-GB"),
			chance: rand.New(rand.NewPCG(1, uint64(i))),
		})
	}
	return c
}

func (c *channels) chats() []party { return c.all }

func (c *channels) count() (drawn, often, violations int) {
	drawn, often = c.server.Writes()
	return drawn, often, len(c.server.Violations())
}

func (c *channels) close() { c.server.Close() }

// channel is a player in their own channel.
type channel struct {
	server *discordtest.Server
	hall   *discordtest.Channel
	player *discordtest.Person
	chance *rand.Rand
}

func (c *channel) open(ctx context.Context) error {
	_, err := c.hall.Slash(c.player, "shutbox").Answer(ctx)
	return err
}

// play presses a button of the newest board once a pace, and returns how long each press waited for its answer, -1 for
// none.
func (c *channel) play(ctx context.Context, from time.Time, pace time.Duration,
	until time.Time) (waited []time.Duration) {
	var said []*discordtest.Interaction
	drum(ctx, from, pace, until, func() {
		board, _ := c.hall.Last()
		var presses []string
		for _, b := range board.Buttons() {
			presses = append(presses, b.CustomID)
		}
		if press := carriesOn(presses, c.chance); press != "" {
			said = append(said, c.hall.Press(c.player, board.ID, press))
		}
	})
	late, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for _, i := range said {
		a, err := i.Answer(late)
		if err != nil {
			a.After = -1
		}
		waited = append(waited, a.After)
	}
	return waited
}

// groups is a Telegram with many groups, each a party.
type groups struct {
	server *telegramtest.Server
	all    []party
}

func newGroups(server *telegramtest.Server, n int) *groups {
	g := &groups{server: server}
	for i := range n {
		g.all = append(g.all, &group{
			server: server, chat: server.Group(fmt.Sprint("Group ", i)),
			player: telegramtest.Person{ID: int64(1000 + i), First: fmt.Sprint("P", i), Language: "en"},
			chance: rand.New(rand.NewPCG(2, uint64(i))),
		})
	}
	return g
}

func (g *groups) chats() []party { return g.all }

func (g *groups) count() (drawn, often, violations int) {
	drawn, often = g.server.Writes()
	return drawn, often, len(g.server.Violations())
}

func (g *groups) close() { g.server.Close() }

// group is a player in their own group.
type group struct {
	server *telegramtest.Server
	chat   *telegramtest.Chat
	player telegramtest.Person
	chance *rand.Rand
}

func (g *group) open(ctx context.Context) error {
	g.chat.Say(g.player, "/shutbox")
	return g.server.Wait(ctx, func() bool { return len(g.chat.Messages()) > 0 })
}

// play is the same for a group on Telegram.
func (g *group) play(ctx context.Context, from time.Time, pace time.Duration,
	until time.Time) (waited []time.Duration) {
	var said []string
	drum(ctx, from, pace, until, func() {
		press, board := "", telegramtest.Message{}
		for _, m := range g.chat.Messages() {
			var presses []string
			for _, row := range m.Keyboard {
				for _, b := range row {
					presses = append(presses, b.Data)
				}
			}
			if p := carriesOn(presses, g.chance); p != "" {
				press, board = p, m
			}
		}
		if press != "" {
			said = append(said, g.chat.PressData(g.player, board.ID, press))
		}
	})
	late, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for _, id := range said {
		var q telegramtest.Query
		err := g.server.Wait(late, func() bool {
			q, _ = g.server.Query(id)
			return !q.Answered.IsZero()
		})
		if err != nil {
			waited = append(waited, -1)
			continue
		}
		waited = append(waited, q.Answered.Sub(q.Asked))
	}
	return waited
}
