package help

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// The command /doctor, which shows problems of a chat, and the same check for the operator (knobel doctor).

// maxConsulted is the most places (the chat itself and its threads) checked in a chat, maxChats the most chats checked.
const (
	maxConsulted = 8
	maxChats     = 100
)

// consultWithin is the timeout of asking a platform which permissions the bot has in a chat.
const consultWithin = 6 * time.Second

// doctorCommand shows the admins of a chat which permissions the bot lacks, how many boards are outdated, and how much
// of the rate limit is used.
func (b *Help) doctorCommand(v *table.Visit, _ bot.Args) error {
	if err := v.AdminsOnly("bot.doctor.admins"); err != nil {
		return err
	}
	active, err := v.Active(v.Chat.ID)
	if err != nil {
		return err
	}
	places := []chat.Place{v.Event.Place}
	lagging, lost := 0, []string{}
	for _, t := range active {
		switch {
		case t.Board.Away:
			lost = append(lost, fmt.Sprint(t.ID))
		case t.Board.Drawn < t.Version:
			lagging++
		}
		if len(places) < maxConsulted && !slices.Contains(places, chat.Place(t.Place)) {
			places = append(places, chat.Place(t.Place))
		}
	}
	m := v.Private(games.Say("bot.doctor.head", nil),
		games.Say("bot.doctor.boards", games.Args{"N": len(active), "Lagging": lagging}))
	if len(lost) > 0 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.doctor.lost", games.Args{"Tables": lost})))
	}
	evenings, err := v.Tx.Calls.EveningsOf(v.Chat.ID)
	if slices.ContainsFunc(evenings, func(e store.Evening) bool { return e.Event == store.LeftEvent }) {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.doctor.event", nil)))
	}
	if b.Version != "" {
		m.Small = "Knobel " + b.Version
	}
	v.AfterAnswer(func(ctx context.Context, c *bot.Core, m *chat.Message) error {
		_, on := c.Outbox.PlatformAt(places[0])
		if on == nil {
			return nil
		}
		var lines []string
		ctx, cancel := context.WithTimeout(ctx, consultWithin)
		defer cancel()
		found, err := on.Consult(ctx, v.Event.Chat, places)
		if err != nil {
			b.Log.InfoContext(ctx, "look up bot permissions failed", "error", err)
			found = []chat.Finding{{Line: games.Say("bot.stands.unknown", nil)}}
		}
		for _, f := range found {
			mark := ""
			if f.Wrong {
				mark = "⚠ "
			}
			lines = append(lines, mark+v.Say(f.Line))
		}
		if budget := on.Budget(v.Event.Place); budget.Limit > 0 {
			lines = append(lines, v.Say(games.Say("bot.doctor.budget", games.Args{ // writes in the last minute
				"Used": budget.Used(), "Limit": budget.Limit, "Sends": budget.Sends, "Edits": budget.Edits,
				"Calls": budget.Calls, "Waiting": budget.Waiting,
			})))
		}
		m.Lines = append(lines, m.Lines...)
		return nil
	})
	return err
}

// ConsultAll returns the problems that platform p finds in chats with unfinished tables, in English for the operator.
// It checks at most maxChats chats.
func (b *Help) ConsultAll(ctx context.Context, p chat.Platform) ([]chat.Finding, error) {
	places, platform := map[chat.Chat][]chat.Place{}, p.Name()
	var chats []chat.Chat
	err := b.Store.View(ctx, func(tx *store.Tx) error {
		active, err := tx.Tables.Active()
		for _, a := range active {
			group := chat.Chat(a.Chat)
			if chat.PlatformOf(a.Chat) != platform || len(places) >= maxChats && places[group] == nil {
				continue
			}
			if places[group] == nil {
				chats = append(chats, group)
			}
			places[group] = append(places[group], chat.Place(a.Place))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("chats with tables: %w", err)
	}
	var wrong []chat.Finding
	for _, group := range chats {
		found, err := p.Consult(ctx, group, places[group][:min(len(places[group]), maxConsulted)])
		if err != nil {
			return wrong, fmt.Errorf("check permissions in %s: %w", group, err)
		}
		for _, f := range found {
			if f.Wrong {
				wrong = append(wrong, chat.Finding{Text: fmt.Sprintf("chat %s: %s", group, Said(b.Words, f)),
					Wrong: true})
			}
		}
	}
	return wrong, nil
}

// Said returns the text of finding f for the operator: in English, and without the full stop at its end.
func Said(w *words.Words, f chat.Finding) string {
	if f.Line.Key == "" {
		return f.Text
	}
	return strings.TrimSuffix(w.Say(words.Default, f.Line, words.Context{}), ".")
}
