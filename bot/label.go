package bot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// The bot looks up these keys among a game's sentences, each with the game's name and a point before it:
//
//	name, about                 its name; one line about it
//	called                      optional: words that people may type instead of its name, separated by spaces
//	listed                      optional: its name in lists, with a subtitle in brackets if people may not know it
//	variant.V.name, .about      of variant V
//	option.O.name, .about       of option O
//	variant.V.option.O.name     of option O at a table that is named after variant V, if it differs; likewise .about
//	house.H                     of the computer player's strategy H
//
// Where a key is missing, the name in the code is shown.

// lineOr returns the sentence of a key, or text unchanged if there is no such key.
func (b *Bot) lineOr(key, text string) games.Line {
	if b.Words.Has(key) {
		return games.Say(key, nil)
	}
	return games.Say("bot.text", games.Args{"Text": text})
}

// GameLabel returns the name of a game for people.
func (b *Bot) GameLabel(g games.Game) games.Line { return b.lineOr(g.Name()+".name", g.Name()) }

// TableLabel returns the name of a table's game: that of a variant with its own command, or else that of the game.
func (b *Bot) TableLabel(g games.Game, rules games.Rules) games.Line {
	if name := games.CalledOf(g, rules); name != "" {
		return b.VariantLabel(g, name)
	}
	return b.GameLabel(g)
}

// VariantLabel returns the name of a game's variant for people.
func (b *Bot) VariantLabel(g games.Game, name string) games.Line {
	return b.lineOr(g.Name()+".variant."+name+".name", name)
}

// OptionLabel returns the name of an option for people at a table of a variant, "" for a table of the game.
func (b *Bot) OptionLabel(g games.Game, variant string, o games.Option) games.Line {
	return b.lineOr(optionKey(g, variant, o)+".name", o.Name)
}

// AboutOption returns the description of an option, or its name if there is none. variant is that of OptionLabel.
func (b *Bot) AboutOption(g games.Game, variant string, o games.Option) games.Line {
	if key := optionKey(g, variant, o) + ".about"; b.Words.Has(key) {
		return games.Say(key, nil)
	}
	return b.OptionLabel(g, variant, o)
}

// optionKey returns the key of an option's sentences for a variant or, if variant is "", for the game.
func optionKey(g games.Game, variant string, o games.Option) string {
	if variant != "" {
		return g.Name() + ".variant." + variant + ".option." + o.Name
	}
	return g.Name() + ".option." + o.Name
}

// HouseLabel returns the name of a strategy of the computer player (house) for people.
func (b *Bot) HouseLabel(game, strategy string) games.Line {
	return b.lineOr(game+".house."+strategy, strategy)
}

// SayValue returns the name of an option's value for people.
func SayValue(o games.Option, value string) games.Line {
	if o.Say == nil {
		return games.Say("bot.text", games.Args{"Text": value})
	}
	return o.Say(value)
}

// Amount returns an amount with its unit: "1 chip", "10 chips", "3 coffees".
func Amount(unit string, n int64) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say("bot.chips", games.Args{"N": int(n)})
	}
	return games.Say("bot.units", games.Args{"Amount": int(n), "Unit": chat.Isolate(unit)})
}

// RulesLabel returns a short line for a table's rules: the name of their variant, if there is one, and the options that
// this variant leaves open.
func (b *Bot) RulesLabel(g games.Game, rules games.Rules) games.Line {
	var list games.List
	pool := false
	called := games.CalledOf(g, rules)
	variantName := cmp.Or(games.VariantOf(g, rules), called)
	if name := cmp.Or(variantName, rules["variant"]); name != "" {
		list = append(list, b.VariantLabel(g, name))
	}
	variant, _ := games.VariantNamed(g, variantName)
	neutral := append([]string{games.Settle, games.Point}, variant.Whatever...) // options that do not affect the name
	for _, o := range g.Options() {
		value, set := rules[o.Name]
		switch {
		case set && o.Name == games.Hints:
			list = append(list, HintsLabel(value))
		case set && o.Name == games.Settle && value == string(games.ShapePool):
			pool = true
		case set && (variantName == "" || variant.Rules[o.Name] == "" && slices.Contains(neutral, o.Name)):
			list = append(list, games.Say("bot.option-value",
				games.Args{"Option": b.OptionLabel(g, called, o), "Value": SayValue(o, value)}))
		}
	}
	if pool {
		list = append(list, games.Say("bot.rules-pool", nil))
	}
	return RulesList(list)
}

