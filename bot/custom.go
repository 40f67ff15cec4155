package bot

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// setting is one row of what the admins of a chat can change. /settings, its
// options, its pages and what reads it come from the table below.
type setting struct {
	// name is its name in "name=value" and in the store.
	name string
	// label names it on a button, about says what it does.
	label, about string
	// reads returns what is stored for what somebody has said, "" for what is
	// usual, and false for what makes no sense.
	reads func(b *Bot, said string) (value string, ok bool)
	// how is the key of the refusal that says what makes sense.
	how string
	// says puts a stored value into words, "" included.
	says func(b *Bot, value string) games.Line
	// offers are values that have a button, as somebody would say them.
	offers []string
	// changed does what follows from a change; nil: nothing.
	changed func(v *Visit, was, now Settings) error
}

// settingTable lists all settings of a chat, in the order in which they are
// shown.
func settingTable() []setting {
	return []setting{
		{
			name: "zone", label: "bot.settings.zone", about: "bot.settings.zone-about", how: "bot.settings.zone-how",
			reads: readZone, says: sayZone, changed: (*Visit).zoneChanged,
			offers: []string{"Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "UTC", "none"},
		},
		{
			name: "quiet", label: "bot.settings.quiet", about: "bot.settings.quiet-about", how: "bot.settings.quiet-how",
			reads: readQuiet, says: sayQuiet, changed: (*Visit).quietChanged,
			offers: []string{"22-8", "23-7", "0-9", "none"},
		},
		{
			name: "idle", label: "bot.settings.idle", about: "bot.settings.idle-about", how: "bot.settings.idle-how",
			reads: readIdle, says: sayIdle,
			offers: []string{"1", "3", "7", "14", "30", "0"},
		},
		{
			name: "calls", label: "bot.settings.calls", about: "bot.settings.calls-about", how: "bot.settings.calls-how",
			reads: readCalls, says: sayCalls,
			offers: []string{notifyOn, notifyOff},
		},
	}
}

// Settings is what a chat has set, by name, as it is stored. What is missing is
// as usual.
type Settings map[string]string

// customOf is what a chat has set.
func customOf(tx *store.Tx, chat string) (Settings, error) {
	set, err := tx.ChatSettings(chat)
	return Settings(set), err
}

// customKey is the key by which a visit keeps what a chat has set.
type customKey string

// customs is what the event's chat, or that of the table in hand, has set.
func (v *Visit) customs(chat string) (Settings, error) {
	return cached(v, customKey(chat), func() (Settings, error) { return customOf(v.Tx, chat) })
}

// zones are the continents and oceans by which the cities of time zones are
// listed.
var zones = [...]string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian", "Antarctica"}

// readZone finds a time zone by its name in any letters, or by its city alone.
func readZone(b *Bot, said string) (string, bool) {
	if b.meansNone(said) {
		return "", true
	}
	said = strings.Map(func(r rune) rune {
		if r == ' ' {
			return '_'
		}
		return r
	}, strings.TrimSpace(said))
	if strings.EqualFold(said, "local") || len(said) > mostLabel {
		return "", false
	}
	names := []string{said, strings.ToUpper(said), capitals(said)}
	for _, zone := range zones {
		names = append(names, zone+"/"+capitals(said))
	}
	for _, name := range names {
		if zone, err := time.LoadLocation(name); err == nil && name != "" {
			return zone.String(), true
		}
	}
	return "", false
}

// capitals spells a name with a capital at the beginning of each word.
func capitals(name string) string {
	begins := true
	return strings.Map(func(r rune) rune {
		was := begins
		begins = !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
		if was {
			return []rune(strings.ToUpper(string(r)))[0]
		}
		return []rune(strings.ToLower(string(r)))[0]
	}, name)
}

// meansNone says whether somebody wants none of something.
func (b *Bot) meansNone(said string) bool {
	return strings.EqualFold(said, "none") || strings.EqualFold(said, "off") || b.Means("bot.settings.none", said) || b.Means("bot.settings.never", said)
}

func sayZone(b *Bot, value string) games.Line {
	if value == "" { // the machine's, which has no name of its own
		return games.Say("bot.settings.zone-own", games.Args{"Offset": b.Clock.Now().In(b.zone).Format("-07:00")})
	}
	return games.Say("bot.text", games.Args{"Text": strings.ReplaceAll(value, "_", " ")})
}

// Zone is the time zone of a chat.
func (c Settings) Zone(b *Bot) *time.Location {
	if name := c["zone"]; name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return b.zone
}

func readQuiet(b *Bot, said string) (string, bool) {
	if b.meansNone(said) {
		return "", true
	}
	from, to, ok := parseQuiet(strings.TrimSpace(said))
	return clockTime(from) + "-" + clockTime(to), ok
}

func sayQuiet(_ *Bot, value string) games.Line {
	if value == "" {
		return games.Say("bot.settings.none", nil)
	}
	return games.Say("bot.text", games.Args{"Text": strings.ReplaceAll(value, "-", "–")})
}

// quiet are the hours of a chat in which clocks stand still.
func (c Settings) quiet(b *Bot) quiet {
	from, to, some := parseQuiet(c["quiet"])
	if !some {
		return quiet{} // and no zone is read from a file
	}
	return quiet{zone: c.Zone(b), from: from, to: to}
}

// After how many days an idle table is closed, and after how many at most.
const (
	usualIdle = 7
	mostIdle  = 365
)

func readIdle(b *Bot, said string) (string, bool) {
	if b.meansNone(said) {
		return "0", true
	}
	days, err := strconv.Atoi(strings.TrimSpace(said))
	switch {
	case err != nil || days < 0 || days > mostIdle:
		return "", false
	case days == usualIdle:
		return "", true
	}
	return strconv.Itoa(days), true
}

func sayIdle(_ *Bot, value string) games.Line {
	switch days := (Settings{"idle": value}).idle(); days {
	case 0:
		return games.Say("bot.settings.never", nil)
	default:
		return games.Say("bot.days", games.Args{"N": days})
	}
}

// idle is after how many days a table at which nothing moves is closed, 0:
// never.
func (c Settings) idle() int {
	value, set := c["idle"]
	if !set || value == "" {
		return usualIdle
	}
	days, err := strconv.Atoi(value)
	if err != nil {
		return usualIdle
	}
	return days
}

// settingOptions are the options of /settings.
func (b *Bot) settingOptions() []Option {
	var all []Option
	for _, s := range settingTable() {
		o := Option{Name: s.name, About: games.Say(s.about, nil), Open: true}
		o.Reads = func(word string) bool {
			_, ok := s.reads(b, word)
			return ok && !b.meansNone(word)
		}
		for _, offered := range s.offers {
			o.Choices = append(o.Choices, Choice{offered, games.Say("bot.text", games.Args{"Text": offered})})
		}
		all = append(all, o)
	}
	return all
}

// askedFor stands for the page of one setting, in the place of its value.
const askedFor = "?"

// settingsCommand shows what the chat has set, or the page of one setting, or
// sets what was given, all or nothing.
func (v *Visit) settingsCommand(w Args) error {
	was, err := v.customs(v.Chat.ID)
	if err != nil {
		return err
	}
	now := Settings{}
	for name, value := range was {
		now[name] = value
	}
	head := games.Say("bot.settings.head", nil)
	var changes []setting
	for _, s := range settingTable() {
		said, given := w[s.name]
		switch {
		case !given:
			continue
		case said == askedFor:
			v.settingPage(s, was)
			return nil
		}
		value, ok := s.reads(v.bot, said)
		if !ok {
			return games.Refuse(s.how, nil)
		}
		now[s.name] = value
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
	}
	v.settingsPage(head, now)
	return nil
}

// set stores settings, and does what follows from each once.
func (v *Visit) set(changes []setting, was, now Settings) error {
	for _, s := range changes {
		if err := v.Tx.SaveChatSetting(v.Chat.ID, s.name, now[s.name]); err != nil {
			return fmt.Errorf("setting %s: %w", s.name, err)
		}
	}
	v.knows(customKey(v.Chat.ID), now)
	for _, s := range changes {
		if s.changed == nil || was[s.name] == now[s.name] {
			continue
		}
		if err := s.changed(v, was, now); err != nil {
			return fmt.Errorf("setting %s: %w", s.name, err)
		}
		was = now
	}
	return nil
}

// settingsPage lists all settings, with a button for each.
func (v *Visit) settingsPage(head games.Line, now Settings) {
	m := v.Private(head)
	for _, s := range settingTable() {
		said := games.Say("bot.option-value", games.Args{"Option": games.Say(s.label, nil), "Value": s.says(v.bot, now[s.name])})
		m.Lines = append(m.Lines, v.Say(said))
		m.Buttons = append(m.Buttons, []chat.Button{v.Button(games.Say(s.label, nil), "/settings "+s.name+"="+askedFor, games.Plain)})
	}
	m.Lines = append(m.Lines, v.Say(games.Say("bot.settings.evenings", nil)))
	if !v.Event.Equals && !v.Event.Own { // alone one need not be told who may
		m.Small = v.Say(games.Say("bot.settings.who", nil))
	}
}

// settingPage explains one setting, with a button for some of its values.
func (v *Visit) settingPage(s setting, now Settings) {
	says := s.says(v.bot, now[s.name])
	m := v.Private(games.Say("bot.option-value", games.Args{"Option": games.Say(s.label, nil), "Value": says}),
		games.Say(s.about, nil), games.Say(s.how, nil))
	var row []chat.Button
	for _, offered := range s.offers {
		value, _ := s.reads(v.bot, offered)
		style := chosen(value == now[s.name])
		row = append(row, v.Button(s.says(v.bot, value), "/settings "+s.name+"="+offered, style))
	}
	m.Rows(chat.MenuRow, append(row, v.Button(games.Say("bot.button.back", nil), "/settings", games.Primary))...)
}
