package web

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	mathrand "math/rand/v2"
	"net/http"
	"strings"

	"knobel/store"
)

// Links that identify a visitor in another browser, at most one for each visitor. The database holds fingerprints, and
// texts that only the link opens.

// shownLink is the visitor's link, "" if none was made here.
type shownLink struct {
	Code string `json:"code"`
}

// signInLink shows, makes or revokes the link of the visitor's own.
func (w *Web) signInLink(rw http.ResponseWriter, r *http.Request, v visitor, asked struct{ Make, Revoke bool }) {
	ctx, before := r.Context(), v.Way
	var err error
	switch {
	case asked.Make:
		v.Way = rand.Text()
		_, err = w.update(ctx, func(tx *store.Tx) error { return w.storeLink(v, tx.Chats.SaveWay) })
	case asked.Revoke:
		v.Way = ""
		_, err = w.update(ctx, func(tx *store.Tx) error { return tx.Chats.DropWay(v.fingerprint()) })
	case v.Way != "":
		var sealed string
		if sealed, err = w.findLink(ctx, v.Way); sealed == "" {
			v.Way = ""
		}
	}
	if err != nil {
		w.failed(rw, r, "a link to sign in elsewhere cannot be used", err)
		return
	}
	if v.Way != before {
		w.remember(rw, r, v)
	}
	w.writeJSON(rw, shownLink{v.Way})
}

// taken is the answer: the people at the browser now, and those of the link.
type taken struct {
	Now  []person `json:"now,omitempty"`
	Then []person `json:"then"`
	Same bool     `json:"same,omitempty"` // they are the same visitor
}

// take makes the visitor of a link this browser's visitor, once they confirm it.
func (w *Web) take(rw http.ResponseWriter, r *http.Request) {
	var asked struct {
		Code string
		Yes  bool // to become them
	}
	if !w.pages.readJSON(rw, r, maxBody, &asked) {
		return
	}
	sealed, err := w.findLink(r.Context(), asked.Code)
	if err != nil {
		w.failed(rw, r, "a link to sign in elsewhere cannot be used", err)
		return
	}
	text, _ := openBy(linkKey+asked.Code, sealed) // "" if there is none
	then, ok := openVisitor(w.config.Key, text)
	if !ok {
		if !w.knocks.of(w.address(r)).Allow() {
			http.Error(rw, w.pages.words(r)["sign-in-slowly"], http.StatusTooManyRequests)
			return
		}
		http.Error(rw, "no such link", http.StatusNotFound)
		return
	}
	now, found := w.visitorOf(r)
	answer := taken{Now: now.People, Then: then.People, Same: found && now.ID == then.ID}
	if asked.Yes && !answer.Same {
		if found && w.admitted(now) {
			then.Pass = now.Pass // the secret may be newer than the link
		}
		// People added here and in the other browser need different numbers, which fit a 32-bit int.
		then.Next = 1_000_000 + mathrand.IntN(2_000_000_000)
		w.remember(rw, r, then)
	}
	w.writeJSON(rw, answer)
}

// renewLink updates the visitor behind their link, if it was made here and still works.
func (w *Web) renewLink(ctx context.Context, v visitor) {
	if v.Way == "" {
		return
	}
	renew := func(tx *store.Tx) error { return w.storeLink(v, tx.Chats.RenewWay) }
	_, err := w.update(context.WithoutCancel(ctx), renew)
	if err != nil {
		w.config.Log.Error("renew sign-in link failed", "error", err)
	}
}

// storeLink passes the visitor's sealed link to a method that stores it.
func (w *Web) storeLink(v visitor, keep func(owner, code, sealed string) error) error {
	return keep(v.fingerprint(), codeprint(v.Way), sealBy(linkKey+v.Way, sealVisitor(w.config.Key, v)))
}

// findLink returns the sealed text of a link, or "".
func (w *Web) findLink(ctx context.Context, code string) (sealed string, err error) {
	sealed, _, err = query(ctx, w, func(tx *store.Tx) (string, error) { return tx.Chats.Way(codeprint(code)) })
	return sealed, err
}

// linkKey is put before a code to seal the visitor of its link.
const linkKey = "knobel way "

// sealBy encrypts a text with a key made of another.
func sealBy(key, text string) string {
	return hex.EncodeToString(boxOf(key).Seal(nil, nil, []byte(text), nil))
}

// openBy decrypts a text of sealBy.
func openBy(key, sealed string) (string, error) {
	raw, err := hex.DecodeString(sealed)
	if err != nil {
		return "", err
	}
	text, err := boxOf(key).Open(nil, nil, raw, nil)
	return string(text), err
}

// boxOf returns the cipher of a key text.
func boxOf(key string) cipher.AEAD {
	sum := sha256.Sum256([]byte(key))
	return must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(sum[:])))) // a 32-byte key always fits
}

// fingerprint identifies the owner of a link, and reveals nothing of them.
func (v visitor) fingerprint() string { return imprint("knobel owner " + v.ID) }

// codeprint returns the fingerprint by which a link is found.
func codeprint(code string) string { return imprint("knobel code " + strings.TrimSpace(code)) }

// failed logs and answers an internal error. An opened page reloads by itself.
func (w *Web) failed(rw http.ResponseWriter, r *http.Request, what string, err error) {
	if r.Context().Err() == nil {
		w.config.Log.Error(what, "error", err)
	}
	if w.config.Broke != nil {
		w.config.Broke(r)
	}
	rw.Header().Set("Retry-After", "3")
	if wantsPage(r) {
		w.pages.render(rw, http.StatusServiceUnavailable, "nowhere", w.pages.shownTo(r).Sheet(sorry, "offline"))
		return
	}
	http.Error(rw, w.pages.words(r)[sorry], http.StatusServiceUnavailable)
}

// sorry is the key of the bot's sentence for internal errors.
const sorry = "sorry"
