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

// Sign-in links, which make another browser the same visitor, at most one for each visitor. The database holds
// fingerprints of links, and visitors encrypted with their links.

// shownLink is the JSON with the code of the visitor's link, "" if none was made in this browser.
type shownLink struct {
	Code string `json:"code"`
}

// signInLink answers with the code of the link of v, after making a new one (Make) or revoking it (Revoke).
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

// taken is the answer of take: the people at the browser now, and those of the link.
type taken struct {
	Now  []person `json:"now,omitempty"`
	Then []person `json:"then"`
	Same bool     `json:"same,omitempty"` // they are the same visitor
}

// take handles an opened link: it answers with the people of both visitors and, once confirmed by Yes, makes the link's
// visitor this browser's.
func (w *Web) take(rw http.ResponseWriter, r *http.Request) {
	var asked struct {
		Code string
		Yes  bool // the visitor confirms becoming them
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

// renewLink stores v, whose people have changed, behind the link of v, if that was made in this browser and still
// works.
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

// storeLink encrypts v with the code of its link and passes the result to keep, which stores it.
func (w *Web) storeLink(v visitor, keep func(owner, code, sealed string) error) error {
	return keep(v.fingerprint(), codeprint(v.Way), sealBy(linkKey+v.Way, sealVisitor(w.config.Key, v)))
}

// findLink returns the encrypted visitor of the link with a code, or "" if there is none.
func (w *Web) findLink(ctx context.Context, code string) (sealed string, err error) {
	sealed, _, err = query(ctx, w, func(tx *store.Tx) (string, error) { return tx.Chats.Way(codeprint(code)) })
	return sealed, err
}

// linkKey and the code of a link together are the key that encrypts the link's visitor.
const linkKey = "knobel way "

// sealBy returns text encrypted with a key derived from key, in hexadecimal.
func sealBy(key, text string) string {
	return hex.EncodeToString(boxOf(key).Seal(nil, nil, []byte(text), nil))
}

// openBy returns the text that sealBy encrypted with key, or an error for another key.
func openBy(key, sealed string) (string, error) {
	raw, err := hex.DecodeString(sealed)
	if err != nil {
		return "", err
	}
	text, err := boxOf(key).Open(nil, nil, raw, nil)
	return string(text), err
}

// boxOf returns a cipher whose key is the SHA-256 of key.
func boxOf(key string) cipher.AEAD {
	sum := sha256.Sum256([]byte(key))
	return must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(sum[:])))) // a 32-byte key always fits
}

// fingerprint returns the text by which the database identifies the owner of a link. It reveals nothing of them.
func (v visitor) fingerprint() string { return shortHash("knobel owner " + v.ID) }

// codeprint returns the fingerprint by which the database finds the link with a code.
func codeprint(code string) string { return shortHash("knobel code " + strings.TrimSpace(code)) }

// failed logs err, with what as the message, and answers 503. A page opened by that request reloads by itself.
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
