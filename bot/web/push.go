package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/push"
	"knobel/store"
)

// Web Push: subscriptions of browsers to rooms, and messages to those that do not show the room.

const (
	// gamesBefore is after how many finished games in a room a person is asked whether to be notified there.
	gamesBefore = 2
	// maxPushText is the most characters of the sentence in a push: notifications show less.
	maxPushText = 300
	// turnLasts is how long the push of a turn without an earlier limit is of use, postLasts that of a message to all.
	turnLasts, postLasts = time.Hour, 4 * time.Hour
)

// notifying is what notifies browsers by Web Push.
type notifying struct {
	sender  *push.Sender // nil: no browser can subscribe
	muted   func(context.Context, chat.Chat) (bool, error)
	pushing sync.WaitGroup // running pushes
}

// Notify lets browsers subscribe to pushes of rooms, which s sends. The function muted reports whether no one in a chat
// may be called now; nil means that this is never so. Call Notify before Run.
func (w *Web) Notify(s *push.Sender, muted func(context.Context, chat.Chat) (bool, error)) {
	w.sender, w.muted = s, muted
}

// pushState is the JSON about pushes to a browser: the key for subscribing, the room's id in pushes, whether the
// visitor has subscribed (On), and whether the page may ask for it.
type pushState struct {
	Key  string `json:"key"`
	ID   string `json:"id"`
	On   bool   `json:"on"`
	Asks bool   `json:"asks"`
}

// pushID returns the id of the room in pushes. It reveals nothing, and is the same on all replicas.
func (r *room) pushID() string { return shortHash("knobel push " + r.salt)[:16] }

// pushRoutes adds the routes about pushes to those of a room.
func (w *Web) pushRoutes(mux *http.ServeMux) {
	mux.HandleFunc("POST /sight", w.rateLimited(w.asks, jsonHandler(w, w.noteSight)))
	if w.sender == nil {
		return
	}
	mux.HandleFunc("GET /push", w.rateLimited(w.asks, func(rw http.ResponseWriter, r *http.Request) {
		w.withPushes(rw, r, func(*store.Tx, visitor) error { return nil })
	}))
	mux.HandleFunc("DELETE /push", w.rateLimited(w.acts, func(rw http.ResponseWriter, r *http.Request) {
		w.withPushes(rw, r, func(tx *store.Tx, v visitor) (err error) {
			for _, p := range v.People {
				err = cmp.Or(err, tx.Rooms.DropPushes(string(w.roomOf(r).place), string(v.user(p.Number))))
			}
			return err
		})
	}))
	mux.HandleFunc("POST /push", w.rateLimited(w.acts, jsonHandler(w, w.subscribe)))
}

// withPushes makes a change of the pushes to the visitor of r, and answers with their state after it.
func (w *Web) withPushes(rw http.ResponseWriter, r *http.Request, change func(*store.Tx, visitor) error) {
	v, ok := w.visitorOf(r)
	if !ok {
		w.refuseUnknown(rw, r)
		return
	}
	room := w.roomOf(r)
	s := pushState{Key: w.sender.PublicKey(), ID: room.pushID()}
	do := w.config.Store.Update
	if r.Method == http.MethodGet {
		do = w.config.Store.View
	}
	err := do(r.Context(), func(tx *store.Tx) error {
		s.On, s.Asks = false, false
		err := change(tx, v)
		for _, p := range v.People {
			user := string(v.user(p.Number))
			on, err1 := tx.Rooms.Pushed(string(room.place), user)
			games, err2 := tx.Rooms.FinishedBy(string(room.chat), user, gamesBefore)
			s.On, s.Asks = s.On || on, s.Asks || games == gamesBefore
			err = cmp.Or(err, err1, err2)
		}
		return err
	})
	if err != nil {
		w.answerFailure(rw, r, "change pushes failed", err)
		return
	}
	w.writeJSON(rw, s)
}

// subscribe stores the subscription to, as a browser gives it, for all people at the browser of v.
func (w *Web) subscribe(rw http.ResponseWriter, r *http.Request, v visitor, to push.Subscription) {
	if err := w.sender.Check(to); err != nil {
		_, err1 := w.update(r.Context(), func(tx *store.Tx) error { return tx.Rooms.CountPush(string(push.Refused)) })
		chat.LogFailure(r.Context(), w.config.Log.Error, "count push failed", err1)
		key := "push-endpoint"
		if errors.Is(err, push.ErrKeys) {
			key = "push-keys"
		}
		http.Error(rw, w.pages.words(r)[key], http.StatusUnprocessableEntity)
		return
	}
	one := store.Push{Endpoint: to.Endpoint, P256dh: to.Keys.P256dh, Auth: to.Keys.Auth,
		Origin: "https://" + r.Host, Lang: w.pages.lang(r), Since: time.Now().UnixMilli()}
	w.withPushes(rw, r, func(tx *store.Tx, v visitor) (err error) {
		for _, p := range v.People {
			one.Player = string(v.user(p.Number))
			err = cmp.Or(err, tx.Rooms.AddPush(string(w.roomOf(r).place), one))
		}
		return err
	})
}

