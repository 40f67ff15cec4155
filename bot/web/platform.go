package web

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"knobel/bot/chat"
)

// The browser table as a platform.

// Name returns "web".
func (w *Web) Name() string { return "web" }

// Traits says that pages replay the steps since they last looked.
func (w *Web) Traits() chat.Traits { return chat.Traits{Steps: true} }

// Run serves the page until ctx is done, then closes it within seconds and returns nil. It returns an error at once if
// the address cannot be used, or needs a secret.
func (w *Web) Run(ctx context.Context, b chat.Core) error {
	if w.config.Secret == "" && len(w.config.Proxies) > 0 {
		return errors.New("a proxy leads strangers to the browser table: set KNOBEL_WEB_SECRET, or leave " +
			"KNOBEL_PROXIES out")
	}
	if w.config.Secret == "" && !Loopback(w.config.Listen) {
		return fmt.Errorf("the browser table on %s can be reached from other machines: set KNOBEL_WEB_SECRET, or "+
			"listen on %s",
			w.config.Listen, DefaultListen)
	}
	h := w.handler(ctx, b)
	var rooms sync.WaitGroup
	defer rooms.Wait()
	keeping, closes := context.WithCancel(ctx)
	defer closes()
	rooms.Go(func() { w.keeping(keeping) })
	rooms.Go(func() { w.following(keeping) })
	l, err := w.config.Listener, error(nil)
	if l == nil {
		l, err = Listen(ctx, w.config.Listen, "--listen or KNOBEL_LISTEN")
	}
	if err == nil {
		w.drawn(ctx, w.room)
		if w.config.Listening != nil {
			w.config.Listening(pageURL(l.Addr()))
		}
		err = ServeOn(ctx, l, h)
	}
	if err != nil && ctx.Err() == nil && w.config.Failed != nil {
		w.config.Failed(err)
		return nil
	}
	return err
}

// Call shows a notice in one person's browser alone.
func (w *Web) Call(ctx context.Context, place chat.Place, s chat.Ping) (chat.Ref, error) {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return "", fmt.Errorf("call to %q: %w", place, err)
	}
	return r.call(s, "", false), nil
}

// Post adds a board to the bottom of the feed.
func (w *Web) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return "", fmt.Errorf("post to %q: %w", place, err)
	}
	defer w.hint(hint{Room: place, Look: true})
	return r.post(m), nil
}

// Edit replaces a board in the feed.
func (w *Web) Edit(ctx context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return fmt.Errorf("edit in %q: %w", place, err)
	}
	defer w.hint(hint{Room: place, Look: true})
	return r.edit(ref, m)
}

// Viewers returns the viewers of a table's last board.
func (w *Web) Viewers(place chat.Place, table int64) []chat.Viewer {
	r := w.rooms.at(place)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.last(chat.Message{Table: table}); i >= 0 {
		return r.entries[i].views.asked()
	}
	return nil
}

// Retire removes a board's buttons, and the board if its table has a newer one; or it removes a notice.
func (w *Web) Retire(ctx context.Context, place chat.Place, ref chat.Ref) error {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return fmt.Errorf("retire in %q: %w", place, err)
	}
	r.dismiss(ref)
	r.retire(ref)
	return nil
}
