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

// The verbs of /house: keys of their names in all languages.
const (
	verbSave = "bot.house-rules.verb.save"
	verbDrop = "bot.house-rules.verb.drop"
)

// houseCommand lists the house rules of the chat, or explains one of them.
func (v *Visit) houseCommand(w bot.Args) error {
	if said := w.Text("what"); said != "" {
		return v.findHouse(said)
	}
	return v.listHouse()
}

// showHouse explains house rules by their name.
func (v *Visit) showHouse(w bot.Args) error { return v.findHouse(w.Text("name")) }

// findHouse explains what people ask for.
func (v *Visit) findHouse(said string) error {
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	if found := namedRules(kept, said); len(found) > 0 {
		all, err := v.HouseRules()
		if err != nil {
			return err
		}
		return v.explainHouse(found[0], board.VersionLabel(all, found[0]))
	}
	known := slices.Concat(v.bot.WordsFor(verbSave), v.bot.WordsFor(verbDrop))
	for _, h := range kept {
		known = append(known, h.Name)
	}
	word, _, _ := strings.Cut(said, " ")
	return bot.NearestWord(word, known, games.Say("bot.house-rules.how", nil))
}

// listHouse lists what is kept, with what each changes.
func (v *Visit) listHouse() error {
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		v.Private(games.Say(v.OrEquals("bot.house-rules.none", "bot.house-rules.none-hosted",
			"bot.house-rules.none-equals"), nil))
		return nil
	}
	all, err := v.HouseRules()
	if err != nil {
		return err
	}
	m := v.Private(games.Say(v.OrEquals("bot.house-rules.head", "bot.house-rules.head-hosted",
		"bot.house-rules.head-equals"), nil))
	var open []chat.Button
	for _, h := range kept {
		g, err := v.bot.Game(h.Game)
		if err != nil {
			continue // it is not installed any more
		}
		m.Lines = append(m.Lines, v.Say(v.bot.houseLine(g, h, board.VersionLabel(all, h))))
		label := games.Say("bot.button.open", games.Args{"Game": chat.Isolate(h.Name)})
		open = append(open, v.Button(label, fmt.Sprintf("/%s house=%d", v.bot.CommandOf(g), h.ID), games.Plain))
	}
	m.Rows(chat.MenuRow, open[:min(len(open), board.MaxOpened)]...)
	return nil
}

// explainHouse puts house rules, so called, into sentences.
func (v *Visit) explainHouse(h store.HouseRules, called games.Line) error {
	if err := v.explain(h.Game, h.Rules); err != nil {
		return err
	}
	g, err := v.bot.Game(h.Game)
	if err != nil {
		return err
	}
	v.Reply.Private.Head = v.Say(v.bot.houseLine(g, h, called))
	return nil
}

// houseLine says in short what house rules, so called, are.
func (b *Tables) houseLine(g games.Game, h store.HouseRules, called games.Line) games.Line {
	return games.Say("bot.house-rules.line", games.Args{"Game": b.GameLabel(g), "Name": called,
		"Rules": b.RulesLabel(g, h.Rules)})
}

// saveHouse keeps the rules of the table here under a name. Where the chat has
// some of that name, these are their next version.
func (v *Visit) saveHouse(w bot.Args) error {
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
	name, err := v.bot.houseName(g, w.Text("name"))
	if err != nil {
		return err
	}
	switch before := namedRules(kept, name); {
	case len(before) > 0:
		name = before[0].Name // as it was first written
	case len(kept) >= maxHouseRules:
		return games.Refuse("bot.house-rules.too-many", games.Args{"Most": maxHouseRules})
	}
	h := store.HouseRules{Chat: v.Chat.ID, Game: t.Game, Name: name, Rules: t.Rules,
		Version: games.VersionOf(t.Game, t.Rules)}
	if h.ID, err = v.Tx.Chats.KeepHouseRules(h); err != nil {
		return err
	}
	saved := games.Args{"Name": chat.Isolate(h.Name), "Table": t.ID, "Game": v.bot.CommandOf(g), "House": name}
	v.Receipt("bot.house-rules.saved", saved)
	v.Tell(games.Say("bot.house-rules.saved", saved))
	if t.State != store.Lobby && t.State != store.Playing {
		return nil // its record stays what it was
	}
	t.HouseRules = h.ID
	return v.Redraw(&t)
}

// dropHouse drops house rules: if several games have some of that name, those of the game of the table here.
func (v *Visit) dropHouse(w bot.Args) error {
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	name := strings.Join(strings.Fields(chat.CleanName(w.Text("name"))), "-")
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
	dropped := games.Args{"Name": chat.Isolate(drop.Name)}
	v.Receipt("bot.house-rules.dropped", dropped)
	v.Tell(games.Say("bot.house-rules.dropped", dropped))
	return v.Tx.Chats.DropHouseRules(drop.ID)
}
