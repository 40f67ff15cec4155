package board_test

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/zehntausend"
	"knobel/store"
)

// options returns the data of the form with the options of table 1, as p reads it.
func options(p *bare.Person, query string) (o board.Options, err error) {
	values, _ := url.ParseQuery(query)
	data, err := p.Bot.Pages()["options"](p.T.Context(), p.Event(), values)
	if err == nil {
		o = *data.(*board.Options)
	}
	return o, err
}

// TestOptionsAreThoseOfTheMenus compares the form with the menus that platforms show.
func TestOptionsAreThoseOfTheMenus(t *testing.T) {
	for _, line := range []string{"/shutbox", "/shutbox golf stake=7", "/shutbox canoga 0", "/kniffel",
		"/kniffel settle=pool", "/farkle", "/yamb"} {
		h := bare.New(t, shutbox.Game{}, zehntausend.New(), sets.Kniffel(), sets.Yamb())
		for _, lang := range []string{"en", "de"} {
			anna := h.Person("Anna")
			anna.Locale, anna.Admin = lang, true
			anna.Writes(line)
			anna.Writes("/house save Sunday")
			form, err := options(anna, "table=1")
			fakes.Check(t, err)
			var menus []chat.Choice
			h.Reads(func(tx *store.Tx) error {
				for page := 1; ; page++ {
					m, err := h.Bot.Calls.RulesPage(tx, anna.Table(), lang, string(rune('0'+page)))
					if err != nil || len(menus) > 0 && reflect.DeepEqual(m.Choices[0], menus[0]) {
						return err
					}
					menus = append(menus, m.Choices...)
				}
			})
			if !form.May || len(form.Fields) != len(menus) || len(form.Presets) != len(menus[0].Values) {
				t.Fatalf("%s: the form is %+v, the menus are %+v", line, form, menus)
			}
			for i, f := range form.Fields {
				var presses, labels []string
				for _, c := range f.Choices {
					presses, labels = append(presses, c.Press), append(labels, c.Label)
					if c.Chosen && f.Value != c.Label {
						t.Errorf("%s: %s is %q, and %q is chosen", line, f.Key, f.Value, c.Label)
					}
				}
				for j, v := range menus[i].Values {
					if presses[j] != v.Press || labels[j] != bot.Capital(v.Label) ||
						f.Choices[j].Chosen != (v.Style == games.Success) {
						t.Errorf("%s: %s is %+v, not %+v", line, f.Key, f.Choices[j], v)
					}
				}
				if f.Label == "" || f.About == "" || f.First != slices.Contains([]string{"variant", "stake", "turn"},
					f.Key) {
					t.Errorf("%s: the field is %+v", line, f)
				}
			}
			for _, p := range form.Presets {
				if p.About == "" || p.Press == "" {
					t.Errorf("%s: the preset is %+v", line, p)
				}
			}
		}
	}
}

// TestOptionsOfOthers checks who may press in the form, and which tables it is for.
func TestOptionsOfOthers(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox")
	ben.Sends("1:1:0:!join")
	presses := func(p *bare.Person) (all []string) {
		t.Helper()
		form, err := options(p, "table=1")
		fakes.Check(t, err)
		for _, f := range form.Fields {
			all = append(all, f.Less, f.More)
			for _, c := range f.Choices {
				all = append(all, c.Press)
			}
		}
		all = slices.DeleteFunc(all, func(press string) bool { return press == "" })
		if form.May != (len(all) > 0) {
			t.Errorf("%s may change it: %v, with %q", p.Name, form.May, all)
		}
		return all
	}
	if got := presses(ben); len(got) > 0 {
		t.Errorf("a guest presses %q", got)
	}
	for _, press := range []string{"1:1:0:!stake less", "1:1:0:!stake more", "1:1:0:!set variant=golf"} {
		if !slices.Contains(presses(anna), press) {
			t.Errorf("the host lacks %s", press)
		}
	}
	anna.Pages = true
	if r := anna.Sends("1:1:0:!stake 0"); r.Refused || r.Opened != nil {
		t.Errorf("a change in the form opens a page of the board: %+v", r)
	}
	if got := strings.Join(presses(anna), " "); strings.Contains(got, "!stake less") {
		t.Errorf("a stake of 0 can be lowered by %s", got)
	}
	anna.Sends("1:1:1:!agree")
	h.Same = true // Adam plays at Anna's browser
	if got := presses(h.Person("Adam")); len(got) == 0 {
		t.Error("the host's browser may change nothing")
	}
	for _, query := range []string{"", "table=2", "table=x"} {
		if _, err := options(anna, query); err == nil || !isRefusal(err) {
			t.Errorf("%q is answered by %v", query, err)
		}
	}
	if _, err := options(anna.At("test:2/1"), "table=1"); !isRefusal(err) {
		t.Errorf("another room's table is answered by %v", err)
	}
	table := anna.Table()
	anna.Sends(chat.Press{Table: 1, Turn: table.Terms, What: "!start"}.String())
	ben.Sends(chat.Press{Table: 1, Turn: table.Terms, What: "!agree"}.String())
	anna.Sends(chat.Press{Table: 1, Turn: table.Terms, What: "!start"}.String())
	if state := anna.Table().State; state != store.Playing {
		t.Fatalf("the game is in state %s", state)
	}
	if got := presses(anna); len(got) > 0 {
		t.Errorf("during a game, the host presses %q", got)
	}
}

// isRefusal reports whether err is a *games.Refusal.
func isRefusal(err error) bool {
	_, refused := games.Refused(err)
	return refused
}
