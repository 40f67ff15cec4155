package table

import (
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The command /house: house rules of a chat, listed, explained, kept and dropped.

// The words that /house can begin with: keys of what people call them.
const (
	verbSave = "bot.house-rules.verb.save"
	verbDrop = "bot.house-rules.verb.drop"
)

// houseVerb finds the key of the verb that a word is in any language; "": of none.
func (b *Tables) houseVerb(word string) string {
	for _, key := range [...]string{verbSave, verbDrop} {
		if slices.Contains(b.WordsFor(key), strings.ToLower(word)) {
			return key
		}
	}
	return ""
}

// houseCommand lists the house rules of the chat, explains one of them, or does
// what its first word says.
func (v *Visit) houseCommand(w bot.Args) error {
	verb, name, _ := strings.Cut(chat.Shorten(strings.TrimSpace(w["what"]), bot.MaxText), " ")
	if verb == "" {
		return v.listHouse()
	}
	switch v.bot.houseVerb(verb) {
	case verbSave:
		return v.saveHouse(strings.TrimSpace(name))
	case verbDrop:
		return v.dropHouse(strings.TrimSpace(name))
	}
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	found := namedRules(kept, verb)
	if len(found) > 0 && name == "" {
		return v.explainHouse(found[0])
	}
	known := slices.Concat(v.bot.WordsFor(verbSave), v.bot.WordsFor(verbDrop))
	for _, h := range kept {
		known = append(known, h.Name)
	}
	return bot.NearestWord(verb, known, games.Say("bot.house-rules.how", nil))
}

// listHouse lists what is kept, with what each changes.
func (v *Visit) listHouse() error {
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		v.Private(games.Say("bot.house-rules.none", nil))
		return nil
	}
	m := v.Private(games.Say("bot.house-rules.head", nil))
	var open []chat.Button
	for _, h := range kept {
		g, err := v.bot.Game(h.Game)
		if err != nil {
			continue // it is not installed any more
		}
		m.Lines = append(m.Lines, v.Say(v.bot.houseLine(g, h)))
		label := games.Say("bot.button.open", games.Args{"Game": chat.Isolate(h.Name)})
		open = append(open, v.Button(label, fmt.Sprintf("/%s house=%d", h.Game, h.ID), games.Plain))
	}
	m.Rows(chat.MenuRow, open[:min(len(open), board.MaxOpened)]...)
	return nil
}

// explainHouse puts house rules into sentences.
func (v *Visit) explainHouse(h store.HouseRules) error {
	if err := v.explain(h.Game, h.Rules); err != nil {
		return err
	}
	g, err := v.bot.Game(h.Game)
	if err != nil {
		return err
	}
	v.Reply.Private.Head = v.Say(v.bot.houseLine(g, h))
	return nil
}

// houseLine says in short what house rules are.
func (b *Tables) houseLine(g games.Game, h store.HouseRules) games.Line {
	return games.Say("bot.house-rules.line", games.Args{"Game": b.GameLabel(g), "Name": board.VersionLabel(h), "Rules": b.RulesLabel(g, h.Rules)})
}

// saveHouse keeps the rules of the table here under a name. Where the chat has
// some of that name, these are their next version.
func (v *Visit) saveHouse(called string) error {
	if called == "" {
		return games.Refuse("bot.house-rules.how", nil)
	}
	t, err := v.Here()
	if err != nil {
		return err
	}
	if err := v.AdminsOnly("bot.house-rules.admins"); err != nil {
		return err
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	kept, err := v.KeptRules(t.Game)
	if err != nil {
		return err
	}
	name, err := v.bot.houseName(g, called)
	if err != nil {
		return err
	}
	switch before := namedRules(kept, name); {
	case len(before) > 0:
		name = before[0].Name // as it was first written
	case len(kept) >= maxHouseRules:
		return games.Refuse("bot.house-rules.too-many", games.Args{"Most": maxHouseRules})
	}
	h := store.HouseRules{Chat: v.Chat.ID, Game: t.Game, Name: name, Rules: t.Rules, Version: games.VersionOf(t.Game, t.Rules)}
	if h.ID, err = v.Tx.KeepHouseRules(h); err != nil {
		return err
	}
	v.Toast("bot.house-rules.saved", games.Args{"Name": board.VersionLabel(h), "Command": v.bot.Sign(v.Event.Place) + t.Game + " " + name})
	if t.State != store.Lobby && t.State != store.Playing {
		return nil // its record stays what it was
	}
	t.HouseRules = h.ID
	return v.Redraw(&t)
}

// dropHouse keeps house rules no longer: those of the game of the table here,
// where several games have some of that name.
func (v *Visit) dropHouse(called string) error {
	if called == "" {
		return games.Refuse("bot.house-rules.how", nil)
	}
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	name := strings.Join(strings.Fields(chat.CleanName(called)), "-")
	found := namedRules(kept, name)
	if len(found) == 0 {
		return noSuchRules(name, kept)
	}
	if err := v.AdminsOnly("bot.house-rules.admins"); err != nil {
		return err
	}
	drop := found[0]
	if t, err := v.Here(); err == nil {
		if i := slices.IndexFunc(found, func(h store.HouseRules) bool { return h.Game == t.Game }); i >= 0 {
			drop = found[i]
		}
	} else if _, none := games.Refused(err); !none {
		return err
	}
	v.Toast("bot.house-rules.dropped", games.Args{"Name": board.VersionLabel(drop)})
	return v.Tx.DropHouseRules(drop.ID)
}

// houseWords are what /house can be asked for.
func (v *Visit) houseWords() ([]bot.Choice, error) {
	kept, err := v.KeptRules("")
	var all []bot.Choice
	for _, h := range kept {
		all = append(all, bot.TextChoice(h.Name))
	}
	for _, h := range kept {
		all = append(all, bot.TextChoice("drop "+h.Name))
	}
	return all, err
}
