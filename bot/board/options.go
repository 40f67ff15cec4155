package board

import (
	"errors"
	"net/url"
	"slices"
	"strconv"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Options holds the choices of a table as data for a form, in the order in which forms show them.
type Options struct {
	// May reports whether the reader may change the table; if not, there are no presses.
	May     bool     `json:"may"`
	Presets []Preset `json:"presets"`
	Fields  []Field  `json:"fields"`
}

// Preset is a variant, or house rules of the chat.
type Preset struct {
	Selected
	About string `json:"about,omitempty"`
}

// Field is one choice: its name in commands, its label, the chosen value in words, and a sentence about it.
type Field struct {
	Key   string `json:"key"`
	Label string `json:"label"`
	Value string `json:"value"`
	About string `json:"about,omitempty"`
	// First reports whether forms show the field at once, rather than among all options.
	First   bool       `json:"first"`
	Choices []Selected `json:"choices"`
	// Less and More are the presses for the next lower and higher value of a stake; "" if there is none.
	Less string `json:"less,omitempty"`
	More string `json:"more,omitempty"`
}

// Selected is a value that can be chosen.
type Selected struct {
	Label  string `json:"label"`
	Press  string `json:"press,omitempty"`
	Chosen bool   `json:"chosen"`
}

// QueriedTable returns the table whose number is the value of "table" in query. It refuses tables of other places.
func QueriedTable(v *bot.Visit, query url.Values) (store.Table, error) {
	gone := games.Refuse("bot.no-table", nil)
	id, err := strconv.ParseInt(query.Get("table"), 10, 64)
	if err != nil {
		return store.Table{}, gone
	}
	t, err := v.Tx.Tables.Table(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && t.Place != string(v.Event.Place) {
		return store.Table{}, gone
	}
	return t, err
}

// Options returns the choices of the table that query names. The reader may change them in a lobby that they host.
func (b *Boards) Options(v *bot.Visit, query url.Values) (*Options, error) {
	t, err := QueriedTable(v, query)
	if err != nil {
		return nil, err
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, err
	}
	s, err := b.rulesView(v.Tx, t, g, v.Lang)
	if err != nil {
		return nil, err
	}
	o := &Options{Presets: []Preset{}, Fields: []Field{}, May: t.State == store.Lobby &&
		slices.ContainsFunc(t.Seats, func(seat store.Seat) bool {
			return b.IsOwn(v.Event, seat.Player) && Hosts(t, b.Now(), chat.User(seat.Player))
		})}
	press := func(press string) string {
		if o.May {
			return press
		}
		return ""
	}
	for _, c := range s.choices() {
		f := Field{Key: c.name, Label: bot.Capital(s.Line(c.option)), Value: bot.Capital(s.Line(c.value)),
			About: bot.Capital(s.Line(s.about(c.name))), First: slices.Contains(firstFields, c.name)}
		for i, value := range c.Values {
			one := Selected{bot.Capital(value.Label), press(value.Press), value.Style == games.Success}
			f.Choices = append(f.Choices, one)
			if c.name == choiceVariant {
				o.Presets = append(o.Presets, Preset{one, s.aboutPreset(i)})
			}
		}
		if c.name == ChoiceStake {
			if t.Stake > Stakes[0] {
				f.Less = press(s.press("!stake less"))
			}
			if t.Stake < Stakes[len(Stakes)-1] {
				f.More = press(s.press("!stake more"))
			}
		}
		o.Fields = append(o.Fields, f)
	}
	return o, s.Err
}

// firstFields are the fields that forms show at once.
var firstFields = []string{choiceVariant, ChoiceStake, TermTurn}

// about returns the sentence about the menu called name.
func (s *BoardView) about(name string) games.Line {
	if i := slices.IndexFunc(s.Game.Options(), func(o games.Option) bool { return o.Name == name }); i >= 0 {
		return s.bot.AboutOption(s.Game, games.CalledOf(s.Game, s.Table.Rules), s.Game.Options()[i])
	}
	if name == TermAbsent {
		return s.aboutAbsence()
	}
	return games.Say(map[string]string{choiceVariant: "bot.option.variant", ChoiceStake: "bot.option.stake",
		TermTurn: "bot.terms.turn-about"}[name], nil)
}

// aboutPreset returns the sentence about the variant with this index or, behind the variants, the rules of the chat's
// house rules.
func (s *BoardView) aboutPreset(i int) string {
	variants := s.Game.Variants()
	if i >= len(variants) {
		return bot.Capital(s.Line(s.bot.RulesLabel(s.Game, s.kept[i-len(variants)].Rules)))
	}
	about, known := s.bot.About(bot.Opening{Game: s.Game, Variant: variants[i].Name})
	if !known {
		return ""
	}
	return bot.Capital(s.Line(about))
}
