package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
)

// sees reports whether the page shows a person as present; the lock is held.
func (p *onlooker) sees(name string, is func(present) bool) bool {
	return slices.ContainsFunc(p.shown.Here, func(one present) bool { return one.Name == name && is(one) })
}

// sayings is how many entries of the feed are no boards; the lock is held.
func (p *onlooker) sayings() (n int) {
	for _, ref := range p.shown.All {
		if p.boards[ref].Message.Table == 0 {
			n++
		}
	}
	return n
}

// Who follows a room on another replica is here, is called as they are called now, and shows signs; what all are told
// on one replica all are told, and what somebody opens on a board at another replica they see.
func TestReplicasShowOneCompany(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	a, b, anna, ben, path := h.twoRooms(t)
	here := func(one present) bool { return !one.Away }
	for _, p := range []*onlooker{anna, ben} {
		p.until("both are here", func() bool { return p.sees("Anna", here) && p.sees("Ben", here) })
	}
	alikeID := func(name string) string {
		ids := map[string]bool{}
		for _, p := range []*onlooker{anna, ben} {
			p.mu.Lock()
			for _, one := range p.shown.Here {
				if one.Name == name {
					ids[one.ID] = true
				}
			}
			p.mu.Unlock()
		}
		if len(ids) != 1 {
			t.Errorf("%s is named %v", name, ids)
		}
		for id := range ids {
			return id
		}
		return ""
	}
	id := alikeID("Ben")

	ben.says("/hello")
	anna.says("/hello")
	for _, p := range []*onlooker{anna, ben} {
		p.until("both are greeted", func() bool { return p.sayings() == 2 })
	}
	alike(anna, ben)

	send[struct{}](t, ben.browser, ben.at+"/react", reaction{Sign: "fire"})
	anna.until("Ben shows a sign", func() bool {
		return len(anna.signs) == 1 && strings.Contains(anna.signs[0], id) && strings.Contains(anna.signs[0], "fire")
	})
	send[self](t, ben.browser, a.at+path+"/people", change{Rename: &person{0, "Benno"}})
	for _, p := range []*onlooker{anna, ben} {
		p.until("Ben is Benno", func() bool { return p.sees("Benno", here) && !p.sees("Ben", here) })
	}

	anna.says("/shutbox")
	anna.until("a table is open", func() bool { return anna.button("!page") != "" })
	anna.mu.Lock()
	press := anna.button("!page")
	anna.mu.Unlock()
	anna.presses(b.at+path, press)
	anna.until("the menu that she has opened elsewhere is open", func() bool { return anna.button("!house") != "" })
}

// The host of a room, and its address, are the same on all replicas, and who is shown out on one is out everywhere.
func TestReplicasShowOneHost(t *testing.T) {
	h := newHouse(t)
	a, b, anna, ben, path := h.twoRooms(t)
	idOf := func(p *onlooker, name string) (id string) {
		p.until(name+" is here", func() bool {
			for _, one := range p.shown.Here {
				if one.Name == name {
					id = one.ID
				}
			}
			return id != ""
		})
		return id
	}
	send[struct{}](t, anna.browser, b.at+path+"/host", asked{idOf(anna, "Ben")})
	host := func(one present) bool { return one.Host }
	for _, p := range []*onlooker{anna, ben} {
		p.until("Ben is host", func() bool { return p.sees("Ben", host) && !p.sees("Anna", host) && p.sayings() == 1 })
	}
	alike(anna, ben)
	res, _ := do(t, anna.browser, "POST", a.at+path+"/host", `{"person":"x"}`)
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("who is host no more hands the room on: %d", res.StatusCode)
	}

	anna.says("/shutbox") // whoever sits there is led to where the room is
	ben.until("Anna sits", func() bool { return ben.button("!join") != "" })
	moved := send[roomPath](t, ben.browser, ben.at+"/renew", struct{}{})
	for _, p := range []*onlooker{anna, ben} {
		p.until("the room has moved", func() bool { return strings.Contains(p.moved, moved.Path) })
	}
	send[struct{}](t, ben.browser, b.at+moved.Path+"/out", asked{idOf(ben, "Anna")})
	anna.until("she is shown out", func() bool { return anna.ended })
	if res, _ := do(t, anna.browser, "GET", a.at+moved.Path+"/", ""); res.StatusCode != http.StatusForbidden {
		t.Errorf("who was shown out on one replica is let in on the other: %d", res.StatusCode)
	}
	ben.until("Anna is not here", func() bool { return !ben.sees("Anna", func(p present) bool { return !p.Away }) })
}

