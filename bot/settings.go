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
	Name: "zone", Reads: func(b *Bot, input string) (string, bool) {
		if b.MeansNone(input) {
			return "", true
		}
		return zone.Find(input)
	},
	Spaced: true,
	Says: func(b *Bot, value string) games.Line {
		if value == "" { // the installation's zone, which may have no name
			return games.Say("bot.settings.zone-own",
				games.Args{"Offset": b.Clock.Now().In(b.Zone).Format("-07:00")})
		}
		return games.Say("bot.text", games.Args{"Text": zone.Label(value)})
	},
	Changed: func(v *Visit, before, after Settings) error {
		for _, f := range v.bot.features {
			if f.Zone == nil {
				continue
			}
			if err := f.Zone(v, before, after); err != nil {
				return err
			}
		}
		return nil
	},
	Offers: []string{"Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "UTC", "none"},
}

// deriveFromValues sets Reads, Says and Offers from the setting's Values, if it has any.
func (s *Setting) deriveFromValues() {
	if s.Values == nil {
		return
	}
	values, defaultValue := s.Values, ""
	if s.Usual == nil {
		defaultValue = values[0][0]
	}
	s.Reads = func(b *Bot, input string) (string, bool) {
		input = strings.TrimSpace(input)
		for _, v := range values {
			switch {
			case !strings.EqualFold(input, v[0]) && !b.Means(v[1], input):
			case v[0] == defaultValue:
				return "", true
			default:
				return v[0], true
			}
		}
		return "", defaultValue == "" && b.MeansNone(input)
	}
	s.Says = func(_ *Bot, value string) games.Line {
		i := slices.IndexFunc(values, func(v [2]string) bool { return v[0] == cmp.Or(value, defaultValue) })
		return games.Say(values[max(i, 0)][1], nil)
	}
	for _, v := range values {
		s.Offers = append(s.Offers, v[0])
	}
}

// label returns the setting's name for people.
func (s Setting) label() games.Line { return games.Say("bot.settings."+s.Name, nil) }

// about returns the setting's description.
func (s Setting) about() games.Line { return games.Say("bot.settings."+s.Name+"-about", nil) }

// how returns the refusal of an invalid value, which lists the valid ones.
func (s Setting) how() games.Line { return games.Say("bot.settings."+s.Name+"-how", nil) }

// SettingsOf reads the stored settings of the chat with this id.
func SettingsOf(tx *store.Tx, chat string) (Settings, error) {
	set, err := tx.Chats.ChatSettings(chat)
	return Settings(set), err
}

// settingsKey is the key of the settings of the chat with this id in a visit's cache.
type settingsKey string

// Settings returns the settings of the chat with this id, which it reads once per visit.
func (v *Visit) Settings(chat string) (Settings, error) {
	return Cached(v.work.read, settingsKey(chat), func() (Settings, error) { return SettingsOf(v.Tx, chat) })
}

// MeansNone reports whether a word means "none", "off" or "never" in any language.
func (b *Bot) MeansNone(word string) bool {
	return strings.EqualFold(word, "none") || strings.EqualFold(word, "off") || b.Means("bot.settings.none", word) ||
		b.Means("bot.settings.never", word)
}

