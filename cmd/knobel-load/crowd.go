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

// fakePlatform is a fake Discord or Telegram with chats in which players press buttons.
type fakePlatform struct {
	chats []chatPlayer
	// count returns how many boards were drawn apart from answers to presses, how many requests were refused as too
	// frequent, and how many broke the platform's rules.
	count func() (drawn, often, violations int)
	close func()
}

// chatPlayer is the only player of one chat.
type chatPlayer struct {
	// open opens a table and waits for its board.
	open func(ctx context.Context) error
	// press presses a button of the newest board. The returned function waits for the answer and returns how long that
	// took, -1 if there was no answer. It is nil if there was no button to press.
	press func() func(ctx context.Context) time.Duration
}

// answerTimeout is how long play waits at the end for missing answers.
const answerTimeout = 5 * time.Second

// play presses a button once in each interval from first until end, whether the board has changed or not. It returns
// how long each press waited for its answer, -1 for none, or nil if ctx is done.
func (p chatPlayer) play(ctx context.Context, first time.Time, interval time.Duration,
	end time.Time) (waited []time.Duration) {
	var answers []func(context.Context) time.Duration
	for at := first; at.Before(end); at = at.Add(interval) {
		select {
		case <-time.After(time.Until(at)):
			if answer := p.press(); answer != nil {
				answers = append(answers, answer)
			}
		case <-ctx.Done():
			return nil
		}
	}
	answerCtx, stop := context.WithTimeout(ctx, answerTimeout)
	defer stop()
	for _, answer := range answers {
		waited = append(waited, answer(answerCtx))
	}
	return waited
}

// chooseButton returns a random one of the button ids in presses that continue the game, or "" if none does.
func chooseButton(presses []string, random *rand.Rand) string {
	var useful []string
	for _, p := range presses {
		switch action := p[strings.LastIndex(p, ":")+1:]; action {
		case "", "!page", "!leave", "!undo", "!page rules":
		case "!start", "!rematch":
			return p
		default:
			if !strings.ContainsAny(action[:1], "!/") || strings.HasPrefix(action, "!pick ") {
				useful = append(useful, p)
			}
		}
	}
	if len(useful) == 0 {
		return ""
	}
	return useful[random.IntN(len(useful))]
}

// newDiscord returns the fake Discord server as a platform. chats is the number of channels in its only guild.
func newDiscord(server *discordtest.Server, chats int) fakePlatform {
	a := fakePlatform{close: server.Close, count: func() (drawn, often, violations int) {
		drawn, often = server.Writes()
		return drawn, often, len(server.Violations())
	}}
	guild := server.Guild("Load")
	for i := range chats {
		hall, player := guild.Channel(fmt.Sprint("table-", i)), server.Person(fmt.Sprint("P", i), "en-GB")
		random := rand.New(rand.NewPCG(1, uint64(i)))
		a.chats = append(a.chats, chatPlayer{
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
				press := chooseButton(presses, random)
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

// newTelegram returns the fake Telegram server as a platform. chats is the number of its groups.
func newTelegram(server *telegramtest.Server, chats int) fakePlatform {
	a := fakePlatform{close: server.Close, count: func() (drawn, often, violations int) {
		drawn, often = server.Writes()
		return drawn, often, len(server.Violations())
	}}
	for i := range chats {
		group := server.Group(fmt.Sprint("Group ", i))
		player := telegramtest.Person{ID: int64(1000 + i), First: fmt.Sprint("P", i), Language: "en"}
		random := rand.New(rand.NewPCG(2, uint64(i)))
		a.chats = append(a.chats, chatPlayer{
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
					if p := chooseButton(presses, random); p != "" {
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
