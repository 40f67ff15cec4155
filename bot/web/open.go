package web

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// Opening the page to the network while it is served to this machine alone.

// door holds the state that decides who gets in, besides Config.
type door struct {
	knocks     *limits                // for wrong secrets and link codes
	opening    sync.Mutex             // held while the page is opened to the network
	openedWith atomic.Pointer[string] // the password since then; nil: it was not opened
	serveAlso  func(net.Listener)     // serves the page on a further listener; set by Run
	embedding
	notifying
}

// secret returns the present password of visitors, "" if they need none.
func (w *Web) secret() string {
	if opened := w.openedWith.Load(); opened != nil {
		return *opened
	}
	return w.config.Secret
}

// mayOpen reports whether v may open the page to the network: from this machine, by a loopback name, as the host of the
// room or in the main room.
func (w *Web) mayOpen(r *http.Request, v visitor) bool {
	name, origin := checkLocal(r)
	room := w.roomOf(r)
	return w.config.Open != nil && name && origin && Loopback(r.RemoteAddr) &&
		(room == w.room || room.roleOf(v).host)
}

// open opens the page to the network until the program ends, and answers with the beginning of URLs for others. The
// visitor counts as one who has given the password that everyone else needs from then on.
func (w *Web) open(rw http.ResponseWriter, r *http.Request, v visitor, _ struct{}) {
	if !w.mayOpen(r, v) {
		http.Error(rw, w.pages.words(r)["only-host"], http.StatusForbidden)
		return
	}
	w.opening.Lock()
	defer w.opening.Unlock()
	if w.secret() == "" {
		listeners, secret, err := w.config.Open(r.Context())
		if err != nil {
			w.answerFailure(rw, r, "open page to network failed", err)
			return
		}
		w.openedWith.Store(&secret) // before the first request of others
		for _, l := range listeners {
			w.serveAlso(l)
		}
		v.Pass = w.secretProof()
		w.setVisitor(rw, r, v)
		w.renewLink(r.Context(), v)
	}
	w.writeJSON(rw, struct {
		Reach string `json:"reach"`
	}{w.networkOrigin(r)})
}
