package bot

// The command that opens a table of any game, and the families that group many games. The first word names the game;
// the game's own command parses the rest.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// The options of the command that opens a table of any game (/play).
const (
	OptionGame = "game"    // the game, or a family of games
	OptionMore = "options" // text for the game's own command
)

// MaxFew is the largest number of games that menus show with a button each; if there are more, they show families
// first.
const MaxFew = 5

// Family is a group of similar games.
type Family struct {
	Name  string
	Label games.Line
	Games []games.Game
}

// Families returns the families in the order of their first games. Games without a family form the last one.
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

// Opening is a game, or a variant with its own command, together with that command.
type Opening struct {
	Game    games.Game
	Variant string // "" for the game itself
	Command string
	Label   games.Line
}

// About returns the description of an opening, and false if the message files have none.
func (b *Bot) About(o Opening) (games.Line, bool) {
	key := o.Game.Name() + ".about"
	if o.Variant != "" {
		key = o.Game.Name() + ".variant." + o.Variant + ".about"
	}
	return games.Say(key, nil), b.Words.Has(key)
}

// OpeningsOf returns an Opening for each game, each followed by those of its variants with their own commands.
func (b *Bot) OpeningsOf(gameList []games.Game) []Opening {
	var openings []Opening
	for _, g := range gameList {
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

// GameChoices returns the openings of all games as choices whose values are the commands' names.
func (b *Bot) GameChoices() []Choice {
	var all []Choice
	for _, o := range b.OpeningsOf(b.Games) {
		all = append(all, Choice{o.Command, o.Label})
	}
	return all
}

// RenamedGames returns the games whose command has another name: as value the game's name, as label the command's.
func (b *Bot) RenamedGames() []Choice {
	var all []Choice
	for _, g := range b.Games {
		if command := b.CommandOf(g); command != g.Name() {
			all = append(all, Choice{g.Name(), games.Say("bot.text", games.Args{"Text": command})})
		}
	}
	return all
}

// noFamily is the name of the family of games without a family.
const noFamily = "others"

// FamilyNamed returns the family with a name, and false if there is none.
func (b *Bot) FamilyNamed(name string) (Family, bool) {
	all := b.Families()
	i := slices.IndexFunc(all, func(f Family) bool { return f.Name == name })
	if i < 0 {
		return Family{}, false
	}
	return all[i], true
}

// findGame returns the command of the game that options or text name, with the remaining options and text. If they
// name a family, it returns c with the family as its option; if they name nothing, only c. It refuses other names.
func (b *Bot) findGame(c Command, options map[string]string, text string) (Command, map[string]string, string, error) {
	options = maps.Clone(options)
	text += " " + options[OptionMore]
	name, named := options[OptionGame]
	delete(options, OptionMore)
	delete(options, OptionGame)
	parts := b.stripOptionNames(c, wordsOf(text))
	if !named {
		name, parts = b.splitGame(parts)
	}
	if strings.TrimSpace(name) == "" {
		return c, nil, "", nil
	}
	if game, ok := b.choiceCalled(name, b.GameChoices()); ok {
		gameCommand, err := b.Find(game)
		return gameCommand, options, strings.Join(parts, " "), err
	}
	var families []Choice
	for _, f := range b.Families() {
		families = append(families, Choice{f.Name, f.Label})
	}
	if family, ok := b.choiceCalled(name, families); ok {
		return c, map[string]string{OptionGame: family}, "", nil
	}
	return c, nil, "", b.noSuchGame(name)
}

// stripOptionNames removes the option names of c from words such as "options=VALUE" and, in the first word,
// "game=VALUE". It keeps other names, which may belong to the game's own command. It changes typed and returns it.
func (b *Bot) stripOptionNames(c Command, typed []string) []string {
	for i, part := range typed {
		name, value, named := strings.Cut(part, "=")
		if !named {
			continue
		}
		if at := b.OptionOf(c, name); at >= 0 && (c.Options[at].Name == OptionMore ||
			c.Options[at].Name == OptionGame && i == 0) {
			typed[i] = value
		}
	}
	return typed
}

// maxGameWords is the largest number of words in the name of a game.
const maxGameWords = 4

// splitGame splits words into the name of a game at their beginning and the rest. If they begin with no known name,
// game is the first word, "" if there is none.
func (b *Bot) splitGame(typed []string) (game string, rest []string) {
	for n := min(len(typed), maxGameWords); n > 1; n-- {
		name := strings.Join(typed[:n], " ")
		if _, ok := b.choiceCalled(name, b.GameChoices()); ok {
			return name, typed[n:]
		}
	}
	if len(typed) == 0 {
		return "", nil
	}
	return typed[0], typed[1:]
}

// choiceCalled returns the value of the choice with this value or label, in any language; a slash before it is ignored.
func (b *Bot) choiceCalled(name string, choices []Choice) (value string, ok bool) {
	name = hyphenated(strings.TrimPrefix(name, "/"))
	if slices.Contains(valuesOf(choices), name) {
		return name, true
	}
	return b.ValueCalled(choices, name)
}

// noSuchGame returns the refusal of an unknown game's name, which suggests the nearest.
func (b *Bot) noSuchGame(name string) error {
	all := b.GameChoices()
	instead := games.Instead(name, valuesOf(all))
	if near := b.nearestValue(name, all); near != "" {
		instead = games.Say("games.instead.near", games.Args{"Near": near})
	}
	return games.Refuse("bot.play.no-such-game", games.Args{"Name": chat.Repeated(name, chat.MaxName),
		"Instead": instead})
}
