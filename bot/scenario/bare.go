package scenario

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/fakes"
	"knobel/cmd/wiring"
	"knobel/games"
)

// Room is a place of a platform in memory: people send events to the bot itself and read its answers.
type Room struct {
	*house
	place chat.Place
}

// house is a chat with rooms.
type house struct {
	chat.Basics
	mu     sync.Mutex
	news   fakes.News
	core   chat.Core // nil: the bot does not run
	people []chat.Event
	rooms  int
	acts   int
	stand  []notice // oldest first
}

// notice is a message in a room.
type notice struct {
	Message
	place chat.Place
	to    int // only this person sees it, -1: everyone
}

// OnNothing opens a room.
func OnNothing(*testing.T, Net) *Room { return &Room{&house{}, "bare:1/1"} }

// Name returns the prefix of ids.
func (h *house) Name() string { return "bare" }

// Connect returns the platform.
func (r *Room) Connect(*slog.Logger, *wiring.Bot) chat.Platform { return r.house }

// Run passes events to the bot until ctx is done.
func (h *house) Run(ctx context.Context, core chat.Core) error {
	h.do(func() { h.core = core })
	<-ctx.Done()
	h.do(func() { h.core = nil })
	return nil
}

// Ready never waits.
func (h *house) Ready(ctx context.Context, _ chat.Place, _ chat.Need) error { return ctx.Err() }

// do changes the state and wakes the waiting.
func (h *house) do(change func()) {
	h.mu.Lock()
	change()
	h.mu.Unlock()
	h.news.Tell()
}

// put stores a message, replacing the one with an id or, for "", as a new one. It returns its id, "" if that is gone.
func (h *house) put(id string, place chat.Place, to int, m chat.Message) string {
	seen := notice{shown(m), place, to}
	seen.Alone = to >= 0
	h.do(func() {
		at := slices.IndexFunc(h.stand, func(n notice) bool { return n.ID == id })
		switch {
		case id == "":
			h.acts++
			seen.ID = fmt.Sprint("bare:m", h.acts)
			h.stand = append(h.stand, seen)
		case at >= 0:
			seen.ID, seen.Edits = id, h.stand[at].Edits+1
			h.stand[at] = seen
		}
	})
	return seen.ID
}

// shown returns a message as people with its parts see it.
func shown(m chat.Message) Message {
	seen := Message{Pictures: map[string]string{}}
	for _, b := range slices.Concat(m.Buttons...) {
		seen.Buttons = append(seen.Buttons, Button{Label: b.Label, Data: b.Press, Picked: b.Style == games.Success})
	}
	if m.Picture != nil {
		seen.Pictures["picture"] = m.Picture.Alt
	}
	if m.File != nil {
		seen.File = m.File.Bytes
	}
	m.Buttons = nil
	seen.Text = plain.Text(m, "")
	return seen
}

// Post posts a board.
func (h *house) Post(_ context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	return chat.Ref(h.put("", place, -1, m)), nil
}

// Edit replaces an earlier board.
func (h *house) Edit(_ context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	if h.put(string(ref), place, -1, m) == "" {
		return chat.ErrGone
	}
	return nil
}

// Retire deletes a board or a reminder.
func (h *house) Retire(_ context.Context, _ chat.Place, ref chat.Ref) error {
	h.Remove(string(ref))
	return nil
}

// Call posts a message that notifies a person.
func (h *house) Call(_ context.Context, place chat.Place, p chat.Ping) (chat.Ref, error) {
	if p.Offer != nil {
		return chat.Ref(h.put("", place, -1, *p.Offer)), nil
	}
	id := h.put("", place, -1, chat.Message{Head: p.Before + p.Name + p.After, Buttons: [][]chat.Button{{p.Off}}})
	h.do(func() {
		n := &h.stand[len(h.stand)-1]
		n.Calls, n.Answers = []string{string(p.To)}, string(p.Board)
	})
	return chat.Ref(id), nil
}

// Remove deletes a message.
func (h *house) Remove(id string) {
	h.do(func() { h.stand = slices.DeleteFunc(h.stand, func(n notice) bool { return n.ID == id }) })
}

// Listening reports whether the bot runs.
func (h *house) Listening() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.core != nil
}

// Wait waits for an event of the room.
func (h *house) Wait(ctx context.Context, holds func() bool) error { return h.news.Wait(ctx, holds) }

// Meet adds a person.
func (h *house) Meet(name, language string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	user := chat.User(fmt.Sprint("bare:p", len(h.people)+1))
	h.people = append(h.people, chat.Event{Chat: "bare:1", User: user, Name: name, Locale: language})
	return len(h.people) - 1
}

// ID returns a person's id.
func (h *house) ID(who int) string { return string(h.people[who].User) }

// Appoint makes a person an admin.
func (h *house) Appoint(who int) { h.people[who].Admin = func(context.Context) bool { return true } }

// Messages returns the messages in the room.
func (r *Room) Messages(who int) (all []Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, to := range []int{-1, who} {
		for _, n := range r.stand {
			if n.place == r.place && n.to == to {
				all = append(all, n.Message)
			}
		}
		if who < 0 {
			break
		}
	}
	return all
}

// Elsewhere returns another room.
func (r *Room) Elsewhere() Place {
	r.rooms++
	return &Room{r.house, chat.Place(fmt.Sprint("bare:1/another", r.rooms))}
}

// Write sends a command.
func (r *Room) Write(who int, line string) Deed {
	name, options := parsed(line)
	stood := r.Messages(who)
	heard := r.act(who, "", func(ev *chat.Event) {
		ev.Command, ev.Text, _ = strings.Cut(name, " ")
		ev.Options = map[string]string{}
		for _, o := range options {
			ev.Options[o.name] = o.value
		}
	})
	return func() (string, bool) {
		told, answered := heard()
		if told != "" || !answered {
			return told, answered
		}
		return came(stood, r.Messages(who))
	}
}

// Press presses a button.
func (r *Room) Press(who int, on, data string) Deed {
	return r.act(who, on, func(ev *chat.Event) { ev.Press, ev.On = data, chat.Ref(on) })
}

// act sends a person's event to the bot, and returns how to read the answer.
func (r *Room) act(who int, on string, what func(*chat.Event)) Deed {
	r.mu.Lock()
	r.acts++
	ev, core := r.people[who], r.core
	ev.ID, ev.Place = fmt.Sprint("bare:", r.acts), r.place
	r.mu.Unlock()
	what(&ev)
	told, answered := "", false
	go func() {
		reply := core.Handle(context.Background(), ev)
		text := reply.Toast
		if m := reply.Private; m != nil {
			to, id := who, ""
			if reply.Public {
				to = -1
			}
			for _, n := range r.Messages(who) {
				if n.ID == on && (n.Alone || reply.Instead) {
					id = on // the page turns
				}
			}
			r.put(id, r.place, to, *m)
			if id == "" && len(m.Buttons) == 0 || on == "" {
				text = plain.Text(*m, "")
			}
		}
		r.do(func() { told, answered = text, true })
	}()
	return func() (string, bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		return told, answered
	}
}
