// Package menus is about the menus of commands that chats have of their own, because their admins want games listed
// beside the first. A change is stored with the setting; a loop tells the platform.
package menus

import (
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// Menus are those that chats have of their own.
type Menus struct {
	*bot.Bot
	wake    loop.Waker
	edition string // a fingerprint of the program's commands, "" before the first look
}

// New returns the menus of the chats of a bot.
func New(b *bot.Bot) *Menus { return &Menus{Bot: b, wake: loop.NewWaker()} }

// listed is the name of the setting.
const listed = "games"

// Feature returns what menus add to the bot.
func (b *Menus) Feature() bot.Feature {
	s := bot.Setting{
		Name: listed, Label: "bot.settings.games", About: "bot.settings.games-about", How: "bot.settings.games-how",
		OwnMenu: true, Elsewhere: "bot.settings.games-elsewhere", Named: true, Several: true, Again: true,
		Reads: read, Refuses: refuse, Says: say, Changed: b.changed, Fault: fault,
		Unread: unread, Told: told,
	}
	all := b.OpeningsOf(b.Games)
	for _, o := range all[min(chat.MaxListed, len(all)):] {
		s.Offers = append(s.Offers, o.Command)
	}
	s.Offers = append(s.Offers, "none")
	return bot.Feature{
		Settings: []bot.Setting{s},
		Loops:    []bot.Loop{{Wake: b.wake, Waits: "command menus of chats cannot be written", Look: b.look}},
		Lost:     b.lose,
	}
}

// read reads the names of games with commas between them.
func read(b *bot.Bot, said string) (string, bool) {
	all, err := gamesOf(b, said)
	return strings.Join(all, ","), err == nil
}

// refuse says which name no game has.
func refuse(b *bot.Bot, said string) error {
	_, err := gamesOf(b, said)
	return err
}

// gamesOf are the names of games that somebody has written with commas between them.
func gamesOf(b *bot.Bot, said string) (all []string, err error) {
	if b.MeansNone(said) {
		return nil, nil
	}
	for part := range strings.SplitSeq(said, ",") {
		if part = strings.ToLower(strings.TrimSpace(part)); part == "" {
			continue
		}
		o, err := b.OpeningCalled(part)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, o.Name()) {
			all = append(all, o.Name())
		}
	}
	return all, nil
}

// say says which games a stored value names.
func say(b *bot.Bot, value string) games.Line {
	var all games.List
	for _, o := range named(b, value) {
		all = append(all, o.Label)
	}
	if len(all) == 0 {
		return games.Say("bot.settings.none", nil)
	}
	return games.Say("bot.text", games.Args{"Text": all})
}

// named are the games of a stored value, in the order in which they are served; those that are not are left out.
func named(b *bot.Bot, value string) (all []bot.Opening) {
	names := strings.Split(value, ",")
	for _, o := range b.OpeningsOf(b.Games) {
		if slices.Contains(names, o.Name()) {
			all = append(all, o)
		}
	}
	return all
}

// menuOf is the menu of a chat with a stored value.
func (b *Menus) menuOf(value string) chat.Menu {
	var commands []string
	for _, o := range named(b.Bot, value) {
		commands = append(commands, o.Command)
	}
	all := b.Commands()
	m, usual := chat.Menu{All: chat.Listed(all, commands...)}, chat.Listed(all)
	for _, c := range m.All {
		if !slices.ContainsFunc(usual, func(u chat.Command) bool { return u.Name == c.Name }) {
			m.More = append(m.More, c.Name)
		}
	}
	return m
}

// changed has the platform told of another menu, or of the same once more.
func (b *Menus) changed(v *bot.Visit, _, _ bot.Settings) error {
	m, err := v.Tx.Menu(v.Chat.ID)
	if err != nil {
		return err
	}
	m.Due, m.Tries, m.Fault, m.Told, m.Games = v.At, 0, "", false, unsure(m.Games)
	v.Wake(b.wake)
	return v.Tx.SaveMenu(m)
}

// unsure are the games of a menu of which it is not known any more that it lists them, and no others: the bot may have
// been away meanwhile.
func unsure(games string) string {
	switch {
	case games == "":
		return store.MenuUnsure
	case strings.HasPrefix(games, store.MenuUnsure):
		return games
	}
	return store.MenuUnsure + "," + games
}

// The faults of a menu, as they are stored.
const (
	refused   = "refused"   // the platform will not list it
	uninvited = "uninvited" // it will once the bot was invited anew
	later     = "later"     // too many commands were added within a day
	failed    = "failed"    // it was tried too often
)

// faults are the keys of what is said of faults.
var faults = map[string]string{
	refused:   "bot.menus.refused",
	uninvited: "bot.menus.uninvited",
	later:     "bot.menus.later",
	failed:    "bot.menus.failed",
}

// fault is why the menu of the chat is not as its admins want it, or false.
func fault(v *bot.Visit) (why games.Line, faulty bool, err error) {
	m, err := v.Tx.Menu(v.Chat.ID)
	if err != nil || m.Fault == "" {
		return why, false, err
	}
	set, err := v.Settings(v.Chat.ID)
	if set[listed] == "" { // what was added before stays, or will be asked to go later
		return games.Say("bot.menus.stay", nil), m.Fault != later, err
	}
	return games.Say(faults[m.Fault], nil), true, err
}

// unread reports whether no admin has read of the fault of the chat's menu.
func unread(v *bot.Visit) (bool, error) {
	m, err := v.Tx.Menu(v.Chat.ID)
	return m.Fault != "" && !m.Told, err
}

// told notes that an admin has read of it.
func told(v *bot.Visit) error {
	m, err := v.Tx.Menu(v.Chat.ID)
	if err != nil {
		return err
	}
	m.Told = true
	return v.Tx.SaveMenu(m)
}

// lose forgets which games the menu of a chat listed that the bot has left. The loop forgets the menu.
func (b *Menus) lose(tx *store.Tx, chat string) error {
	m, err := tx.Menu(chat)
	if err != nil || m == (store.Menu{Chat: chat}) {
		return err
	}
	m.Due, m.Tries = b.Now(), 0
	if err := tx.SaveMenu(m); err != nil {
		return err
	}
	return tx.SaveChatSetting(chat, listed, "")
}
