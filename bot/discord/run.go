package discord

// Making and running the adapter.

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/discord/emoji"
)

// New returns an adapter that has not connected yet.
func New(o Options) *Discord {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Leases == nil {
		o.Leases = &chat.Alone{}
	}
	d := &Discord{
		log: o.Log.With("platform", name), times: usual, key: o.Key, shards: o.Shards, leases: o.Leases,
		answered: o.Answered,
		paces:    paces{channels: map[string]*paced{}}, emoji: emojis{off: o.Letters, all: emoji.All(), doubted: make(chan struct{}, 1)},
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: dialWithin}).DialContext
	}
	d.dialer, d.listener = o.Dial, o.Hear
	client, err := newHTTP(o.URL, o.Dial)
	if err != nil {
		client, d.broken = http.DefaultClient, err
	}
	d.rest = rest{http: client, token: o.Token, whole: rate.NewLimiter(overallRate, overallBurst), links: &links{},
		part: func() chat.Part { return o.Leases.Part("") }}
	return d
}

// Run serves until ctx is done. It retries for ever while Discord is unreachable.
func (d *Discord) Run(ctx context.Context, core chat.Core) error {
	if d.broken != nil {
		return d.broken
	}
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := &run{ctx: ctx, late: late, core: core}
	d.current.Store(s)
	defer d.current.Store(nil)
	s.Go(func() { d.introduce(s) })
	if d.listener != nil {
		d.listener(ctx, func(kind string, data json.RawMessage) {
			d.Turn(true) // with another source, events always arrive
			s.Go(func() { d.dispatch(s, kind, data) })
		})
	} else {
		d.connect(s)
	}
	stop := time.AfterFunc(d.times.linger, cancel)
	defer stop.Stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Close()
	}()
	select {
	case <-ended:
	case <-time.After(2 * d.times.linger): // a bot that does not return is abandoned
	}
	return nil
}
