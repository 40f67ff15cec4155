package bot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/zone"
	"knobel/games"
	"knobel/store"
)

// zoneSetting is the setting of a chat's time zone.
var zoneSetting = Setting{
	Name: "zone", Reads: func(b *Bot, said string) (string, bool) {
		if b.MeansNone(said) {
			return "", true
		}
		return zone.Find(said)
	},
	Spaced: true,
	Says: func(b *Bot, value string) games.Line {
		if value == "" { // the installation's zone, which may have no name
			return games.Say("bot.settings.zone-own",
				games.Args{"Offset": b.Clock.Now().In(b.Zone).Format("-07:00")})
		}
		return games.Say("bot.text", games.Args{"Text": zone.Label(value)})
	},
	Changed: func(v *Visit, was, now Settings) error {
		for _, f := range v.bot.features {
			if f.Zone == nil {
				continue
			}
			if err := f.Zone(v, was, now); err != nil {
				return err
			}
		}
		return nil
	},
	Offers: []string{"Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "UTC", "none"},
}

// readValues derives Reads, Says and Offers from the setting's Values, if it has any.
func (s *Setting) readValues() {
	if s.Values == nil {
		return
	}
	values, usual := s.Values, ""
	if s.Usual == nil {
		usual = values[0][0]
	}
	s.Reads = func(b *Bot, said string) (string, bool) {
		said = strings.TrimSpace(said)
		for _, v := range values {
			switch {
			case !strings.EqualFold(said, v[0]) && !b.Means(v[1], said):
			case v[0] == usual:
				return "", true
			default:
				return v[0], true
			}
		}
		return "", usual == "" && b.MeansNone(said)
	}
	s.Says = func(_ *Bot, value string) games.Line {
		i := slices.IndexFunc(values, func(v [2]string) bool { return v[0] == cmp.Or(value, usual) })
		return games.Say(values[max(i, 0)][1], nil)
	}
	for _, v := range values {
		s.Offers = append(s.Offers, v[0])
	}
}

// label returns the setting's name, about its description, and how the refusal with its valid values.
func (s Setting) label() games.Line { return games.Say("bot.settings."+s.Name, nil) }
func (s Setting) about() games.Line { return games.Say("bot.settings."+s.Name+"-about", nil) }
func (s Setting) how() games.Line   { return games.Say("bot.settings."+s.Name+"-how", nil) }

// SettingsOf reads the settings of a chat.
func SettingsOf(tx *store.Tx, chat string) (Settings, error) {
	set, err := tx.Chats.ChatSettings(chat)
	return Settings(set), err
}

// customKey is the key of a chat's settings in a visit's cache.
type customKey string

// Settings returns the settings of a chat, which it reads once per visit.
func (v *Visit) Settings(chat string) (Settings, error) {
	return Cached(v.work.read, customKey(chat), func() (Settings, error) { return SettingsOf(v.Tx, chat) })
}

// MeansNone reports whether a word means "none", "off" or "never" in any language.
func (b *Bot) MeansNone(said string) bool {
	return strings.EqualFold(said, "none") || strings.EqualFold(said, "off") || b.Means("bot.settings.none", said) ||
		b.Means("bot.settings.never", said)
}

// Zone returns the time zone of a chat with these settings, or the installation's if it has set none.
func (c Settings) Zone(b *Bot) *time.Location {
	if name := c["zone"]; name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return b.Zone
}

// settingOptions returns the options of /settings, one for each setting.
func (b *Bot) settingOptions() []Option {
	var all []Option
	for _, s := range b.settings {
		o := Option{Name: s.Name, Type: chat.TypeWord, About: s.about()}
		o.Reads = func(word string) bool {
			_, ok := s.Reads(b, word)
			return ok && !b.MeansNone(word)
		}
		if s.Spaced {
			o.Type = chat.TypeText
		}
		for _, offered := range s.Offers {
			o.Choices = append(o.Choices, TextChoice(offered))
		}
		all = append(all, o)
	}
	return all
}

// askedFor is the value that asks for the page of a setting.
const askedFor = "?"

// settingsCommand stores the given values, all or none, and shows all settings with a button for each. A value askedFor
// shows the page of one setting instead.
func (v *Visit) settingsCommand(w Args) error {
	was, err := v.Settings(v.Chat.ID)
	if err != nil {
		return err
	}
	now := maps.Clone(was)
	head := games.Say("bot.settings.head", nil)
	var changes []Setting
	for _, s := range v.bot.settings {
		said, given := w[s.Name]
		switch {
		case !given:
			continue
		case said.Text == askedFor:
			v.settingPage(s, was)
			return nil
		}
		value, ok := s.Reads(v.bot, said.Text)
		if !ok {
			return &games.Refusal{Line: s.how()}
		}
		now[s.Name] = value
		changes = append(changes, s)
	}
	if len(changes) > 0 {
		if err := v.AdminsOnly("bot.settings.admins"); err != nil {
			return err
		}
		if err := v.set(changes, was, now); err != nil {
			return err
		}
		head = games.Say("bot.settings.changed", nil)
		var said games.List
		for _, s := range changes {
			said = append(said, s.with(s.Says(v.bot, now[s.Name])))
		}
		v.Tell(games.Say("bot.text", games.Args{"Text": said}))
	}
	m := v.Private(head)
	for _, s := range v.bot.settings {
		m.Lines = append(m.Lines, v.Say(s.with(s.Says(v.bot, s.in(v, now)))))
		m.Row(v.Button(s.label(), "/settings "+s.Name+"="+askedFor, games.Plain))
	}
	m.Lines = append(m.Lines, v.Say(games.Say("bot.settings.evenings", nil)))
	if !v.Event.Equals && !v.Event.Own { // elsewhere the rights are obvious
		m.Small = v.Say(games.Say(v.OrHost("bot.settings.who", "bot.settings.who-host"), nil))
	}
	return nil
}

// Remember stores a named fact about a chat among its settings, also in the visit's cache.
func (v *Visit) Remember(chat, name, value string) error {
	was, err := v.Settings(chat)
	if err != nil {
		return err
	}
	now := maps.Clone(was)
	now[name] = value
	v.work.read[customKey(chat)] = now
	return v.Tx.Chats.SaveChatSetting(chat, name, value)
}

// set stores changed settings. Of their Changed functions it calls only the first, which gets all changes at once.
func (v *Visit) set(changes []Setting, was, now Settings) error {
	for _, s := range changes {
		if err := v.Tx.Chats.SaveChatSetting(v.Chat.ID, s.Name, now[s.Name]); err != nil {
			return fmt.Errorf("setting %s: %w", s.Name, err)
		}
	}
	v.work.read[customKey(v.Chat.ID)] = now
	for _, s := range changes {
		if s.Changed == nil || was[s.Name] == now[s.Name] {
			continue
		}
		if err := s.Changed(v, was, now); err != nil {
			return fmt.Errorf("setting %s: %w", s.Name, err)
		}
		was = now
	}
	return nil
}

// with returns the line of a setting with one of its values: "Option: value".
func (s Setting) with(value games.Line) games.Line {
	return games.Say("bot.option-value", games.Args{"Option": s.label(), "Value": value})
}

// in returns the value of the setting in now, or the default of the visit's chat.
func (s Setting) in(v *Visit, now Settings) string {
	if now[s.Name] == "" && s.Usual != nil {
		return s.Usual(v.bot, v.Chat.ID)
	}
	return now[s.Name]
}

// settingPage answers with the explanation of one setting and a button for each offered value.
func (v *Visit) settingPage(s Setting, now Settings) {
	is := s.in(v, now)
	m := v.Private(s.with(s.Says(v.bot, is)), s.about(), s.how())
	var row []chat.Button
	for _, offered := range s.Offers {
		value, _ := s.Reads(v.bot, offered)
		row = append(row, v.Button(s.Says(v.bot, value), "/settings "+s.Name+"="+offered, Chosen(value == is)))
	}
	m.Rows(chat.MenuRow, append(row, v.Button(games.Say("bot.button.back", nil), "/settings", games.Primary))...)
}

// morning is the hour of the day at which an evening ends: games before it belong to the day before.
const morning = 6

// EveningOf returns the evening to which a time belongs in a time zone, by the day on which it began.
func EveningOf(at time.Time, zone *time.Location) store.Day {
	local := at.In(zone)
	day := store.DayOf(local)
	if local.Hour() < morning {
		return day - 1
	}
	return day
}

// Evening returns the current evening in the event's chat, in the chat's time zone.
func (v *Visit) Evening() (store.Day, error) { return v.EveningIn(v.Chat.ID, v.At) }

// EveningIn returns the evening to which a time in Unix milliseconds belongs in a chat: by the chat's time zone, or
// else the installation's. Results store it, so that a later change of the zone does not move past evenings.
func (v *Visit) EveningIn(chat string, at int64) (store.Day, error) {
	set, err := v.Settings(chat)
	if err != nil {
		return 0, err
	}
	return EveningOf(time.UnixMilli(at), set.Zone(v.bot)), nil
}

// months are the names of the months, January first.
var months = [...]games.Word{
	"bot.month.january", "bot.month.february", "bot.month.march", "bot.month.april", "bot.month.may", "bot.month.june",
	"bot.month.july", "bot.month.august", "bot.month.september", "bot.month.october", "bot.month.november",
	"bot.month.december",
}

// MonthLabel returns the name of a month.
func MonthLabel(m time.Month) games.Word { return months[m-1] }

// DayLabel returns a day for people, as "2 November", with the year if it is not that of today.
func DayLabel(day, today store.Day) games.Line {
	at := day.Time()
	args := games.Args{"Day": at.Day(), "Month": MonthLabel(at.Month()), "Year": at.Year()}
	if at.Year() == today.Time().Year() {
		return games.Say("bot.date.this-year", args)
	}
	return games.Say("bot.date.another-year", args)
}

// DayLabel returns a day for people, with the year if it is not that of the current evening in the event's chat.
func (v *Visit) DayLabel(day store.Day) (games.Line, error) {
	today, err := v.Evening()
	return DayLabel(day, today), err
}