// dropPushes deletes the subscriptions of visitors whose id prefix drops accepts.
func (r *room) dropPushes(tx *store.Tx, drops func(prefix string) bool) error {
	people, err := tx.Rooms.PushedPeople(string(r.place))
	for _, user := range people {
		if drops(prefixOf(chat.User(user))) {
			err = cmp.Or(err, tx.Rooms.DropPushes(string(r.place), user))
		}
	}
	return err
}

// pushed is the JSON of a push: which room, in words and by its pushID, which person, and what happened. Tag replaces
// an older notification with the same one.
type pushed struct {
	ID   string `json:"id"`
	Room string `json:"room"`
	Name string `json:"name"`
	Text string `json:"text"`
	Tag  string `json:"tag"`
}

// pushPing sends ping, which the room shows as the notice ref, to the browsers of its player, at most once a turn.
func (w *Web) pushPing(r *room, ping chat.Ping, ref chat.Ref) {
	if ping.Offer != nil {
		return
	}
	turn := shortHash(cmp.Or(ping.Turn, ping.Once))
	m := push.Message{Urgent: true, Lasts: min(cmp.Or(ping.Lasts, turnLasts), turnLasts),
		Wanted: func() bool { return r.shows(ref) }}
	w.pushAll(r, m, func(p *store.Push) (text, tag string) {
		if p.Player != string(ping.To) || p.Turn == turn {
			return "", ""
		}
		p.Turn, text = turn, ping.Before+ping.Name+ping.After
		if ping.In != nil {
			text, _ = ping.In(p.Lang)
		}
		return text, p.Player[strings.LastIndexByte(p.Player, ':')+1:]
	})
}

// pushPost sends the message m, which is posted to the room, to the browsers of those whom it calls or, if m is neither
// a board nor a puzzle, of all who have subscribed. It does nothing while no one there may be called.
func (w *Web) pushPost(r *room, m chat.Message) {
	all := m.Table == 0 && m.Puzzle == 0
	if m.Head == "" || !all && len(m.Call) == 0 {
		return
	}
	said := shortHash(cmp.Or(m.Once, string(must(json.Marshal([]any{m.Table, m.Head})))))
	w.pushAll(r, push.Message{Lasts: postLasts}, func(p *store.Push) (text, tag string) {
		if p.Said == said || !all && !slices.Contains(m.Call, chat.User(p.Player)) {
			return "", ""
		}
		p.Said = said
		return m.Head, "all"
	})
}

// pushAll sends m to the browsers that have subscribed to the room and do not show it, in the background. For each, the
// function text returns the sentence and the tag of its kind, and sets p.Turn or p.Said; an empty text: it gets none.
func (w *Web) pushAll(r *room, m push.Message, text func(p *store.Push) (text, tag string)) {
	if w.sender == nil || r.embeds || w.serving == nil || w.serving.Err() != nil {
		return
	}
	ctx := w.serving
	w.pushing.Go(func() {
		pushes, names, err := w.readPushes(ctx, r, m.Urgent)
		if err != nil {
			chat.LogFailure(ctx, w.config.Log.Error, "read pushes failed", err)
			return
		}
		pushedTo := map[string]bool{}
		for _, p := range pushes {
			turn, said := p.Turn, p.Said
			text, tag := text(&p)
			if p.Turn == turn {
				p.Turn = ""
			}
			if p.Said == said {
				p.Said = ""
			}
			prefix := prefixOf(chat.User(p.Player))
			if text == "" || r.seesRoom(prefix) || pushedTo[p.Endpoint] {
				continue
			}
			pushedTo[p.Endpoint] = true
			one, room := m, "Knobel"
			if host := names[r.hostNow()]; host != "" {
				room = strings.ReplaceAll(w.pages.texts[p.Lang]["room-of"], "{name}", host)
			}
			id := r.pushID()
			one.Topic = shortHash("knobel topic " + id + " " + prefix + tag)[:32]
			one.Contact = p.Origin
			one.Text = must(json.Marshal(pushed{id, room, names[chat.User(p.Player)],
				chat.Shorten(text, maxPushText), id + ":" + tag}))
			w.pushing.Go(func() { w.pushOne(ctx, p, one) })
		}
	})
}