// Zone returns the time zone of a chat with these settings; if it has set none, the installation's.
func (s Settings) Zone(b *Bot) *time.Location {
	if name := s["zone"]; name != "" {
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

// showPageValue is the typed value that shows the page of a setting: "/settings zone=?".
const showPageValue = "?"

// settingsCommand stores the given values, all or none, and shows all settings with a button for each. The value
// showPageValue shows the page of that setting instead.
func (v *Visit) settingsCommand(args Args) error {
	was, err := v.Settings(v.Chat.ID)
	if err != nil {
		return err
	}
	now := maps.Clone(was)
	head := games.Say("bot.settings.head", nil)
	var changes []Setting
	for _, s := range v.bot.settings {
		said, given := args[s.Name]
		switch {
		case !given:
			continue
		case said.Text == showPageValue:
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
		if err := v.storeSettings(changes, was, now); err != nil {
			return err
		}
		head = games.Say("bot.settings.changed", nil)
		var said games.List
		for _, s := range changes {
			said = append(said, s.withValue(s.Says(v.bot, now[s.Name])))
		}
		v.Tell(games.Say("bot.text", games.Args{"Text": said}))
	}
	m := v.Private(head)
	for _, s := range v.bot.settings {
		m.Lines = append(m.Lines, v.Say(s.withValue(s.Says(v.bot, s.valueIn(v, now)))))
		m.Row(v.Button(s.label(), "/settings "+s.Name+"="+showPageValue, games.Plain))
	}
	m.Lines = append(m.Lines, v.Say(games.Say("bot.settings.evenings", nil)))
	if !v.Event.Equals && !v.Event.Own { // elsewhere the rights are obvious
		m.Small = v.Say(games.Say(v.OrHost("bot.settings.who", "bot.settings.who-host"), nil))
	}
	return nil
}

// Remember stores a value under a name among the settings of the chat with this id, also in the visit's cache.
func (v *Visit) Remember(chat, name, value string) error {
	before, err := v.Settings(chat)
	if err != nil {
		return err
	}
	after := maps.Clone(before)
	after[name] = value
	v.work.read[settingsKey(chat)] = after
	return v.Tx.Chats.SaveChatSetting(chat, name, value)
}

// storeSettings stores the value in after of each setting in changes. It calls Changed of each whose value differs
// between before and after, with the settings as if they were changed one by one.
func (v *Visit) storeSettings(changes []Setting, before, after Settings) error {
	for _, s := range changes {
		if err := v.Tx.Chats.SaveChatSetting(v.Chat.ID, s.Name, after[s.Name]); err != nil {
			return fmt.Errorf("setting %s: %w", s.Name, err)
		}
	}
	v.work.read[settingsKey(v.Chat.ID)] = after
	for _, s := range changes {
		next := maps.Clone(before)
		if next == nil {
			next = Settings{}
		}
		if next[s.Name] = after[s.Name]; s.Changed != nil && before[s.Name] != after[s.Name] {
			if err := s.Changed(v, before, next); err != nil {
				return fmt.Errorf("setting %s: %w", s.Name, err)
			}
		}
		before = next
	}
	return nil
}

// withValue returns the line "Setting: value".
func (s Setting) withValue(value games.Line) games.Line {
	return games.Say("bot.option-value", games.Args{"Option": s.label(), "Value": value})
}

// valueIn returns the value of s in settings. If unset, it returns the result of s.Usual for the visit's chat, or "".
func (s Setting) valueIn(v *Visit, settings Settings) string {
	if settings[s.Name] == "" && s.Usual != nil {
		return s.Usual(v.bot, v.Chat.ID)
	}
	return settings[s.Name]
}

// settingPage answers with the description of s, its current value in settings, and a button for each offered value.
func (v *Visit) settingPage(s Setting, settings Settings) {
	current := s.valueIn(v, settings)
	m := v.Private(s.withValue(s.Says(v.bot, current)), s.about(), s.how())
	var row []chat.Button
	for _, offered := range s.Offers {
		value, _ := s.Reads(v.bot, offered)
		row = append(row, v.Button(s.Says(v.bot, value), "/settings "+s.Name+"="+offered, Chosen(value == current)))
	}
	m.Rows(chat.MenuRow, append(row, v.Button(games.Say("bot.button.back", nil), "/settings", games.Primary))...)
}

// morning is the hour at which an evening ends: earlier games belong to the evening of the day before.
const morning = 6

// EveningOf returns the evening to which a time belongs in a time zone, as the day on which the evening began.
func EveningOf(t time.Time, zone *time.Location) store.Day {
	local := t.In(zone)
	day := store.DayOf(local)
	if local.Hour() < morning {
		return day - 1
	}
	return day
}

// Evening returns the current evening in the time zone of the event's chat.
func (v *Visit) Evening() (store.Day, error) { return v.EveningIn(v.Chat.ID, v.At) }

// EveningIn returns the evening to which a time (at, Unix ms) belongs in the time zone of the chat with this id.
// Results store it, so that a later change of the zone does not move past evenings.
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
	date := day.Time()
	args := games.Args{"Day": date.Day(), "Month": MonthLabel(date.Month()), "Year": date.Year()}
	if date.Year() == today.Time().Year() {
		return games.Say("bot.date.this-year", args)
	}
	return games.Say("bot.date.another-year", args)
}

// DayLabel returns a day for people, with the year if it is not that of the current evening in the event's chat.
func (v *Visit) DayLabel(day store.Day) (games.Line, error) {
	today, err := v.Evening()
	return DayLabel(day, today), err
}
