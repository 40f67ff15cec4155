package words

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"knobel/games"
)

// Commands and arguments in sentences, in the form for the reader.

// begin and end mark a command in the sentences of message files. Arguments, such as names, contain neither.
const (
	begin = "\x0e"
	end   = "\x0f"
)

// command matches a command in a sentence: in backquotes with its arguments, or without both.
var command = regexp.MustCompile("`/([^`]+)`" + `|(^|[\s(“„])/([a-z]{2,}|\{\{\.[A-Za-z]+\}\})`)

var (
	plainly = strings.NewReplacer(begin, "/", end, "")
	unasked = strings.NewReplacer(begin, "", end, "")
)

// plain returns text with a slash before each command, without the marks begin and end.
func plain(text string) string { return plainly.Replace(text) }

// spellCommands returns text with its commands in the form in which people type them on the reader's platform.
func (c Context) spellCommands(text string) string {
	if c.Spell == nil {
		return plain(text)
	}
	var out strings.Builder
	for {
		before, rest, marked := strings.Cut(text, begin)
		out.WriteString(before)
		if !marked {
			return out.String()
		}
		typed, after, _ := strings.Cut(rest, end)
		out.WriteString(c.Spell(typed))
		text = after
	}
}

// markCommands puts the marks begin and end around the commands in all sentences of a TOML table, which it changes.
func markCommands(table map[string]any) {
	for key, value := range table {
		switch value := value.(type) {
		case string:
			if strings.Contains(value, "/") { // a quick check, because most sentences have no command
				table[key] = command.ReplaceAllString(value, "${2}"+begin+"${1}${3}"+end)
			}
		case map[string]any:
			markCommands(value)
		}
	}
}

// argText returns the argument arg as text in a language, by its type.
func (w *Words) argText(lang string, arg any, c Context) (string, error) {
	switch a := arg.(type) {
	case games.Seat:
		if c.Name == nil {
			return fmt.Sprint(int(a) + 1), nil
		}
		return c.Name(a), nil
	case games.Faces:
		return w.join(lang, numberTexts(a)), nil
	case games.Tiles:
		highest := slices.Clone(a)
		slices.SortFunc(highest, func(x, y int) int { return y - x })
		return strings.Join(numberTexts(highest), "+"), nil
	case games.Word:
		return w.TrySay(lang, games.Line{Key: string(a)}, c)
	case games.Line:
		return w.TrySay(lang, a, c)
	case games.List:
		said := make([]string, len(a))
		for i, line := range a {
			var err error
			if said[i], err = w.TrySay(lang, line, c); err != nil {
				return "", err
			}
		}
		return w.join(lang, said), nil
	case []string:
		return w.join(lang, a), nil
	case string:
		return unasked.Replace(a), nil
	case int:
		return w.Number(lang, games.Number(strconv.Itoa(a))), nil
	case games.Number:
		return w.Number(lang, a), nil
	case int64:
		return strconv.FormatInt(a, 10), nil
	case games.Decimal:
		return w.Number(lang, games.Number(strings.TrimSuffix(strconv.FormatFloat(float64(a), 'f', 1, 64), ".0"))), nil
	}
	return "", fmt.Errorf("no words for a %T", arg)
}

// Number returns n with the minus, the point and the grouping sign of a language.
func (w *Words) Number(lang string, n games.Number) string {
	parts := spelledNumber.FindStringSubmatch(strings.Replace(string(n), "-", "−", 1))
	if parts == nil {
		return string(n)
	}
	sign, whole, rest := parts[1], parts[2], parts[3]
	if decimals, there := strings.CutPrefix(rest, "."); there {
		rest = w.Say(lang, games.Say("bot.number.point", nil), Context{}) + decimals
	}
	if len(whole) > 4 {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + w.Group(lang) + whole[at:]
		}
	}
	return sign + whole + rest
}

// Group returns the separator of groups of three digits in a language.
func (w *Words) Group(lang string) string {
	return w.Say(lang, games.Say("bot.number.group", nil), Context{})
}

// spelledNumber matches a number as its sign, its whole digits and the rest.
var spelledNumber = regexp.MustCompile(`^([+−]?)([0-9]+)(.*)$`)

// numberTexts returns each number of list as digits.
func numberTexts(list []int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = fmt.Sprint(n)
	}
	return out
}

// join returns parts as a list in a language: "5, 4 and 1".
func (w *Words) join(lang string, parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return w.Say(lang, games.Say("bot.and", games.Args{
		"First": strings.Join(parts[:last], ", "), "Last": parts[last],
	}), Context{})
}

// Titles: names that the operator gives to games.

// Title is the operator's name for a game or for a variant with its own command.
type Title struct {
	Key     string // the key of the sentence that is the old name
	Title   string // the new name, in all languages
	Was     string // the old name of the command
	Command string // the new name of the command
}

// Entitle replaces a game's names and commands by titles in all its sentences and languages, all at once because a
// title may contain a replaced name. Call it once, before any Say.
func (w *Words) Entitle(game string, all []Title) error {
	for lang, messages := range w.messages {
		var pairs [][2]string
		for _, t := range all {
			if name := messages[t.Key]; name != nil {
				pairs = append(pairs, [2]string{name.Other, t.Title})
				for _, next := range []string{end, " "} {
					pairs = append(pairs, [2]string{begin + t.Was + next, begin + t.Command + next})
				}
			}
		}
		slices.SortStableFunc(pairs, func(a, b [2]string) int { // longer ones first: they may contain a shorter one
			return cmp.Compare(len(b[0]), len(a[0]))
		})
		var flat []string
		for _, pair := range pairs {
			flat = append(flat, pair[:]...)
		}
		replacer := strings.NewReplacer(flat...)
		var changed []*i18n.Message
		for key, m := range messages {
			if !strings.HasPrefix(key, game+".") {
				continue
			}
			for _, form := range []*string{&m.Zero, &m.One, &m.Two, &m.Few, &m.Many, &m.Other} {
				*form = replacer.Replace(*form)
			}
			changed = append(changed, m)
		}
		if err := w.bundle.AddMessages(language.Make(lang), changed...); err != nil {
			return fmt.Errorf("words of %s: %w", game, err)
		}
	}
	return nil
}
