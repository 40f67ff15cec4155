package bot

// Handling of events: each runs in one transaction, and the work registered there runs after the commit.

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/outbox"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// New returns a bot without features; Add installs them. Handle works at once; boards are drawn while Run runs.
func New(c Config) *Core {
	b := &Bot{Config: c}
	b.Clock = cmp.Or[chat.Clock](b.Clock, chat.SystemClock{})
	if b.Same == nil {
		b.Same = func(chat.User, chat.User) bool { return false }
	}
	b.Zone = cmp.Or(b.Zone, time.Local)
	b.Rand = cmp.Or(b.Rand, rand.Reader)
	b.Log = cmp.Or(b.Log, slog.Default())
	b.Sweep = cmp.Or(b.Sweep, 15*time.Second)
	b.reserved = map[string]bool{}
	for _, lang := range b.Words.Languages() {
		gone := b.Words.Say(lang, games.Say("bot.gone", games.Args{"N": 7}), words.Context{})
		b.reserved[chat.Skeleton(strings.TrimSuffix(gone, "7"))] = true
		for _, key := range []string{"bot.house", "bot.somebody"} {
			b.reserved[chat.Skeleton(b.Words.Say(lang, games.Say(key, nil), words.Context{}))] = false
		}
	}
	for _, word := range b.WordsFor("bot.house" + typedSuffix) {
		b.reserved[chat.Skeleton(strings.ReplaceAll(word, "-", " "))] = false
	}
	core := &Core{Bot: b}
	core.Outbox = outbox.New(outbox.Config{Store: b.Store, Clock: b.Clock, Log: b.Log, Leases: b.Leases,
		Await: func(ctx context.Context, t store.Table, until time.Time) {
			for _, f := range b.features {
				if f.Soon != nil {
					f.Soon(ctx, core, t, until)
				}
			}
		},
		Render: func(tx *store.Tx, t store.Table, viewers []chat.Viewer) (chat.Message, error) {
			return b.tables.Board(tx, t, nil, viewers...)
		}})
	return core
}

// Add installs all features. Call it once, before the bot handles events. menu is the order of the commands, by name,
// in menus and in /help; commands that it does not list, those of games, come first.
func (b *Bot) Add(menu []string, features ...Feature) {
	b.features = append(b.features, features...)
	for _, f := range features {
		b.AllCommands = append(b.AllCommands, f.Commands...)
		if f.Board != nil {
			b.tables = f
		}
		if f.Puzzle != nil {
			b.puzzles = f
		}
	}
	b.settings = []Setting{zoneSetting}
	for _, f := range features {
		b.settings = append(b.settings, f.Settings...)
	}
	for i := range b.settings {
		b.settings[i].deriveFromValues()
	}
	b.AllCommands = append(b.AllCommands,
		Command{Name: "news", Subject: OfChat, Run: (*Visit).newsCommand},
		Command{Hidden: true, Name: "show", Run: (*Visit).showPage, Needs: 1, How: "bot.no-such-button",
			Options: []Option{{Name: "page", Type: chat.TypeText}}},
		Command{Name: "settings", Subject: OfChat, Run: (*Visit).settingsCommand, Hosted: "bot.hosted.settings",
			Equals: "bot.equals.settings", Options: b.settingOptions()})
	for i := range b.AllCommands {
		c := &b.AllCommands[i]
		c.Aliases = b.addAliases(c.Name, c.Aliases, "bot.called."+c.Name)
		for j := range c.Subs {
			c.Subs[j].Aliases = b.addAliases("", nil, c.Subs[j].Word)
		}
	}
	slices.SortStableFunc(b.AllCommands, func(one, other Command) int {
		return slices.Index(menu, one.Name) - slices.Index(menu, other.Name)
	})
}

// Handle runs an event and returns the reply. It never fails: an internal error is logged, and the person reads one
// fixed sentence. The adapter or the outbox draws the boards. An accepted event is finished even if ctx ends.
func (c *Core) Handle(ctx context.Context, ev chat.Event) chat.Reply {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	began := c.Clock.Now()
	reply, err := c.handle(ctx, ev)
	if c.Meter != nil {
		c.countEvent(ev, reply, err, c.Clock.Now().Sub(began))
	}
	if err != nil {
		failed := "event failed"
		if reply.Toast != "" {
			failed = "answer event failed"
		} else {
			reply = c.sorry(ev)
		}
		c.Log.ErrorContext(ctx, failed, "platform", ev.Platform(), "event", c.eventForLog(ev), "error", err)
	}
	return reply
}

// Sorry counts ev as failed and returns an apology. Call it instead of Handle if another replica may be handling ev.
func (c *Core) Sorry(ev chat.Event) chat.Reply {
	reply := c.sorry(ev)
	if c.Meter != nil {
		c.countEvent(ev, reply, errNotTaken, 0)
	}
	return reply
}

// errNotTaken is the error of an event that Sorry answers.
var errNotTaken = errors.New("it is unknown whether another replica is running")

