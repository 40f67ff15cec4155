//go:build unix

package telegram

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

// throwing returns a board in the middle of a game, different for each n.
func throwing(n int64) chat.Message {
	return chat.Message{
		Table: 1, Lang: "en", Head: []string{"Anna rolled 5 and 6: close 11.", "Anna rolled 6 and 5: close 11."}[n%2],
		Lines: []string{"1 2 3 4 5 6 7 8 9 open 45", "Ben 12 · House 17 · Anna …"},
		Buttons: [][]chat.Button{{{Label: "9+2", Press: "1:1:0:shut 9+2"}, {Label: "8+3", Press: "1:1:0:shut 8+3"},
			{Label: "7+4", Press: "1:1:0:shut 7+4"}}},
		Small: "dice seal 3fa9c1d20b77",
	}
}

// echo is a core that answers every press with a number and redraws the board, so that the adapter costs most.
type echo struct {
	script
	tele *Telegram
	n    int64
}

func (e *echo) Handle(ctx context.Context, ev chat.Event) chat.Reply {
	e.n++
	go func(n int64) {
		err := e.tele.Ready(ctx, ev.Place, chat.ToMove)
		if err = errors.Join(err, e.tele.Edit(ctx, ev.Place, ev.On, throwing(n))); err != nil && ctx.Err() == nil {
			panic(err)
		}
	}(e.n)
	return chat.Reply{Toast: "11"}
}

// rested is a clock that jumps ahead between two readings, so that every budget has recovered. Waits take real time.
type rested struct {
	chat.SystemClock
	looks atomic.Int64
}

func (r *rested) Now() time.Time {
	return time.Unix(1_800_000_000, 0).Add(time.Duration(r.looks.Add(1)) * 10 * time.Second)
}

// pressed is a fake Telegram on which Anna presses a button of one board again and again.
type pressed struct {
	*testing.B
	server *telegramtest.Server
	clock  *rested
	group  *telegramtest.Chat
	board  int64
	edits  int
}

// newPressed starts the fake Telegram of a benchmark.
func newPressed(b *testing.B) *pressed {
	clock := &rested{}
	server, err := telegramtest.New(nil, telegramtest.Options{Forget: true, Now: clock.Now})
	check(b, err)
	b.Cleanup(server.Close)
	return &pressed{B: b, server: server, clock: clock, group: server.Group("The Dice")}
}

// opens posts the board of the table.
func (p *pressed) opens() {
	ref, err := New(p.options()).Post(p.Context(), placeID(p.group.ID(), 0), throwing(0))
	check(p, err)
	if _, p.board, err = parseRef(ref); err != nil {
		p.Fatal(err)
	}
}

func (p *pressed) options() Options {
	return Options{Token: p.server.Token(), URL: p.server.URL(), Log: slog.New(slog.DiscardHandler), Clock: p.clock}
}

// presses makes n presses, one after another, and returns the processor time and the bytes that stay allocated.
func (p *pressed) presses(n int) (cpu time.Duration, kept int64) {
	late, stop := context.WithTimeout(p.Context(), fakes.Patience)
	defer stop()
	return fakes.Spent(p.B, func() {
		for range n {
			query := p.group.PressData(anna, p.board, "1:1:0:shut 9+2")
			p.edits++
			err := p.server.Wait(late, func() bool {
				q, _ := p.server.Query(query)
				m, _ := p.group.Message(p.board)
				return len(q.Answers) == 1 && m.Edits == p.edits
			})
			check(p, err)
			p.server.Drop(query)
		}
	})
}

// bare runs a bot on telegram-bot-api without our adapter until the server closes, with two requests for each press.
func bare(p *pressed) {
	api, err := tg.NewBotAPIWithAPIEndpoint(p.server.Token(), p.server.URL()+"/bot%s/%s")
	check(p, err)
	var row []tg.InlineKeyboardButton
	for _, k := range throwing(0).Buttons[0] {
		row = append(row, tg.NewInlineKeyboardButtonData(k.Label, k.Press))
	}
	keyboard := tg.NewInlineKeyboardMarkup(row)
	texts := []string{messageHTML(throwing(0)), messageHTML(throwing(1))}
	go func() {
		config := tg.UpdateConfig{Timeout: 50}
		for n := 1; ; {
			updates, err := api.GetUpdates(config)
			if err != nil {
				return // the server is closed
			}
			for _, u := range updates {
				config.Offset = u.UpdateID + 1
				c := u.CallbackQuery
				_, _ = api.Request(tg.NewCallback(c.ID, "11"))
				edit := tg.NewEditMessageTextAndMarkup(c.Message.Chat.ID, c.Message.MessageID, texts[n%2], keyboard)
				edit.ParseMode, edit.DisableWebPagePreview = tg.ModeHTML, true
				_, _ = api.Send(edit)
				n++
			}
		}
	}()
}

// BenchmarkPress measures processor time and memory of a press through the adapter, polled, answered and redrawn
// without a store; for comparison also of a bot with the library alone. The fake Telegram is part of both.
func BenchmarkPress(b *testing.B) {
	ours, theirs := newPressed(b), newPressed(b)
	ours.opens()
	theirs.opens()
	core := &echo{tele: New(ours.options())}
	fakes.Running(b, func(ctx context.Context) error { return core.tele.Run(ctx, core) })
	bare(theirs)
	fakes.Beside(b, ours.presses, theirs.presses)
}
