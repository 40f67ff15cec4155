package bot

// The command that opens a table of any game: its first word names the game, and whatever else is given is read as the
// game's own command reads it. And the families by which games are shown where there are many.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// The options of the command that opens a table of any game.
const (
	OptionGame = "game"    // the game, or a family of games
	OptionMore = "options" // text after the game's own command
)

// MaxFew is the largest number of games that have a button each where tables are opened. Of more, families come first.
const MaxFew = 5

// Family is some games of a kind.
type Family struct {
	Name  string
	Label games.Line
	Games []games.Game
}

// Families returns the games by family, in their order; those of no family come last.
func (b *Bot) Families() []Family {
	var all []Family
	others := Family{Name: noFamily, Label: games.Say("bot.play.others", nil)}
	for _, g := range b.Games {
		name := games.FamilyOf(g)
		i := slices.IndexFunc(all, func(f Family) bool { return f.Name == name })
		switch {
		case name == "":
			others.Games = append(others.Games, g)
		case i < 0:
			all = append(all, Family{name, b.lineOr(g.Name()+".family", name), []games.Game{g}})
		default:
			all[i].Games = append(all[i].Games, g)
		}
	}
	if len(others.Games) > 0 {
		all = append(all, others)
	}
	return all
}

// CommandOf returns the name of the command that opens a table of a game.
func (b *Bot) CommandOf(g games.Game) string { return cmp.Or(b.GameCommands[g.Name()], g.Name()) }

// Opening is a game, or a variant with a command of its own, that a command opens.
type Opening struct {
	Game    games.Game
	Variant string // "" for the game itself
	Command string
	Label   games.Line
}

// About returns a sentence about an opening, and false if there is none.
func (b *Bot) About(o Opening) (games.Line, bool) {
	key := o.Game.Name() + ".about"
	if o.Variant != "" {
		key = o.Game.Name() + ".variant." + o.Variant + ".about"
	}
	return games.Say(key, nil), b.Words.Has(key)
}

// OpeningsOf returns games, each with those of its variants that have commands of their own.
func (b *Bot) OpeningsOf(all []games.Game) []Opening {
	var openings []Opening
	for _, g := range all {
		openings = append(openings, Opening{Game: g, Command: b.CommandOf(g), Label: b.GameLabel(g)})
		for _, v := range g.Variants() {
			if v.Command {
				openings = append(openings, Opening{g, v.Name, cmp.Or(b.GameCommands[v.Name], v.Name),
					b.VariantLabel(g, v.Name)})
			}
		}
	}
	return openings
}

// GameChoices returns all that tables are opened of, by the names of the commands.
func (b *Bot) GameChoices() []Choice {
	var all []Choice
	for _, o := range b.OpeningsOf(b.Games) {
		all = append(all, Choice{o.Command, o.Label})
	}
	return all
}

// RenamedGames returns the games that have commands of other names than theirs, called by these.
func (b *Bot) RenamedGames() []Choice {
	var all []Choice
	for _, g := range b.Games {
		if command := b.CommandOf(g); command != g.Name() {
			all = append(all, Choice{g.Name(), games.Say("bot.text", games.Args{"Text": command})})
		}
	}
	return all
}

// noFamily names the games of no family.
const noFamily = "others"

// FamilyNamed finds a family by its command's word.
func (b *Bot) FamilyNamed(name string) (Family, bool) {
	all := b.Families()
	i := slices.IndexFunc(all, func(f Family) bool { return f.Name == name })
	if i < 0 {
		return Family{}, false
	}
	return all[i], true
}

// ofGame returns the command of the game named in the general command, and its arguments. Without a game it is the same
// command with the named family, or nothing.
func (b *Bot) ofGame(c Command, options map[string]string, text string) (Command, map[string]string, string, error) {
	options = maps.Clone(options)
	text += " " + options[OptionMore]
	said, named := options[OptionGame]
	delete(options, OptionMore)
	delete(options, OptionGame)
	parts := b.unnamed(c, wordsOf(text))
	if !named {
		said, parts = b.gameFirst(parts)
	}
	if strings.TrimSpace(said) == "" {
		return c, nil, "", nil
	}
	if game, ok := b.oneCalled(said, b.GameChoices()); ok {
		own, err := b.Find(game)
		return own, options, strings.Join(parts, " "), err
	}
	var families []Choice
	for _, f := range b.Families() {
		families = append(families, Choice{f.Name, f.Label})
	}
	if family, ok := b.oneCalled(said, families); ok {
		return c, map[string]string{OptionGame: family}, "", nil
	}
	return c, nil, "", b.noSuchGame(said)
}

// unnamed takes the names off words that are given to the command of any game by its options' names, but for those
// that the game's own command has as well.
func (b *Bot) unnamed(c Command, parts []string) []string {
	for i, part := range parts {
		name, value, named := strings.Cut(part, "=")
		if !named {
			continue
		}
		if at := b.OptionOf(c, name); at >= 0 && (c.Options[at].Name == OptionMore ||
			c.Options[at].Name == OptionGame && i == 0) {
			parts[i] = value
		}
	}
	return parts
}

// maxGameWords is how many words the name of a game may have, behind a command.
const maxGameWords = 4

// gameFirst parts words into the name of a game, or else the first of them, and the rest.
func (b *Bot) gameFirst(parts []string) (game string, rest []string) {
	for n := min(len(parts), maxGameWords); n > 1; n-- {
		name := strings.Join(parts[:n], " ")
		if _, ok := b.oneCalled(name, b.GameChoices()); ok {
			return name, parts[n:]
		}
	}
	if len(parts) == 0 {
		return "", nil
	}
	return parts[0], parts[1:]
}

// oneCalled finds the value of a choice by itself or by its name in any language.
func (b *Bot) oneCalled(said string, all []Choice) (value string, ok bool) {
	said = hyphenated(strings.TrimPrefix(said, "/"))
	if slices.Contains(valuesOf(all), said) {
		return said, true
	}
	return b.ValueCalled(all, said)
}

// noSuchGame refuses an unknown name of a game, and suggests the nearest.
func (b *Bot) noSuchGame(said string) error {
	all := b.GameChoices()
	instead := games.Instead(said, valuesOf(all))
	if near := b.nearest(said, all); near != "" {
		instead = games.Say("games.instead.near", games.Args{"Near": near})
	}
	return games.Refuse("bot.play.no-such-game", games.Args{"Name": chat.Repeated(said, chat.MaxName),
		"Instead": instead})
}