// FullLabel returns the sentence of key with the arguments Game and Rules. For a variant with its own command it
// returns the rules alone, which begin with the variant's name.
func (b *Bot) FullLabel(key string, g games.Game, rules games.Rules) games.Line {
	label := b.RulesLabel(g, rules)
	if games.CalledOf(g, rules) != "" {
		return label // it begins with the variant's name
	}
	return games.Say(key, games.Args{"Game": b.GameLabel(g), "Rules": label})
}

// RulesList returns a line that lists rules, with commas. It overwrites list.
func RulesList(list games.List) games.Line {
	for ; len(list) > 1; list = list[1:] {
		list[1] = games.Say("bot.rules-list", games.Args{"Rules": list[0], "More": list[1]})
	}
	return games.Say("bot.these", games.Args{"These": list})
}

// NamesAt returns the names of a table's seats in a language, in seat order. A number distinguishes similar names.
func (b *Bot) NamesAt(t store.Table, lang string) []string {
	computers, number := 0, 0
	for _, s := range t.Seats {
		if s.House != "" {
			computers++
		}
	}
	var taken chat.TakenNames
	names := make([]string, len(t.Seats))
	for i, s := range t.Seats {
		name := ""
		switch {
		case s.House == "":
			name = b.ShownName(s.Name, lang)
		case computers == 1:
			name = b.Words.Say(lang, games.Say("bot.house", nil), words.Context{})
		default:
			number++
			name = b.Words.Say(lang, games.Say("bot.house-number", games.Args{"Number": number}), words.Context{})
		}
		names[i] = taken.Unlike(name)
	}
	return names
}

// ShownName returns a name for boards: for "" a placeholder, for a forgotten (erased) person one with a number.
func (b *Bot) ShownName(name, lang string) string {
	if name == "" {
		return b.Words.Say(lang, games.Say("bot.somebody", nil), words.Context{})
	}
	if n := store.ForgottenName(name); n > 0 {
		return b.Words.Say(lang, games.Say("bot.gone", games.Args{"N": n}), words.Context{})
	}
	return chat.Isolate(name)
}

// UnitLabel returns the name of a unit as a label.
func UnitLabel(unit string) games.Line { return unitOr(unit, "bot.settle.chips") }

// UnitName returns the name of a unit as a part of a sentence.
func UnitName(unit string) games.Line { return unitOr(unit, "bot.leaders.chips") }

// unitOr returns the name of a unit: the sentence of defaultKey for the default unit and "".
func unitOr(unit, defaultKey string) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say(defaultKey, nil)
	}
	return games.Say("bot.text", games.Args{"Text": chat.Isolate(unit)})
}

var unisolated = strings.NewReplacer("\u2068", "", "\u2069", "")

// Unisolated returns a name without the invisible direction marks of chat.Isolate.
func Unisolated(name string) string { return unisolated.Replace(name) }

// Capital returns text with its first letter in upper case.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// PlainNumber formats a number that may be negative: "12", "−3".
func PlainNumber(n int64) games.Number { return games.Number(strconv.FormatInt(n, 10)) }

// TrueFirst compares two booleans for sorting: true comes first.
func TrueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Chosen returns the style of a button that offers a value: Success if the value is chosen, else Plain.
func Chosen(chosen bool) games.Style {
	if chosen {
		return games.Success
	}
	return games.Plain
}

// Signed returns an amount with its sign: "+20", "−10", "0".
func Signed(n int64) games.Number {
	if n > 0 {
		return "+" + PlainNumber(n)
	}
	return PlainNumber(n)
}

// HintsLabel returns the label of rules whose option games.Hints is set to value.
func HintsLabel(value string) games.Line {
	return games.Say(map[string]string{"no": "bot.hints-no", "yes": "bot.hints-yes"}[value], nil)
}
