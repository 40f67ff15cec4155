package web

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"strings"
)

// Ways keep links by which a visitor is known in another browser, one for each
// owner at most. All of it is fingerprints, and what only the link opens.
type Ways interface {
	// Save keeps a link in place of the owner's one before.
	Save(ctx context.Context, owner, code, sealed string) error
	// Renew changes what the owner's link of a code leads to, and does nothing
	// where they have revoked it or have another one by now.
	Renew(ctx context.Context, owner, code, sealed string) error
	// Find returns what the link of a code leads to, "" where there is none.
	Find(ctx context.Context, code string) (sealed string, err error)
	// Drop takes the owner's link away, if there is one.
	Drop(ctx context.Context, owner string) error
}

// wayAct is what a page asks to do with its visitor's link: make a new one,
// revoke it, or neither, to see it.
type wayAct struct {
	Make   bool `json:"make,omitempty"`
	Revoke bool `json:"revoke,omitempty"`
}

// wayShown is the visitor's link, "" where there is none that was made here.
type wayShown struct {
	Code string `json:"code"`
}

// way shows, makes or revokes the link of the visitor's own.
func (w *Web) way(rw http.ResponseWriter, r *http.Request) {
	var a wayAct
	v, ok := w.receive(rw, r, &a)
	if !ok {
		return
	}
	ctx, before := r.Context(), v.Way
	var err error
	switch {
	case a.Make:
		v.Way = rand.Text()
		err = w.keepWay(ctx, v, w.config.Ways.Save)
	case a.Revoke:
		v.Way = ""
		err = w.config.Ways.Drop(ctx, v.fingerprint())
	case v.Way != "":
		var sealed string
		if sealed, err = w.config.Ways.Find(ctx, codeprint(v.Way)); sealed == "" {
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
	w.writeJSON(rw, wayShown{v.Way})
}

// taking is what the page of a link asks: who it is, or to become them.
type taking struct {
	Code string `json:"code"`
	Yes  bool   `json:"yes,omitempty"`
}

// taken is the answer to a link: who plays in the browser now, and who would by the link.
type taken struct {
	Now  []person `json:"now,omitempty"`
	Then []person `json:"then"`
	Same bool     `json:"same,omitempty"` // they are the same visitor
}

// take makes the visitor of a link this browser's visitor, once they confirm: people who play here
// are not replaced without being asked.
func (w *Web) take(rw http.ResponseWriter, r *http.Request) {
	var t taking
	if err := readJSON(http.MaxBytesReader(rw, r.Body, maxBody), &t); err != nil {
		w.pages.refuseBody(rw, r, err)
		return
	}
	sealed, err := w.config.Ways.Find(r.Context(), codeprint(t.Code))
	if err != nil {
		w.failed(rw, r, "a link to sign in elsewhere cannot be used", err)
		return
	}
	then, ok := w.openWay(t.Code, sealed)
	if !ok {
		if !w.knocks.allow(w.address(r)) {
			http.Error(rw, w.pages.words(r)["sign-in-slowly"], http.StatusTooManyRequests)
			return
		}
		http.Error(rw, "no such link", http.StatusNotFound)
		return
	}
	now, found := w.visitorOf(r)
	answer := taken{Then: then.People, Same: found && now.ID == then.ID}
	if found {
		answer.Now = now.People
	}
	if t.Yes && !answer.Same {
		if found && w.admitted(now) {
			then.Pass = now.Pass // the link may be older than the secret
		}
		// Those who are added here and in the other browser must not be the same.
		var chance [4]byte
		rand.Read(chance[:])                                                          // never fails
		then.Next = 1_000_000 + int(binary.BigEndian.Uint32(chance[:])%2_000_000_000) // an int of 32 bits holds it
		w.remember(rw, r, then)
	}
	w.writeJSON(rw, answer)
}

// renewWay stores the visitor as they are now behind the link by which another browser
// becomes this visitor, if the link was made here and still works.
func (w *Web) renewWay(ctx context.Context, v visitor) {
	if v.Way == "" {
		return
	}
	if err := w.keepWay(context.WithoutCancel(ctx), v, w.config.Ways.Renew); err != nil {
		w.config.Log.Error("renew sign-in link failed", "error", err)
	}
}

// keepWay hands what the visitor's link leads to to one of the methods that keep it.
func (w *Web) keepWay(ctx context.Context, v visitor,
	keep func(ctx context.Context, owner, code, sealed string) error) error {
	return keep(ctx, v.fingerprint(), codeprint(v.Way), sealBy(wayKey+v.Way, sealVisitor(w.config.Key, v)))
}

// openWay returns the visitor of a link.
func (w *Web) openWay(code, sealed string) (visitor, bool) {
	text, err := openBy(wayKey+code, sealed)
	if err != nil {
		return visitor{}, false
	}
	return openVisitor(w.config.Key, text)
}

// wayKey stands before a code by which what its link leads to is sealed.
const wayKey = "knobel way "

// sealBy seals a text by another one.
func sealBy(key, text string) string {
	return hex.EncodeToString(boxOf(key).Seal(nil, nil, []byte(text), nil))
}

// openBy returns the text that was sealed by another one.
func openBy(key, sealed string) (string, error) {
	raw, err := hex.DecodeString(sealed)
	if err != nil {
		return "", err
	}
	text, err := boxOf(key).Open(nil, nil, raw, nil)
	return string(text), err
}

// boxOf returns what seals by a text.
func boxOf(key string) cipher.AEAD {
	sum := sha256.Sum256([]byte(key))
	return must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(sum[:])))) // a key of 32 bytes always fits
}

// fingerprint tells a visitor's link from those of others, and nothing of who
// they are.
func (v visitor) fingerprint() string { return imprint("knobel owner " + v.ID) }

// codeprint is by what a link is found.
func codeprint(code string) string { return imprint("knobel code " + strings.TrimSpace(code)) }

// failed logs an error of ours and answers that there was one: a page that is opened tries again by itself.
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

// sorry is the key of the bot's own sentence for errors of ours.
const sorry = "sorry"
