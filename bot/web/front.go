package web

import (
	"cmp"
	"net/http"
	"slices"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// The front page, and the games that people can start there and in rooms.

// frontPage answers with the front page, which needs no secret: guests find their rooms there.
func (w *Web) frontPage(rw http.ResponseWriter, r *http.Request) {
	s := w.pages.dataFor(r)
	v, found := w.visitorOf(r)
	s.NeedsSecret = w.secret() != "" && !(found && w.isAdmitted(v))
	s.Begin = embeddable(w.startableGames(s.Lang))
	w.pages.render(rw, http.StatusOK, "front", s)
}

// opening is a game that people can start from a page.
type opening struct {
	Command string `json:"command"` // with its slash
	chat.Card
	Stake bool `json:"stake"` // tables have a stake unless the rules leave it out
}

// games answers with the games that people can start, in the visitor's language.
func (w *Web) games(rw http.ResponseWriter, r *http.Request) {
	w.writeJSON(rw, w.startableGames(w.pages.lang(r)))
}

// startableGames returns the games that people can start, with their cards in the language lang and in its order.
func (w *Web) startableGames(lang string) []opening {
	list := []opening{}
	for _, c := range w.bot.Commands() {
		if c.Opens != nil {
			card, ok := c.Opens[lang]
			if !ok {
				card = c.Opens[words.Default]
			}
			stake := slices.ContainsFunc(c.Options, func(o chat.CommandOption) bool { return o.Name == "stake" })
			list = append(list, opening{Command: "/" + c.Name, Card: card, Stake: stake && !c.Stakeless})
		}
	}
	slices.SortStableFunc(list, func(a, b opening) int { return cmp.Compare(a.Place, b.Place) })
	return list
}

// commandsOnly returns the games of list without their cards: the page of a room names no game but its own.
func commandsOnly(list []opening) []opening {
	for i := range list {
		list[i].Card = chat.Card{}
	}
	return list
}

// roomNow is the state of a room on the front page: the game of its newest table, unless that is over, the names of the
// other people there, and whose turn it is. Mine is true if it is the visitor's.
type roomNow struct {
	Game   string   `json:"game,omitempty"`
	Others []string `json:"others,omitempty"`
	Turn   string   `json:"turn,omitempty"`
	Mine   bool     `json:"mine,omitempty"`
}

// now answers with the state of the room. Visitors without a cookie get an empty answer.
func (w *Web) now(rw http.ResponseWriter, r *http.Request) {
	v, found := w.visitorOf(r)
	if !found {
		w.writeJSON(rw, roomNow{})
		return
	}
	w.writeJSON(rw, w.roomOf(r).now(v))
}

// now returns the state of the room, for v.
func (r *room) now(v visitor) (n roomNow) {
	entries := r.snapshot(v, pageState{}).changed
	slices.Reverse(entries)
	i := slices.IndexFunc(entries, func(e entry) bool { return e.message.Table != 0 })
	if i < 0 || entries[i].past || entries[i].message.Record != 0 {
		return n
	}
	m := entries[i].message
	n.Game = m.Game
	for _, p := range m.People {
		_, own := v.numberOf(p.User)
		if !own && !p.House {
			n.Others = append(n.Others, p.Name)
		}
		if p.State == games.ToMove {
			n.Turn, n.Mine = p.Name, n.Mine || own
		}
	}
	return n
}
