package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// Signing in to embedded pages, by what a platform's client gives the page.

// entered is the JSON of a signed-in page. Until is in Unix seconds; Table is the number of the table that the page
// shows, 0: none; Lang is the person's language.
type entered struct {
	Bearer string `json:"bearer"`
	Until  int64  `json:"until"`
	Table  int64  `json:"table"`
	Name   string `json:"name"`
	Lang   string `json:"lang"`
}

// enter returns the handler that signs in people with pages in the clients of a door.
func (w *Web) enter(door chat.Door) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if !w.entries.limiter(w.clientKey(r)).Allow() {
			rw.Header().Set("Retry-After", "5")
			w.refuse(rw, r, door, "", slowly)
			return
		}
		signed, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxLaunch))
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			w.writeRefusal(rw, r, door, "", chat.Forged, http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(rw, "that cannot be read", http.StatusBadRequest)
			return
		}
		in, locale, err := w.admit(r.Context(), door, signed, w.clientKey(r))
		if err != nil {
			w.refuse(rw, r, door, locale, w.barred(err))
			return
		}
		askIn(r, locale)
		in.Lang = w.pages.lang(r)
		w.writeJSON(rw, in)
	}
}

// admit lets in a person by what their page has sent to door from a client address, and starts a session. locale is
// the person's, also with an error; "": it is unknown.
func (w *Web) admit(ctx context.Context, door chat.Door, signed []byte, from string) (in entered, locale string,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, enterWithin)
	defer cancel()
	g, err := door.Enter(ctx, signed)
	locale = g.Locale
	if err == nil {
		err = w.useOnce(ctx, g, from)
	}
	if err != nil {
		return in, locale, err
	}
	if g, err = w.lead(ctx, door, g); errors.Is(err, chat.Stranger) {
		g.Chat, g.At, err = "", false, nil
	}
	if err == nil {
		err = door.Admit(ctx, g)
	}
	if err == nil && g.Chat == "" {
		err = chat.Stranger
	}
	if err == nil {
		in, err = w.startSession(ctx, g)
	}
	return in, locale, err
}

// barred returns the reason of err for the page. It logs an error that is none, of the database.
func (w *Web) barred(err error) chat.Barred {
	if why, ok := errors.AsType[chat.Barred](err); ok {
		return why
	}
	w.config.Log.Warn("sign in to embedded page failed", "error", err)
	return chat.Busy
}

// useOnce stores that what g was signed with was used from a client address. It returns chat.Replayed if it was used
// from another address before.
func (w *Web) useOnce(ctx context.Context, g chat.Guest, from string) error {
	if g.Key == "" {
		return nil
	}
	origin, first := fingerprint(g.Key+" "+from), ""
	_, err := w.update(ctx, func(tx *store.Tx) (err error) {
		first, err = tx.Rooms.UseLaunch(fingerprint(g.Key), origin, g.Until.UnixMilli())
		return err
	})
	if err == nil && first != origin {
		err = chat.Replayed
	}
	return err
}

// lead returns g with the chat and the place that the page shows: those of the table for which it was opened, or else
// where people last played in the chat in which it was opened, or else those of g.
func (w *Web) lead(ctx context.Context, door chat.Door, g chat.Guest) (chat.Guest, error) {
	if g.Lost {
		return g, chat.Stranger
	}
	err := w.config.Store.View(ctx, func(tx *store.Tx) error {
		paired, err := "", error(nil)
		if g.Seen != "" {
			paired, err = tx.Chats.PairedWith(string(g.Seen))
		}
		in := cmp.Or(paired, string(g.Seen))
		switch {
		case err != nil:
		case g.Table != 0:
			t, missing := tx.Tables.Table(g.Table)
			if errors.Is(missing, store.ErrNotFound) || chat.PlatformOf(t.Place) != door.Name() {
				return chat.Stranger
			}
			g.Chat, g.Place, err = chat.Chat(t.Chat), chat.Place(t.Place), missing
		case in != "":
			place, missing := tx.Tables.LastPlace(in)
			if place != "" {
				g.Chat, g.Place = chat.Chat(in), chat.Place(place)
			}
			err = missing
		}
		g.At = in != "" && string(g.Chat) == in
		if err == nil {
			var of store.Chat
			of, err = tx.Chats.Chat(string(g.Chat))
			g.Own = of.Owner == string(g.User)
		}
		return err
	})
	return g, err
}

// startSession stores a session of g and returns what the page gets.
func (w *Web) startSession(ctx context.Context, g chat.Guest) (in entered, err error) {
	until := time.Now().Add(sessionLasts)
	in = entered{Bearer: drawToken(), Until: until.Unix(), Name: g.Name}
	_, err = w.update(ctx, func(tx *store.Tx) error {
		t, err := tx.Tables.TableHere(string(g.Place))
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		in.Table = t.ID
		return tx.Rooms.AddSession(store.Session{Print: fingerprint(in.Bearer), Player: string(g.User),
			Chat: string(g.Chat), Place: string(g.Place), Said: string(must(json.Marshal(g))),
			Until: until.UnixMilli()})
	})
	return in, err
}

// drawToken returns 32 random bytes as text.
func drawToken() string {
	raw := make([]byte, 32)
	rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

// fingerprint returns the SHA-256 of a bearer, a ticket or signed data.
func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
