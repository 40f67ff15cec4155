package bot

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// GameAliases returns the one-word names of g in all languages in lower case, except its command: "würfelpoker", and
// the words of its sentence "called".
func (b *Bot) GameAliases(g games.Game) []string {
	var aliases []string
	for _, said := range b.translations(b.GameLabel(g)) {
		called := strings.ToLower(said)
		if called != b.CommandOf(g) && !strings.Contains(called, " ") && !slices.Contains(aliases, called) {
			aliases = append(aliases, called)
		}
	}
	return b.addAliases(b.CommandOf(g), aliases, g.Name()+".called")
}

// VariantChoices returns the variants of a game as choices of a command's option.
func (b *Bot) VariantChoices(g games.Game) []Choice {
	var all []Choice
	for _, v := range g.Variants() {
		all = append(all, Choice{v.Name, b.VariantLabel(g, v.Name)})
	}
	return all
}

// AllVariants returns the variants of all games as choices, each name once, and the games too if there are several.
func (b *Bot) AllVariants() []Choice {
	var all []Choice
	for _, g := range b.Games {
		if len(b.Games) > 1 {
			all = append(all, Choice{g.Name(), b.GameLabel(g)})
		}
		for _, c := range b.VariantChoices(g) {
			if !slices.ContainsFunc(all, func(have Choice) bool { return have.Value == c.Value }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// ValueChoices returns the values of a game's option as choices of a command's option.
func ValueChoices(o games.Option) []Choice {
	var all []Choice
	for _, value := range o.Values {
		all = append(all, Choice{value, SayValue(o, value)})
	}
	return all
}

// Languages returns the bot's languages, the default first. Each has a short and a long description for the bot's
// profile on platforms, which name the first games.
func (b *Bot) Languages() []chat.Language {
	var all []chat.Language
	for _, code := range b.Words.Languages() {
		var played games.List
		for _, o := range b.FirstOpenings(code) {
			played = append(played, o.Label)
		}
		if len(b.Games) > MaxFew {
			played = append(played, games.Say("bot.play.and-others", nil))
		}
		profile := func(key string, most int) string { // cut to most characters
			return chat.Shorten(b.Words.Say(code, games.Say(key, games.Args{"Games": played}), words.Context{}), most)
		}
		l := b.Words.Language(code)
		all = append(all, chat.Language{Code: l.Code, Name: l.Name, Locales: l.Locales,
			Short: profile("bot.profile.short", 120), Long: profile("bot.profile.long", 512)})
	}
	return all
}

// LanguageLabel returns the name of a language in that language: "Deutsch".
func (b *Bot) LanguageLabel(code string) games.Line {
	return games.Say("bot.text", games.Args{"Text": b.Words.Language(code).Name})
}

// maxChoices is the largest number of choices in a menu.
const maxChoices = 25

// Commands returns all commands that are not hidden, with labels and descriptions in all languages.
func (b *Bot) Commands() []chat.Command {
	var all []chat.Command
	for _, c := range b.AllCommands {
		if c.Hidden {
			continue
		}
		described := b.describeCommand(c, b.AboutCommand(c), "bot.called."+c.Name, 0)
		described.Aliases, described.Admins = slices.Clone(c.Aliases), c.Admins
		if c.Game != nil {
			b.describeOpening(&described)
			described.Stakeless = !c.Game.Shape(nil).Staked()
		}
		for _, page := range b.AllCommands {
			if page.PageOf == c.Name {
				described.Aliases = append(append(described.Aliases, page.Name), page.Aliases...)
			}
		}
		for _, r := range c.Rows() {
			described.Rows = append(described.Rows, b.describeCommand(r, r.About, r.Word, r.Needs))
		}
		all = append(all, described)
	}
	return all
}

// describeOpening adds to the command of an opening the cards and names of its game by language.
func (b *Bot) describeOpening(c *chat.Command) {
	c.Opens, c.Called = map[string]chat.Card{}, map[string]string{}
	for _, lang := range b.Words.Languages() {
		for place, o := range b.OpeningsOf(b.Games, lang) {
			if o.Command != c.Name {
				continue
			}
			c.Opens[lang] = b.cardOf(o, lang, place)
			called := strings.ToLower(b.Words.Say(lang, o.Label, words.Context{}))
			if lang != words.Default && !strings.Contains(called, " ") {
				c.Called[lang] = called
			}
		}
	}
}

// describeCommand returns c with the description about, for the menus of platforms. namesKey is the key of its names;
// required is how many of its first options are required.
func (b *Bot) describeCommand(c Command, about games.Line, namesKey string, required int) chat.Command {
	described := chat.Command{Name: c.Name, About: b.byLanguage(about), Hosted: b.byLanguageOf(c.Hosted),
		Equals: b.byLanguageOf(c.Equals), Called: b.firstWords(namesKey), OnPerson: b.byLanguageOf(c.OnPerson),
		OnBoard: b.byLanguageOf(c.OnBoard)}
	for i, o := range c.Options {
		if o.About.Key == "" {
			continue
		}
		d := chat.CommandOption{Name: o.Name, About: b.byLanguage(o.About), Type: o.Type, Min: o.Min, Max: o.Max,
			Called: b.optionNames(o), Required: i < required}
		for _, c := range o.Choices[:min(len(o.Choices), maxChoices)] {
			d.Choices = append(d.Choices, chat.CommandChoice{Value: c.Value, Label: b.byLanguage(c.Label)})
		}
		listed := o.Type == chat.TypeChoice && len(o.Choices) > 0 && len(o.Choices) <= maxChoices
		d.Completes = !listed && (len(o.Choices) > 0 || o.More != nil || len(c.Rows()) > 0 ||
			c.AnyGame && o.Name == OptionMore)
		described.Options = append(described.Options, d)
	}
	return described
}

// byLanguageOf returns the sentence of key by language, or nil if key is "".
func (b *Bot) byLanguageOf(key string) map[string]string {
	if key == "" {
		return nil
	}
	return b.byLanguage(games.Say(key, nil))
}

// addAliases returns aliases and the words of key in all languages ("hilfe"), each once, without the word name.
func (b *Bot) addAliases(name string, aliases []string, key string) []string {
	if !b.Words.Has(key) {
		return aliases
	}
	for _, word := range b.WordsFor(key) {
		if word != name && !slices.Contains(aliases, word) {
			aliases = append(aliases, word)
		}
	}
	return aliases
}

// Find returns the command, even a hidden one, with this name or alias. A refusal suggests the nearest name.
func (b *Bot) Find(name string) (Command, error) {
	for _, c := range b.AllCommands {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c, nil
		}
	}
	var names []string
	for _, c := range b.AllCommands {
		if !c.Hidden {
			names = append(append(names, c.Name), c.Aliases...)
		}
	}
	instead := games.Say("bot.instead.commands", nil)
	if near := games.Nearest(name, names); near != "" {
		instead = games.Say("bot.instead.command", games.Args{"Near": near})
	}
	return Command{}, games.Refuse("bot.no-such-command",
		games.Args{"Name": chat.Repeated(name, 16), "Instead": instead})
}

// runCommand runs the command with this name or alias: options holds values by option name, text is the rest as typed.
// It may add news to the answer. The error may be a refusal.
func (v *Visit) runCommand(name string, options map[string]string, text string) error {
	c, err := v.bot.Find(strings.ToLower(name))
	if err != nil {
		return err
	}
	v.Reply.Stays = slices.Contains(lasting, c.Name)
	if c.AnyGame {
		if c, options, text, err = v.bot.findGame(c, options, text); err != nil {
			return err
		}
	}
	c.Options = slices.Clone(c.Options)
	for i := range c.Options { // add the values that depend on this chat
		o := &c.Options[i]
		if o.More != nil && (o.Type == chat.TypeChoice || o.Type == chat.TypeGame) {
			if err := o.offerMore(v); err != nil {
				return err
			}
		}
	}
	resolved, given, err := v.bot.Read(c, chat.Event{Row: v.Event.Row, Options: options, Text: text, Locale: v.Lang,
		Mentions: v.Event.Mentions, Press: v.Event.Press})
	if u, asks := errors.AsType[*ambiguousAmount](err); asks {
		return v.askAmount(c, u)
	}
	if c = resolved; err != nil {
		return err
	}
	if err := v.runHooks(func(f Feature) Hook { return f.Before }); err != nil {
		return err
	}
	if err := c.Run(v, given); err != nil {
		return err
	}
	if v.Chat.News < edition {
		return v.tellNews()
	}
	return nil
}

// offerMore adds to the option the values that depend on the chat of v.
func (o *Option) offerMore(v *Visit) error {
	more, err := o.More(v)
	o.Also = append(slices.Clip(o.Also), more...)
	return err
}

// ReadGame reads text as a person types it behind /play. It returns the command of the named game with its options; the
// command has no Game if text names none.
func ReadGame(v *Visit, text string) (Command, Args, error) {
	play, err := v.bot.Find("play")
	if err != nil {
		return play, nil, err
	}
	c, options, text, err := v.bot.findGame(play, nil, text)
	c.Options = slices.Clone(c.Options)
	for i := range c.Options {
		if o := &c.Options[i]; err == nil && o.More != nil {
			err = o.offerMore(v)
		}
	}
	if err != nil {
		return c, nil, err
	}
	return v.bot.Read(c, chat.Event{Options: options, Text: text, Locale: v.Lang, Mentions: v.Event.Mentions})
}

// askAmount answers with a button for each meaning of an ambiguous amount such as "1 000": the whole number, or its
// first digits alone. It returns u.Refusal if a button cannot hold the command.
func (v *Visit) askAmount(c Command, u *ambiguousAmount) error {
	first := u.input[:strings.IndexFunc(u.input, func(r rune) bool { return r < '0' || r > '9' })]
	var row []chat.Button
	for i, amount := range []string{u.number, first} {
		label := v.Number(games.Number(amount))
		if u.behind[0] != u.behind[1] {
			label += ": " + chat.OneLine(u.behind[i], chat.MaxName)
		}
		text := strings.TrimSpace(u.before + amount + " " + u.behind[i])
		b := v.Button(games.Say("bot.text", games.Args{"Text": label}), "/"+c.Name+" "+escaped(text), games.Plain)
		if _, fits := chat.ParsePress(b.Press); !fits || len(v.Event.Mentions) > 0 {
			return u.Refusal
		}
		b.For = v.Event.User
		row = append(row, b)
	}
	v.Reply.Stays = false
	v.Private(games.Say("bot.amount.which", nil)).Row(row...)
	return nil
}

// escaped returns text in ASCII, as short as possible, for a button's data; url.PathUnescape reverses it.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// lasting holds the commands whose answer stays when the bot answers the same person again: the group reads it later.
var lasting = []string{"leaderboard", "lb", "season", "settle", "stats", "review", "recap"}

// AboutCommand returns the general description of a command or subcommand, which is the same in all chats.
func (b *Bot) AboutCommand(c Command) games.Line {
	if c.About.Key != "" {
		return c.About
	}
	return games.Say("bot.command."+c.Name, nil)
}

// AboutCommand returns the description of a command or subcommand in the event's chat: its Hosted or Equals text if the
// chat has a host or if all its people may change it, else the general one.
func (v *Visit) AboutCommand(c Command) games.Line {
	switch {
	case v.Event.Hosted && c.Hosted != "":
		return games.Say(c.Hosted, nil)
	case v.Event.Equals && c.Equals != "":
		return games.Say(c.Equals, nil)
	}
	return v.bot.AboutCommand(c)
}

// Subjects of commands. Each is a page of /help, and no command has its name.
const (
	ToPlay  = "playing" // tables and moves
	ToTrust = "dice"    // rules, dice, reviews of games
	ToCount = "books"   // results and debts
	OfChat  = "chat"    // settings of the chat
	OfSelf  = "oneself" // a person's own choices
)

// Subjects are the subjects of commands, in the order of /help.
var Subjects = [...]string{ToPlay, ToTrust, ToCount, OfChat, OfSelf}
