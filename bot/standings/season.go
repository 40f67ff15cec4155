package standings

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The command /season: the present season, and the start of the next.

// How long a season's name may be: it stands in the press of the button that begins it.
const (
	maxSeason      = chat.MaxName
	maxSeasonBytes = 32
)

// seasonCommand shows the present season, or asks whether to start the next.
func (v *Visit) seasonCommand(w bot.Args) error {
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	present, said := append(seasons, store.Season{})[0], w.Text("name")
	if said == "" && len(seasons) == 0 {
		v.Private(games.Say(v.OrEquals("bot.season.none", "bot.season.none-hosted", "bot.season.none-equals"), nil))
		return nil
	}
	if said == "" {
		began, err := v.EveningIn(v.Chat.ID, present.Started)
		if err != nil {
			return err
		}
		day, err := v.DayLabel(began)
		m := v.Private(games.Say("bot.season.now", games.Args{"Name": chat.Isolate(present.Name), "Day": day}))
		m.Row(v.Button(games.Say("bot.button.leaderboard", nil), "/leaderboard season", games.Plain))
		return err
	}
	name, err := seasonName(seasons, said)
	if err != nil {
		return err
	}
	if err := v.AdminsOnly("bot.season.admins"); err != nil {
		return err
	}
	m := v.Private(games.Say("bot.season.ask", games.Args{"Name": chat.Isolate(name)}))
	if present.ID != 0 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.season.ask-old",
			games.Args{"Old": chat.Isolate(present.Name)})))
	}
	begin := chat.Press{What: fmt.Sprintf("/renew %d %s", present.ID, packed(name))}
	m.Row(chat.Button{Label: chat.Shorten(v.Say(games.Say("bot.button.begin-season", nil)), chat.MaxButton),
		Press: begin.String(), Style: games.Primary})
	return nil
}

// seasonName is a name as a season can have it, unlike those before.
func seasonName(seasons []store.Season, said string) (string, error) {
	name := chat.CleanName(said)
	if name == "" || utf8.RuneCountInString(said) > maxSeason {
		return "", games.Refuse("bot.season.name", games.Args{"Most": maxSeason})
	}
	letters, size := 0, 0
	for _, r := range name {
		if size += utf8.RuneLen(r); size > maxSeasonBytes { // a press holds fewer letters beyond ASCII
			return "", games.Refuse("bot.season.name", games.Args{"Most": letters})
		}
		letters++
	}
	if i := slices.IndexFunc(seasons, func(s store.Season) bool { return strings.EqualFold(s.Name, name) }); i >= 0 {
		return "", games.Refuse("bot.season.taken", games.Args{"Name": chat.Isolate(seasons[i].Name)})
	}
	return name, nil
}

// renewCommand is the press that starts a season: it counts while the season
// before it is the one that it was asked about.
func (v *Visit) renewCommand(w bot.Args) error {
	number, given := w.Amount("before")
	name, ok := unpacked(w.Text("name"))
	if !given || !ok {
		return games.Refuse("bot.no-such-button", nil)
	}
	if err := v.AdminsOnly("bot.season.admins"); err != nil {
		return err
	}
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	if present := append(seasons, store.Season{})[0]; present.ID != number {
		return games.Refuse("bot.season.moved-on", nil)
	}
	if name, err = seasonName(seasons, name); err != nil {
		return err
	}
	next := store.Season{Chat: v.Chat.ID, Name: name, Starter: string(v.Event.User), Started: v.At}
	if _, err := v.Tx.Chats.StartSeason(next); err != nil {
		return err
	}
	return v.Public(func() error {
		who := v.bot.ShownName(v.Player.Name, v.Lang)
		m := v.Private(games.Say("bot.season.started", games.Args{"Who": who, "Name": chat.Isolate(name)}))
		m.Row(v.Button(games.Say("bot.button.leaderboard", nil), "/leaderboard season", games.Plain))
		return nil
	})
}

// packed spells a name for a press: as it is, or coded where it is not plain letters.
func packed(name string) string {
	if strings.HasPrefix(name, "=") || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "=" + base64.RawURLEncoding.EncodeToString([]byte(name))
	}
	return name
}

// unpacked reads what packed writes.
func unpacked(said string) (string, bool) {
	code, coded := strings.CutPrefix(said, "=")
	if !coded {
		return said, true
	}
	raw, err := base64.RawURLEncoding.DecodeString(code)
	return string(raw), err == nil
}