// sorry returns the reply after an internal error, with one fixed sentence.
func (b *Bot) sorry(ev chat.Event) chat.Reply {
	toast := b.Words.Say(b.languageOf(ev, ""), games.Say("bot.sorry", nil), words.Context{})
	return chat.Reply{Refused: true, Toast: toast}
}

// countEvent reports an event, its outcome and its duration (took) to the meter.
func (b *Bot) countEvent(ev chat.Event, reply chat.Reply, err error, took time.Duration) {
	outcome := Done
	switch {
	case err != nil:
		outcome = Failed
	case reply.Refused:
		outcome = Refused
	}
	b.Meter.Handled(ev.Platform(), deedOf(ev), outcome, took)
}

// handle runs the event's transaction. If it needs an answer of the platform (see Visit.Ask), handle asks and runs it
// again. With an error the reply is empty, unless the transaction was committed or the event was refused.
func (c *Core) handle(ctx context.Context, original chat.Event) (reply chat.Reply, err error) {
	defer loop.Rescue(&err)
	answers := map[string]any{}
	if original.Alias != "" {
		if original, err = c.withPair(ctx, original); err != nil {
			return chat.Reply{}, err
		}
	}
	ev := original
	ev.Functions = chat.Functions{}
	for {
		v, err := c.visit(ctx, ev, answers)
		if err == nil {
			if err := v.runAfterCommit(ctx, c); err != nil { // the event is committed, so its board is drawn
				return chat.Reply{Toast: v.Say(games.Say("bot.sorry-late", nil)), Board: v.Reply.Board,
					Fresh: v.Reply.Fresh}, err
			}
			for _, m := range []*chat.Message{v.Reply.Private, v.Reply.Page} {
				if m != nil && v.Event.User != original.User { // the adapter knows the player, not the person
					chat.Readdress(m, v.Event.User, original.User)
				}
			}
			return v.Reply, nil
		}
		if q, asks := errors.AsType[*question](err); asks {
			err = loop.Safely(func() (err error) {
				answers[q.about], err = q.ask(ctx, c, original)
				return err
			})
			if err == nil {
				continue
			}
		}
		if r, refused := games.Refused(err); refused {
			return v.refusalReply(r), c.storeRefusal(ctx, v.Event, v.At)
		}
		return chat.Reply{}, err
	}
}

// storeRefusal stores the id of a refused event at the time now (Unix ms), so that a second delivery of it is not run.
// It also runs the Before hooks, which redraw a board that could not be drawn.
func (c *Core) storeRefusal(ctx context.Context, ev chat.Event, now int64) error {
	if ev.ID == "" {
		return nil
	}
	return c.carryOut(ctx, store.OfChat(string(ev.Chat)), Visit{Event: ev, At: now}, func(v *Visit) error {
		seen, err := v.Tx.Chats.Seen(ev.ID, now)
		if err != nil || seen {
			return err
		}
		if err := v.runHooks(func(f Feature) Hook { return f.Before }); err != nil {
			return err
		}
		return v.Met()
	})
}

// transact runs step in a transaction with a copy of initial, and returns that copy. If the database retries the
// transaction, step begins again with a fresh copy. answers are the platform's answers for Visit.Ask.
func (c *Core) transact(ctx context.Context, scope store.Scope, initial Visit, answers map[string]any,
	step func(v *Visit) error) (v *Visit, err error) {
	conditions := c.Outbox.Conditions()
	err = c.Store.UpdateOf(ctx, scope, func(tx *store.Tx) (err error) {
		defer loop.Rescue(&err)
		begun := initial
		v = &begun
		v.bot, v.Tx, v.work = c.Bot, tx, &work{answers: answers, conditions: conditions, read: Cache{}}
		if err = step(v); err == nil {
			v.completeReply()
		}
		return err
	})
	return v, err
}

// carryOut runs step in a transaction, with a fresh copy of initial for each attempt. After the commit it runs the work
// that step has registered.
func (c *Core) carryOut(ctx context.Context, scope store.Scope, initial Visit, step func(v *Visit) error) error {
	v, err := c.transact(ctx, scope, initial, nil, step)
	if err != nil {
		return err
	}
	return v.runAfterCommit(ctx, c)
}

// Step runs step in a transaction without an event, for loops. After the commit it runs the work registered by step.
func (c *Core) Step(ctx context.Context, scope store.Scope, step func(v *Visit) error) error {
	return c.carryOut(ctx, scope, Visit{At: c.Now(), Lang: words.Default}, step)
}

// StepAt runs step for each row, such as a due table, in its own transaction with the scope that scopeOf returns. It
// skips chats whose loops another replica runs. It continues after errors and returns all, with label and the row's id.
func (c *Core) StepAt(ctx context.Context, scopeOf func(int64) store.Scope, rows []store.Row, label string,
	step func(v *Visit, id int64) error) error {
	var faults []error
	for _, r := range rows {
		under, held := c.Under(scopeOf(r.ID), r.Chat)
		if !held {
			continue
		}
		err := c.Step(ctx, under, func(v *Visit) error { return step(v, r.ID) })
		if err != nil && !c.Leases.Fenced(err) {
			faults = append(faults, fmt.Errorf("%s %d: %w", label, r.ID, err))
		}
	}
	return errors.Join(faults...)
}

