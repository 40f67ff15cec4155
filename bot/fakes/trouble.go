package fakes

import (
	"net/http"
	"slices"
	"time"
)

// Trouble is a network fault of a request.
type Trouble struct {
	// HTML answers with an HTML page, as proxies do.
	HTML bool
	// Hang does not answer until the client gives up.
	Hang bool
	// Cut closes the connection without an answer.
	Cut bool
}

// Strikes applies the fault to a request, a page with that status. It returns false if there is none.
func (t Trouble) Strikes(w http.ResponseWriter, r *http.Request, status int, closing <-chan struct{}) bool {
	switch {
	case t.Hang:
		select {
		case <-r.Context().Done():
		case <-closing:
		}
	case t.Cut:
		panic(http.ErrAbortHandler)
	case t.HTML:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		_, _ = w.Write([]byte("<html><body><h1>Bad Gateway</h1></body></html>"))
	default:
		return false
	}
	return true
}

// Delay delays a request, and reports whether its client has waited.
func Delay(r *http.Request, slow time.Duration, closing <-chan struct{}) bool {
	wait := time.NewTimer(slow)
	defer wait.Stop()
	select {
	case <-wait.C:
		return true
	case <-r.Context().Done():
	case <-closing:
	}
	return false
}

// Take removes and returns the first matching fault of a list.
func Take[Fault any](list *[]Fault, fits func(Fault) bool) (Fault, bool) {
	i := slices.IndexFunc(*list, fits)
	if i < 0 {
		var none Fault
		return none, false
	}
	f := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return f, true
}
