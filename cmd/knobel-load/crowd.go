package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// arena is a fake platform with chats that play.
type arena struct {
	chats []party
	// count returns how many boards were drawn beside the answers, how many requests were refused as too frequent, and
	// how many broke the platform's rules.
	count func() (drawn, often, violations int)
	close func()
}

// party is a player in a chat of their own.
type party struct {
	// open opens a table and waits for its board.
	open func(ctx context.Context) error
	// press presses a button of the newest board and returns what waits for the answer, and how long it took, -1 for
	// none; nil: there is nothing to press.
	press func() func(ctx context.Context) time.Duration
}

// patience is how long answers are waited for at the end.
const patience = 5 * time.Second

// play presses from a time on until another, once a pace, and returns how long each press waited for its answer, -1
// for none. It also presses if the board has not changed.
func (p party) play(ctx context.Context, from time.Time, pace time.Duration,
	until time.Time) (waited []time.Duration) {
	var pressed []func(context.Context) time.Duration
	for at := from; at.Before(until); at = at.Add(pace) {
		select {
		case <-time.After(time.Until(at)):
			if answer := p.press(); answer != nil {
				pressed = append(pressed, answer)
			}
		case <-ctx.Done():
			return nil
		}
	}
	late, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for _, answer := range pressed {
		waited = append(waited, answer(late))
	}
	return waited
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

// channels returns a Discord with a server of many channels.
func channels(server *discordtest.Server, n int) arena {
	a := arena{close: server.Close, count: func() (drawn, often, violations int) {
		drawn, often = server.Writes()
		return drawn, often, len(server.Violations())
	}}
	guild := server.Guild("Load")
	for i := range n {
		hall, player := guild.Channel(fmt.Sprint("table-", i)), server.Person(fmt.Sprint("P", i), "en-GB")
		chance := rand.New(rand.NewPCG(1, uint64(i)))
		a.chats = append(a.chats, party{
			open: func(ctx context.Context) error {
				_, err := hall.Slash(player, "shutbox").Answer(ctx)
				return err
			},
			press: func() func(context.Context) time.Duration {
				board, _ := hall.Last()
				var presses []string
				for _, b := range board.Buttons() {
					presses = append(presses, b.CustomID)
				}
				press := carriesOn(presses, chance)
				if press == "" {
					return nil
				}
				pressed := hall.Press(player, board.ID, press)
				return func(ctx context.Context) time.Duration {
					a, err := pressed.Answer(ctx)
					if err != nil {
						return -1
					}
					return a.After
				}
			},
		})
	}
	return a
}

// groups returns a Telegram with many groups.
func groups(server *telegramtest.Server, n int) arena {
	a := arena{close: server.Close, count: func() (drawn, often, violations int) {
		drawn, often = server.Writes()
		return drawn, often, len(server.Violations())
	}}
	for i := range n {
		group := server.Group(fmt.Sprint("Group ", i))
		player := telegramtest.Person{ID: int64(1000 + i), First: fmt.Sprint("P", i), Language: "en"}
		chance := rand.New(rand.NewPCG(2, uint64(i)))
		a.chats = append(a.chats, party{
			open: func(ctx context.Context) error {
				group.Say(player, "/shutbox")
				return server.Wait(ctx, func() bool { return len(group.Messages()) > 0 })
			},
			press: func() func(context.Context) time.Duration {
				press, board := "", telegramtest.Message{}
				for _, m := range group.Messages() {
					var presses []string
					for _, b := range slices.Concat(m.Keyboard...) {
						presses = append(presses, b.Data)
					}
					if p := carriesOn(presses, chance); p != "" {
						press, board = p, m
					}
				}
				if press == "" {
					return nil
				}
				id := group.PressData(player, board.ID, press)
				return func(ctx context.Context) time.Duration {
					var q telegramtest.Query
					if server.Wait(ctx, func() bool {
						q, _ = server.Query(id)
						return !q.Answered.IsZero()
					}) != nil {
						return -1
					}
					return q.Answered.Sub(q.Asked)
				}
			},
		})
	}
	return a
}
