package web

import (
	"context"
	"net/http"
	"net/url"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// Data that a page requests while it is open, such as the moves of a game.

// Page returns the data of one kind for a visitor, as a value to be encoded as JSON: in the language ev.Locale, for the
// person ev.User in the chat ev.Chat. query is the query of the request. The error may be a *games.Refusal.
type Page = func(ctx context.Context, ev chat.Event, query url.Values) (any, error)

// dataHandler returns the handler of GET requests for the data of page. A refusal becomes its sentence and status 404.
func (w *Web) dataHandler(name string, page Page) http.HandlerFunc {
	return w.rateLimited(w.asks, func(rw http.ResponseWriter, r *http.Request) {
		v, who, ok := w.readerOf(r, name)
		if !ok {
			w.refuseUnknown(rw, r)
			return
		}
		ev := w.event(r, v, act{who: who})
		data, err := page(r.Context(), ev, r.URL.Query())
		if refusal, refused := games.Refused(err); refused {
			http.Error(rw, w.config.Words.Say(ev.Locale, refusal.Line, words.Context{}), http.StatusNotFound)
			return
		}
		if err != nil {
			w.config.Log.Error("read page data failed", "page", name, "error", err)
			http.Error(rw, w.pages.words(r)[sorry], http.StatusInternalServerError)
			return
		}
		w.writeJSON(rw, data)
	})
}