// readPushes returns the subscriptions to a room and the names of their people and of the host, none while no one there
// may be called. A ping was checked for that already.
func (w *Web) readPushes(ctx context.Context, r *room, ping bool) (pushes []store.Push, names map[chat.User]string,
	err error) {
	if !ping && w.muted != nil {
		if muted, err := w.muted(ctx, r.chat); muted || err != nil {
			return nil, nil, err
		}
	}
	names = map[chat.User]string{}
	pushes, _, err = query(ctx, w, func(tx *store.Tx) ([]store.Push, error) {
		pushes, err := tx.Rooms.Pushes(string(r.place))
		if len(pushes) == 0 {
			return nil, err
		}
		for _, user := range append([]chat.User{r.hostNow()}, usersOf(pushes)...) {
			player, err1 := tx.Chats.Player(string(user))
			names[user], err = player.Name, cmp.Or(err, err1)
		}
		return pushes, err
	})
	return pushes, names, err
}

// usersOf returns the people of subscriptions.
func usersOf(pushes []store.Push) (users []chat.User) {
	for _, p := range pushes {
		users = append(users, chat.User(p.Player))
	}
	return users
}

// pushOne sends m to the subscription p, and stores what became of it.
func (w *Web) pushOne(ctx context.Context, p store.Push, m push.Message) {
	to := push.Subscription{Endpoint: p.Endpoint}
	to.Keys.P256dh, to.Keys.Auth = p.P256dh, p.Auth
	outcome := w.sender.Send(ctx, to, m)
	if outcome == push.Dropped {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendWithin)
	defer cancel()
	_, err := w.update(ctx, func(tx *store.Tx) (err error) {
		switch outcome {
		case push.Sent:
			err = tx.Rooms.SavePushed(p.ID, p.Turn, p.Said)
		case push.Private:
			err = tx.Rooms.CountPush(string(push.Refused))
		}
		if outcome == push.Gone || outcome == push.Private {
			outcome = removedPush
			err = cmp.Or(err, tx.Rooms.DropEndpoint(p.Endpoint))
		}
		return cmp.Or(err, tx.Rooms.CountPush(string(outcome)))
	})
	chat.LogFailure(ctx, w.config.Log.Error, "store push failed", err)
}

// removedPush counts removed subscriptions in the database, beside push.Sent and push.Refused.
const removedPush push.Outcome = "removed"

// shows reports whether the room shows the notice ref.
func (r *room) shows(ref chat.Ref) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.calls, func(c call) bool { return c.ref == ref })
}

// hostNow returns the host of the room, "" for none.
func (r *room) hostNow() chat.User {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.host()
}

// Sight: which pages of a room people can see, as the pages say.

// sight is what a page says of itself: the id that its stream has named, and whether it is visible.
type sight struct {
	Page string
	Sees bool
}

// noteSight notes whether a page of v is visible.
func (w *Web) noteSight(rw http.ResponseWriter, r *http.Request, v visitor, s sight) {
	w.roomOf(r).setSight(v.Prefix, s.Page, s.Sees)
	w.writeJSON(rw, struct{}{})
}

// setSight notes whether the page of the visitor with that id prefix is visible, and tells other replicas. It ignores
// pages without a stream. The page's stream calls it when it begins and when it ends.
func (r *room) setSight(prefix, page string, sees bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.here[prefix]
	if f == nil || page == "" || len(page) > 64 {
		return
	}
	f.sights = slices.DeleteFunc(f.sights, func(other string) bool { return other == page })
	if sees && f.pages > 0 && len(f.sights) < maxStreamsEach {
		f.sights = append(f.sights, page)
	}
	if was := f.Sees; was != (len(f.sights) > 0) {
		f.Sees = !was
		r.web.queueHint(hint{Room: r.place, Chat: r.embeddedChat(), Here: []follower{*f}})
	}
}

// seesRoom reports whether the visitor with that id prefix has a visible page of the room on any replica, or was
// removed from the room.
func (r *room) seesRoom(prefix string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.here[prefix]; f != nil && f.Sees && f.pages > 0 || r.isRemoved(prefix) {
		return true
	}
	for _, f := range r.elsewhere {
		if f.Prefix == prefix && f.Sees && time.Since(f.heard) < silentFor {
			return true
		}
	}
	return false
}
