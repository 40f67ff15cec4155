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

// Sign-in links: a browser that opens one becomes the same visitor. Each visitor has at most one. The database holds a
// fingerprint (hash) of the link, and the visitor, encrypted with the link.

// shownLink is the JSON with the code of the visitor's link, "" if this browser has made none.
type shownLink struct {
	Code string `json:"code"`
}

// signInLink answers with the code of the sign-in link of v, after making a new one (Make) or revoking it (Revoke).
func (w *Web) signInLink(rw http.ResponseWriter, r *http.Request, v visitor, asked struct{ Make, Revoke bool }) {
	ctx, before := r.Context(), v.LinkCode
	var err error
	switch {
	case asked.Make:
		v.LinkCode = rand.Text()
		_, err = w.update(ctx, func(tx *store.Tx) error { return w.storeLink(v, tx.Chats.SaveWay) })
	case asked.Revoke:
		v.LinkCode = ""
		_, err = w.update(ctx, func(tx *store.Tx) error { return tx.Chats.DropWay(v.ownerHash()) })
	case v.LinkCode != "":
		var sealed string
		if sealed, err = w.findLink(ctx, v.LinkCode); sealed == "" {
			v.LinkCode = ""
		}
	}
	if err != nil {
		w.answerFailure(rw, r, "store sign-in link failed", err)
		return
	}
	if v.LinkCode != before {
		w.setVisitor(rw, r, v)
	}
	w.writeJSON(rw, shownLink{v.LinkCode})
}

// linkAnswer is the answer of followLink: Now lists the people at this browser, and Then the people of the link.
type linkAnswer struct {
	Now  []person `json:"now,omitempty"`
	Then []person `json:"then"`
	Same bool     `json:"same,omitempty"` // the link is of this visitor
}

// followLink handles an opened sign-in link. It answers with the people at this browser and those at the browser that
// made the link. If the request has Yes, this browser is then signed in as that visitor.
func (w *Web) followLink(rw http.ResponseWriter, r *http.Request) {
	var asked struct {
		Code string
		Yes  bool // confirms the change
	}
	if !w.pages.readJSON(rw, r, maxBody, &asked) {
		return
	}
	sealed, err := w.findLink(r.Context(), asked.Code)
	if err != nil {
		w.answerFailure(rw, r, "read sign-in link failed", err)
		return
	}
	text, _ := decryptText(linkKey+asked.Code, sealed) // "" if there is none
	then, ok := openVisitor(w.config.Key, text)
	if !ok {
		if !w.knocks.limiter(w.clientKey(r)).Allow() {
			http.Error(rw, w.pages.words(r)["sign-in-slowly"], http.StatusTooManyRequests)
			return
		}
		http.Error(rw, "no such link", http.StatusNotFound)
		return
	}
	now, found := w.visitorOf(r)
	answer := linkAnswer{Now: now.People, Then: then.People, Same: found && now.ID == then.ID}
	if asked.Yes && !answer.Same {
		if found && w.isAdmitted(now) {
			then.Pass = now.Pass // the secret may be newer than the link
		}
		// Both browsers may add people, whose numbers must differ: this one counts on from a random number.
		then.Next = 1_000_000 + mathrand.IntN(2_000_000_000)
		w.setVisitor(rw, r, then)
	}
	w.writeJSON(rw, answer)
}

// renewLink stores v, whose people have changed, with its sign-in link. It is a no-op if v has no valid link.
func (w *Web) renewLink(ctx context.Context, v visitor) {
	if v.LinkCode == "" {
		return
	}
	renew := func(tx *store.Tx) error { return w.storeLink(v, tx.Chats.RenewWay) }
	_, err := w.update(context.WithoutCancel(ctx), renew)
	if err != nil {
		w.config.Log.Error("renew sign-in link failed", "error", err)
	}
}

// storeLink encrypts v with the code of its link and passes the result to save, which stores it.
func (w *Web) storeLink(v visitor, save func(owner, code, sealed string) error) error {
	return save(v.ownerHash(), codeHash(v.LinkCode), encryptText(linkKey+v.LinkCode, sealVisitor(w.config.Key, v)))
}

// findLink returns the encrypted visitor of the link with a code, or "" if there is none.
func (w *Web) findLink(ctx context.Context, code string) (sealed string, err error) {
	sealed, _, err = query(ctx, w, func(tx *store.Tx) (string, error) { return tx.Chats.Way(codeHash(code)) })
	return sealed, err
}

// linkKey followed by the code of a link is the key that encrypts the visitor stored with the link.
const linkKey = "knobel way "

// encryptText returns text encrypted with a cipher made from key, in hexadecimal.
func encryptText(key, text string) string {
	return hex.EncodeToString(newCipher(key).Seal(nil, nil, []byte(text), nil))
}

// decryptText returns the text that encryptText encrypted with the same key, or an error.
func decryptText(key, sealed string) (string, error) {
	raw, err := hex.DecodeString(sealed)
	if err != nil {
		return "", err
	}
	text, err := newCipher(key).Open(nil, nil, raw, nil)
	return string(text), err
}

// newCipher returns a cipher whose key is the SHA-256 of key.
func newCipher(key string) cipher.AEAD {
	sum := sha256.Sum256([]byte(key))
	return must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(sum[:])))) // a 32-byte key always fits
}

// ownerHash returns the hash by which the database identifies the owner of a link. It reveals nothing of them.
func (v visitor) ownerHash() string { return shortHash("knobel owner " + v.ID) }

// codeHash returns the hash by which the database finds the link with a code.
func codeHash(code string) string { return shortHash("knobel code " + strings.TrimSpace(code)) }

// answerFailure logs err with the given message, and answers 503. If r opens a page, the error page reloads by itself.
func (w *Web) answerFailure(rw http.ResponseWriter, r *http.Request, message string, err error) {
	if r.Context().Err() == nil {
		w.config.Log.Error(message, "error", err)
	}
	if w.config.Broke != nil {
		w.config.Broke(r)
	}
	rw.Header().Set("Retry-After", "3")
	if wantsPage(r) {
		w.pages.render(rw, http.StatusServiceUnavailable, "nowhere", w.pages.dataFor(r).Sheet(sorry, "js/offline"))
		return
	}
	http.Error(rw, w.pages.words(r)[sorry], http.StatusServiceUnavailable)
}

// sorry is the key of the bot's sentence for internal errors.
const sorry = "sorry"
