package bare

// People who send commands and press buttons.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/store"
)

// Person is a person in the place "test:1/1" of the chat "test:1", unless Place and Chat are changed.
type Person struct {
	*House
	chat.Traits
	Name   string
	Called string // name on the platform; "": Name
	Locale string
	Place  chat.Place
	Chat   chat.Chat // "": "test:1"
	Admin  bool
	Shared string // language of the chat on the platform
}

func (h *House) Person(name string) *Person {
	return &Person{House: h, Name: name, Locale: "en", Place: "test:1/1"}
}

// Event returns an event of the person with a new id. The caller adds the command or the press.
func (p *Person) Event() chat.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Events++
	return chat.Event{
		ID: fmt.Sprint("test:", p.Events), Chat: cmp.Or(p.Chat, "test:1"), Place: p.Place,
		User: chat.User("test:" + p.Name), Name: cmp.Or(p.Called, p.Name),
		Locale: p.Locale, Shared: p.Shared, Traits: p.Traits,
		Functions: chat.Functions{Admin: func(context.Context) bool { return p.Admin }},
	}
}

// Writes sends a command as people type it: "/coin 10".
func (p *Person) Writes(line string) chat.Reply {
	ev := p.Event()
	command, text, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	ev.Command, ev.Text = command, text
	return p.Bot.Handle(context.Background(), ev)
}

// Sends presses a button with this data. If the bot refuses it as a double tap, it presses again later.
func (p *Person) Sends(press string) chat.Reply {
	r := p.Taps(press)
	if strings.HasPrefix(r.Toast, "That was quick") || strings.HasPrefix(r.Toast, "Das ging schnell") {
		p.Wait(Leisure)
		r = p.Taps(press)
	}
	return r
}

// Taps presses a button with this data, without a pause.
func (p *Person) Taps(press string) chat.Reply {
	ev := p.Event()
	ev.Press = press
	return p.Bot.Handle(context.Background(), ev)
}

// Presses presses the button with a label on the newest board (see Button).
func (p *Person) Presses(label string) chat.Reply {
	p.T.Helper()
	return p.Sends(p.Button(label).Press)
}

// Button returns the button with a label on the newest board of the place, or on the message about offered seats.
func (p *Person) Button(label string) chat.Button {
	p.T.Helper()
	m := p.Board()
	var have []string
	for _, b := range slices.Concat(slices.Concat(m.Buttons, p.Offers().Buttons)...) {
		if b.Label == label {
			return b
		}
		have = append(have, b.Label)
	}
	p.T.Fatalf("no button %q on the board, but %q\n%s", label, have, Show(m))
	return chat.Button{}
}

// Table returns the newest table of the person's place.
func (p *Person) Table() store.Table {
	p.T.Helper()
	return Stored(p.House, func(tx *store.Tx) (store.Table, error) { return tx.Tables.TableHere(string(p.Place)) })
}

// Board returns the newest board of the person's place, drawn as an adapter does, not by the loops.
func (p *Person) Board() chat.Message {
	p.T.Helper()
	return p.BoardOf(p.Table().ID)
}

// Offers returns the message about seats that players of the newest table hand over; its Head is "" if there are none.
func (p *Person) Offers() chat.Message {
	p.T.Helper()
	t := p.Table()
	m := Stored(p.House, func(tx *store.Tx) (chat.Message, error) { return p.Bot.Calls.Boards.Offers(tx, t) })
	if m.Head == "" {
		return m
	}
	if Proper(p.T, m); strings.Contains(Show(p.Board()), m.Head) {
		p.T.Errorf("the board says as well\n%s", m.Head)
	}
	return m
}

// At returns a copy of the person in another place of the chat.
func (p *Person) At(place chat.Place) *Person {
	there := *p
	there.Place = place
	return &there
}
