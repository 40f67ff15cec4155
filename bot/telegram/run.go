package telegram

// Making and running the adapter.

import (
	"context"
	"log/slog"

	"knobel/bot/chat"
)

// New returns an adapter that has not connected yet.
func New(o Options) *Telegram {
	if o.URL == "" {
		o.URL = DefaultURL
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Clock == nil {
		o.Clock = chat.SystemClock{}
	}
	if o.Leases == nil {
		o.Leases = &chat.Alone{}
	}
	t := &Telegram{
		client: newClient(o.Token, o.URL, o.Dial),
		clock:  o.Clock, hook: o.Webhook, log: o.Log.With("platform", name), answered: o.Answered,
		noEphemeral: o.NoEphemeral,
		budget:      newBudget(o.Clock), leases: o.Leases, presses: presses{open: map[int64]map[chan struct{}]bool{}},
		pages: pages{pending: map[int64]int{}, answers: answers{}, shown: map[[2]int64]*page{}},
		mutes: mutes{known: map[chat.Place]chat.MissingPermissions{}, asked: map[chat.Place]chat.Event{}},
	}
	t.budget.part = o.Leases.Part
	t.client.done = t.counted
	t.client.told = func() {
		t.log.Warn("telegram rejected newer markup; leaving it out until restart")
	}
	t.ephemeral.Store(o.Ephemeral)
	return t
}

// Run learns the bot's identity, registers its commands and handles updates until ctx is done. It retries for ever
// while Telegram is unreachable. Work that has begun is finished within lingering.
func (t *Telegram) Run(ctx context.Context, core chat.Core) error {
	work, stop := linger(ctx, lingering)
	defer stop()
	if t.leases.Part("").Holds {
		introduced, err := core.Noted(ctx, profileNote)
		t.budget.recall(ctx, core, err == nil && introduced == "")
		defer t.budget.spending.end(ctx)
	} else {
		t.retry(ctx, "forget what was spent", func() error { return ForgetSpent(ctx, core) })
	}
	t.mu.Lock()
	t.core = core
	t.mu.Unlock()
	t.Turn(false)
	defer t.Turn(false)

	var me person
	t.retry(ctx, "reach telegram", func() (err error) {
		me, err = t.me(ctx)
		return err
	})
	if ctx.Err() != nil {
		return nil
	}
	t.Turn(true)
	t.log.Info("listening", "bot", me.Username)
	t.mu.Lock()
	t.username = me.Username
	t.mu.Unlock()
	t.working.Go(func() {
		t.retry(ctx, "register the commands", func() error { return t.register(ctx, core.Commands()) })
	})
	t.working.Go(func() { t.retry(ctx, "write the profile", func() error { return t.introduceAlone(ctx, core) }) })
	l := listener{t, core, me, t.known(core.Commands())}
	if t.hook.URL != "" {
		l.await(ctx, work)
	} else if t.leases.Part("").Holds {
		l.poll(ctx, work)
	} else {
		l.pollInTurn(ctx, work)
	}
	t.mu.Lock()
	t.core = nil // nothing new starts
	t.mu.Unlock()
	t.working.Wait()
	return nil
}