// When the replica ends that draws, pages of the others go on; another replica draws on what the first has drawn, and
// nothing is there twice. Who had a page on the first is gone after a while.
func TestReplicasGoOnWithoutOne(t *testing.T) {
	needs.Long(t)
	h := newHouse(t)
	a, b, anna, ben, path := h.twoRooms(t)
	startGame(anna, ben)
	mover, press, _ := someone(anna, ben)
	mover.presses(mover.at, press)
	alike(anna, ben)
	ben.mu.Lock()
	before, _ := ben.board()
	ben.mu.Unlock()
	a.ends()
	anna.until("her page is cut off", func() bool { return anna.ended })

	c := h.begin(t, true)
	anna = h.comes(t, "Anna, come back", anna.browser, c.at+path)
	alike(anna, ben)
	play(t, anna, ben, func(p *onlooker, _ int) string { return p.at })
	alike(anna, ben)
	for _, p := range []*onlooker{anna, ben} {
		p.mu.Lock()
		if after, _ := p.board(); after != before || len(p.shown.All) != 1 {
			t.Errorf("%s sees %v, where %s was", p.name, p.feed(), before)
		}
		p.mu.Unlock()
	}
	c.ends()
	ben.until("Anna's page is gone", func() bool {
		all := func(present) bool { return true }
		return ben.sees("Ben", all) && !ben.sees("Anna", all)
	})
	alone := h.comes(t, "Clara", client(t), b.at+path)
	alike(alone, ben)
}

// Who is here fits into hints, however many they are, and only who has the key reads them.
func TestHintsAreSealedAndShort(t *testing.T) {
	key, other := make([]byte, 32), func() bool { return false }
	w, same := New(Config{Key: key, Alone: other}), New(Config{Key: key, Alone: other})
	stranger := New(Config{Key: []byte(strings.Repeat("x", 32)), Alone: other})
	for range 300 {
		v := newVisitor(strings.Repeat("ö", maxName))
		for len(v.People) < maxPeople {
			done(t, v.add(strings.Repeat("ü", maxName)))
		}
		w.room.comes(v, time.Now())
	}
	w.room.mu.Lock()
	parts := w.room.heres()
	w.room.mu.Unlock()
	for _, part := range parts {
		text := w.seal(part)
		if len(text) > 7900 || strings.Contains(text, "öö") {
			t.Errorf("a hint has %d bytes: %.100s", len(text), text)
		}
		for _, one := range []*Web{w, same, stranger} {
			one.hears(text)
		}
	}
	same.room.mu.Lock()
	n := len(same.room.attending(time.Now()))
	if gone := len(same.room.attending(time.Now().Add(silentFor))); n != 300 || len(parts) < 2 || gone > 0 {
		t.Errorf("in %d hints %d visitors are told of, and %d are there after a silence", len(parts), n, gone)
	}
	same.room.mu.Unlock()
	if n := len(stranger.room.presents()); n > 0 {
		t.Errorf("with another key %d people are told of", n)
	}
}

// A message that all are told comes back from the database as it was, with those who may press its buttons.
func TestWhatAllAreToldIsReadAsItWasSaid(t *testing.T) {
	m := chat.Message{Lang: "en", Head: "Paid?", Lines: []string{"1"}, Accent: -1, Buttons: [][]chat.Button{
		{{Label: "a", Press: "1", For: "web:x:0"}, {Label: "b", Press: "2", By: []chat.User{"web:y:0"}}}, {}}}
	got, ok := readSaying(sayingOf(m).text())
	if !ok || got.Message.Head != m.Head || got.Message.Buttons[0][0].For != "web:x:0" ||
		!slices.Equal(got.Message.Buttons[0][1].By, m.Buttons[0][1].By) {
		t.Errorf("read is %+v", got)
	}
	if _, ok := readSaying(""); ok {
		t.Error("what was forgotten is told")
	}
}
