package bot

// The command that opens a table of any game, and the families that group many games. The first word names the game;
// the game's own command parses the rest.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
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
	Listed  games.Line // the name in lists, in some languages with a subtitle
}

// About returns the description of an opening, and false if the message files have none.
func (b *Bot) About(o Opening) (games.Line, bool) {
	key := o.wordKey("about")
	return games.Say(key, nil), b.Words.Has(key)
}

// wordKey returns the key of a sentence about the game or variant of o.
func (o Opening) wordKey(word string) string {
	if o.Variant != "" {
		return o.Game.Name() + ".variant." + o.Variant + "." + word
	}
	return o.Game.Name() + "." + word
}

// OpeningsOf returns an Opening for each game and for each of its variants with their own commands. Those that the
// sentence bot.play.first of a language names come first, in its order; the others follow in the order of gameList.
func (b *Bot) OpeningsOf(gameList []games.Game, lang string) []Opening {
	var openings []Opening
	for _, g := range gameList {
		listed := b.GameLabel(g)
		if key := g.Name() + ".listed"; b.Words.Has(key) {
			listed = games.Say(key, nil)
		}
		openings = append(openings, Opening{g, "", b.CommandOf(g), b.GameLabel(g), listed})
		for _, v := range g.Variants() {
			if v.Command {
				label := b.VariantLabel(g, v.Name)
				openings = append(openings, Opening{g, v.Name, cmp.Or(b.GameCommands[v.Name], v.Name), label, label})
			}
		}
	}
	first := strings.Fields(b.Words.Say(lang, games.Say("bot.play.first", nil), words.Context{}))
	slices.Reverse(first) // openings that it does not name come last
	rank := func(o Opening) int { return -slices.Index(first, cmp.Or(o.Variant, o.Game.Name())) }
	slices.SortStableFunc(openings, func(one, other Opening) int { return rank(one) - rank(other) })
	return openings
}

// FirstOpenings returns the openings that fit into a small menu in a language: all, or the first few of many games.
func (b *Bot) FirstOpenings(lang string) []Opening {
	all := b.OpeningsOf(b.Games, lang)
	if len(b.Games) > MaxFew {
		all = all[:chat.FirstGames]
	}
	return all
}

// GameChoices returns the openings of all games as choices whose values are the commands' names.
func (b *Bot) GameChoices() []Choice {
	var all []Choice
	for _, o := range b.OpeningsOf(b.Games, words.Default) {
		all = append(all, Choice{o.Command, o.Label})
	}
	return all
}

// OtherNames returns choices whose values are the names of games, and whose labels are words that people type instead:
// the game's command and the words of its sentence "called".
func (b *Bot) OtherNames() []Choice {
	var all []Choice
	for _, g := range b.Games {
		for _, name := range b.addAliases(g.Name(), []string{b.CommandOf(g)}, g.Name()+".called") {
			if name != g.Name() {
				all = append(all, Choice{g.Name(), games.Say("bot.text", games.Args{"Text": name})})
			}
		}
	}
	return all
}

// gameCalled returns the command of the game with this command or name, in any language.
func (b *Bot) gameCalled(name string) (command string, ok bool) {
	if command, ok = b.choiceCalled(name, b.GameChoices()); ok {
		return command, true
	}
	game, ok := b.ValueCalled(b.OtherNames(), strings.TrimPrefix(name, "/"))
	return cmp.Or(b.GameCommands[game], game), ok
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
	if command, ok := b.gameCalled(name); ok {
		gameCommand, err := b.Find(command)
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
		if _, ok := b.gameCalled(name); ok {
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
