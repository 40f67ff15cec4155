package bot

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/zone"
	"knobel/games"
	"knobel/store"
)

// settings lists all settings of a chat, in the order in which they are shown.
func (b *Bot) settings() []Setting {
	all := []Setting{{
		Name: "zone", Label: "bot.settings.zone", About: "bot.settings.zone-about", How: "bot.settings.zone-how",
		Spaced: true, Reads: readZone, Says: sayZone, Changed: (*Visit).zoneChanged,
		Offers: []string{"Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "UTC", "none"},
	}}
	for _, f := range b.features {
		all = append(all, f.Settings...)
	}
	return all
}

// SettingsOf returns the settings of a chat.
func SettingsOf(tx *store.Tx, chat string) (Settings, error) {
	set, err := tx.Chats.ChatSettings(chat)
	return Settings(set), err
}

// customKey is the key of a chat's settings in a visit's cache.
type customKey string

// Settings returns the settings of a chat.
func (v *Visit) Settings(chat string) (Settings, error) {
	return Cached(v, customKey(chat), func() (Settings, error) { return SettingsOf(v.Tx, chat) })
}

// readZone finds a time zone by its name or by a city.
func readZone(b *Bot, said string) (string, bool) {
	if b.MeansNone(said) {
		return "", true
	}
	return zone.Find(said)
}

// MeansNone reports whether a word means "none" in any language.
func (b *Bot) MeansNone(said string) bool {
	return strings.EqualFold(said, "none") || strings.EqualFold(said, "off") || b.Means("bot.settings.none", said) ||
		b.Means("bot.settings.never", said)
}

func sayZone(b *Bot, value string) games.Line {
	if value == "" { // the machine's, which has no name of its own
		return games.Say("bot.settings.zone-own", games.Args{"Offset": b.Clock.Now().In(b.Zone).Format("-07:00")})
	}
	return games.Say("bot.text", games.Args{"Text": zone.Label(value)})
}

// Zone returns the time zone of a chat.
func (c Settings) Zone(b *Bot) *time.Location {
	if name := c["zone"]; name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return b.Zone
}

// settingOptions are the options of /settings.
func (b *Bot) settingOptions() []Option {
	var all []Option
	for _, s := range b.settings() {
		o := Option{Name: s.Name, Type: chat.TypeWord, About: games.Say(s.About, nil)}
		o.Reads = func(word string) bool {
			_, ok := s.Reads(b, word)
			return ok && !b.MeansNone(word)
		}
		if s.Spaced {
			o.Type = chat.TypeText
		}
		for _, offered := range s.Offers {
			o.Choices = append(o.Choices, Choice{offered, games.Say("bot.text", games.Args{"Text": offered})})
		}
		all = append(all, o)
	}
	return all
}

// askedFor is the value that asks for the page of a setting.
const askedFor = "?"

// settingsCommand shows the chat's settings, or the page of one setting, or sets the given values, all or nothing.
func (v *Visit) settingsCommand(w Args) error {
	was, err := v.Settings(v.Chat.ID)
	if err != nil {
		return err
	}
	now := Settings{}
	for name, value := range was {
		now[name] = value
	}
	head := games.Say("bot.settings.head", nil)
	var changes []Setting
	for _, s := range v.bot.settings() {
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
			return games.Refuse(s.How, nil)
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
			said = append(said, games.Say("bot.option-value",
				games.Args{"Option": games.Say(s.Label, nil), "Value": s.Says(v.bot, now[s.Name])}))
		}
		v.Tell(games.Say("bot.text", games.Args{"Text": said}))
	}
	return v.settingsPage(head, now)
}

// Remember stores a fact about a chat beside its settings.
func (v *Visit) Remember(chat, name, value string) error {
	was, err := v.Settings(chat)
	if err != nil {
		return err
	}
	now := Settings{name: value}
	for name, value := range was {
		now[name] = cmp.Or(now[name], value)
	}
	v.work.read[customKey(chat)] = now
	return v.Tx.Chats.SaveChatSetting(chat, name, value)
}

// set stores settings and runs the consequences of each change once.
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

// settingsPage lists all settings, with a button for each.
func (v *Visit) settingsPage(head games.Line, now Settings) error {
	m := v.Private(head)
	for _, s := range v.bot.settings() {
		said := games.Say("bot.option-value",
			games.Args{"Option": games.Say(s.Label, nil), "Value": s.Says(v.bot, s.in(v, now))})
		m.Lines = append(m.Lines, v.Say(said))
		m.Buttons = append(m.Buttons, []chat.Button{v.Button(games.Say(s.Label, nil), "/settings "+s.Name+"="+askedFor,
			games.Plain)})
	}
	m.Lines = append(m.Lines, v.Say(games.Say("bot.settings.evenings", nil)))
	if !v.Event.Equals && !v.Event.Own { // alone, the rights are clear
		m.Small = v.Say(games.Say(v.OrHost("bot.settings.who", "bot.settings.who-host"), nil))
	}
	return nil
}

// in returns the value of a setting in the chat, the usual one where none is set.
func (s Setting) in(v *Visit, now Settings) string {
	if now[s.Name] == "" && s.Usual != nil {
		return s.Usual(v.bot, v.Chat.ID)
	}
	return now[s.Name]
}

// settingPage explains one setting, with a button for some of its values.
func (v *Visit) settingPage(s Setting, now Settings) {
	is := s.in(v, now)
	says := s.Says(v.bot, is)
	m := v.Private(games.Say("bot.option-value", games.Args{"Option": games.Say(s.Label, nil), "Value": says}),
		games.Say(s.About, nil), games.Say(s.How, nil))
	var row []chat.Button
	for _, offered := range s.Offers {
		value, _ := s.Reads(v.bot, offered)
		row = append(row, v.Button(s.Says(v.bot, value), "/settings "+s.Name+"="+offered, Chosen(value == is)))
	}
	m.Rows(chat.MenuRow, append(row, v.Button(games.Say("bot.button.back", nil), "/settings", games.Primary))...)
}