// handleEvent handles the event; a repeated id is a no-op. The error may be a refusal or a *question.
func (v *Visit) handleEvent() error {
	p, ok := chat.ParsePress(v.Event.Press)
	v.Tx.Expect(store.Known{Chat: string(v.Event.Chat), User: string(v.Event.User), Table: p.Table})
	seen, err := v.Tx.Chats.Seen(v.Event.ID, v.At)
	if err != nil || seen {
		return err
	}
	v.work.unseen = true
	if len(v.Event.Joined)+len(v.Event.Left) > 0 {
		return v.saveMembers()
	}
	if v.Chat, err = v.Tx.Chats.Chat(string(v.Event.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if v.Player, err = v.Tx.Chats.Player(string(v.Event.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	v.Event.User = chat.User(v.Player.Person) // from here on, people are compared as persons
	if v.Event.Renamed {
		if v.Player.Name == "" && v.Player.Language == "" { // a person unknown to the bot
			return nil
		}
		return v.savePlayer()
	}
	if err := v.saveChatAndPlayer(); err != nil {
		return err
	}
	if v.Event.Guest && InMessage(v.Event) {
		if done, err := readMessage(v, p); done || err != nil {
			return err
		}
	}
	switch {
	case v.Event.Press != "" && !ok:
		return games.Refuse("bot.no-such-button", nil)
	case v.Event.User == "":
		return games.Refuse("bot.hidden", nil)
	case v.Event.Press == "":
		if err := v.runCommand(v.Event.Command, v.Event.Options, v.Event.Text); err != nil {
			return err
		}
		return v.Met()
	}
	v.work.pressed = p
	if name, text, ok := p.Command(); ok {
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
		return v.runCommand(name, nil, text)
	}
	v.work.onBoard = p.Table
	return v.bot.tables.Press(v)
}

// View renders the newest board of a table for a viewer. The error wraps chat.ErrGone if there is no such table.
func (c *Core) View(ctx context.Context, table int64, viewer chat.Viewer) (chat.Message, error) {
	return c.viewOf(ctx, "table", table, func(tx *store.Tx) (chat.Message, error) {
		t, err := tx.Tables.Table(table)
		if err != nil {
			return chat.Message{}, err
		}
		return c.tables.Board(tx, t, &viewer)
	})
}

// Puzzle renders a puzzle in a language. The error wraps chat.ErrGone if there is no such puzzle.
func (c *Core) Puzzle(ctx context.Context, puzzle int64, lang string) (chat.Message, error) {
	return c.viewOf(ctx, "puzzle", puzzle, func(tx *store.Tx) (chat.Message, error) {
		return c.puzzles.Puzzle(tx, puzzle, lang)
	})
}

// viewOf runs draw in a read-only transaction. kind ("table" or "puzzle") and id are for the error, which wraps
// chat.ErrGone if draw returns store.ErrNotFound.
func (c *Core) viewOf(ctx context.Context, kind string, id int64, draw func(*store.Tx) (chat.Message, error)) (
	m chat.Message, err error) {
	defer loop.Rescue(&err)
	err = c.Store.View(ctx, func(tx *store.Tx) (err error) {
		m, err = draw(tx)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = fmt.Errorf("%w: %w", chat.ErrGone, err)
	}
	if err != nil {
		return chat.Message{}, fmt.Errorf("view %s %d: %w", kind, id, err)
	}
	return m, nil
}

// handleWithin is the timeout of one event, even during a shutdown.
const handleWithin = 10 * time.Second

// Running an event exactly once, even if the connection to the database is lost.

const (
	// unsureTries is how often an event is tried again while it is uncertain whether it was committed. unsurePause is
	// the first pause, doubled each time: 1.5 seconds in total.
	unsureTries = 4
	unsurePause = 100 * time.Millisecond
	// unsureWithin is the timeout of each repeated try, even after the event's own timeout (handleWithin).
	unsureWithin = 5 * time.Second
)

// visit runs an event in a transaction. While it is uncertain whether that was committed, visit tries again: a
// committed event is then recognised by its id and not run twice. answers are as for transact.
func (c *Core) visit(ctx context.Context, ev chat.Event, answers map[string]any) (v *Visit, err error) {
	try := func(ctx context.Context) (*Visit, error) {
		return c.transact(ctx, store.OfChat(string(ev.Chat)), Visit{Event: ev}, answers, func(v *Visit) error {
			v.At = c.Now()
			return v.handleEvent()
		})
	}
	v, err = try(ctx)
	if err == nil || ev.ID == "" {
		return v, err
	}
	for n := 0; n < unsureTries && store.Uncertain(err); n++ {
		<-c.Clock.After(unsurePause << n)
		retryCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unsureWithin)
		again, failed := try(retryCtx)
		cancel()
		switch {
		case again != nil && again.work.unseen:
			v, err = again, failed // the first run was not committed
		case failed == nil:
			return v, nil
		}
	}
	return v, err
}
