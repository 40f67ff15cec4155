// Package words puts lines into sentences: in the reader's language, with the
// plurals of that language. The sentences are message files, for each language
// one of the bot and one of each game; adding a language is adding files.
//
// A file of what a family of games shares is named by both ("sheet.de.toml"): a key that a game of the family lacks is
// looked up with the family's name in place of the game's.
//
// A file is named by its language ("de.toml") and holds TOML tables whose path
// is the key of a sentence. The last part of a key is never one of zero, one,
// two, few, many, other: these are plural forms, which the argument N chooses,
// by the rules of Unicode's CLDR for that language.
//
// The bot's file begins with what is to be known about its language: its own
// name (language.name), what other languages call it (language.called) and, where
// they are not the file's name, the locales that clients report for it and
// translations are listed under (language.locales), each separated by spaces. A language is a draft while one of its
// files says "draft = true" there, or while it has no name: it is not offered, and
// counts for no test as a language that there is.
package words

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/language"

	"knobel/games"
)

// Default is the language of those who have agreed on none.
const Default = "en"

// Own are the bot's own message files.
//
//go:embed *.toml
var Own embed.FS

// Words are all sentences in all languages. They are safe for concurrent use.
type Words struct {
	bundle   *i18n.Bundle
	speakers map[string]*i18n.Localizer
	messages map[string]map[string]*i18n.Message // by language and key, drafts too
	drafts   map[string]bool                     // those that say so
	looked   map[string]bool                     // drafts that are offered
	families map[string]string                   // by game, the word that keys of its family begin with
	shared   map[string]bool                     // the files of families that were read
	langs    []string                            // those that are offered, sorted, Default first
	matcher  language.Matcher
}

// Context is what a sentence cannot say by itself.
type Context struct {
	// Name is how people at the table are called.
	Name func(games.Seat) string
	// Spell writes a command as people type it on the reader's platform, with what stands behind
	// it: "settle why Ben"; nil: behind a slash.
	Spell func(typed string) string
}

// parser refuses sentences that lack an argument, instead of saying
// "<no value>" to people.
var parser = &template.TextParser{Option: "missingkey=error"}

// New reads the bot's own sentences and those of the games: all *.toml in the
// root of each file system.
func New(systems ...fs.FS) (*Words, error) {
	return Read(append([]fs.FS{Folder{Own, "bot/words"}}, systems...)...)
}

// Read is New for those who bring the bot's own sentences, too.
func Read(systems ...fs.FS) (*Words, error) {
	w := &Words{messages: map[string]map[string]*i18n.Message{}, drafts: map[string]bool{}, looked: map[string]bool{},
		speakers: map[string]*i18n.Localizer{}, families: map[string]string{}, shared: map[string]bool{}}
	bundle := i18n.NewBundle(language.MustParse(Default))
	w.bundle = bundle
	bundle.RegisterUnmarshalFunc("toml", unmarshal)
	for _, system := range systems {
		if err := w.read(bundle, system); err != nil {
			return nil, fmt.Errorf("words: %w", err)
		}
	}
	w.offers()
	if !slices.Contains(w.langs, Default) {
		return nil, errors.New("words: no sentences in " + Default)
	}
	return w, nil
}

// Offer has drafts be offered as languages are; what they lack is said in the default language.
func (w *Words) Offer(drafts ...string) error {
	langs := slices.Collect(maps.Keys(w.messages))
	for _, draft := range drafts {
		i := slices.IndexFunc(langs, func(lang string) bool { return strings.EqualFold(lang, draft) })
		if i < 0 {
			return fmt.Errorf("there are no sentences in %q: knobel words writes the files of a language", draft)
		}
		w.looked[langs[i]] = true
	}
	w.offers()
	return nil
}

// offers makes all languages ready that are offered.
func (w *Words) offers() {
	w.langs = slices.DeleteFunc(slices.Sorted(maps.Keys(w.messages)), w.draft)
	slices.SortStableFunc(w.langs, func(a, b string) int {
		return boolInt(b == Default) - boolInt(a == Default)
	})
	tags := make([]language.Tag, len(w.langs))
	for i, lang := range w.langs {
		tags[i] = language.Make(lang)
		w.speakers[lang] = i18n.NewLocalizer(w.bundle, lang)
	}
	w.matcher = language.NewMatcher(tags)
}

// read adds the message files of a folder to the bundle.
func (w *Words) read(bundle *i18n.Bundle, system fs.FS) error {
	files, err := fs.Glob(system, "*.toml")
	if err != nil {
		return err
	}
	family := ""
	var games []string // those that have sentences of their own in the folder
	for _, name := range files {
		if of, _, isFamily := strings.Cut(strings.TrimSuffix(name, ".toml"), "."); isFamily {
			family = of
			if w.shared[name] {
				continue // another game has brought it
			}
			w.shared[name] = true
		}
		file, err := bundle.LoadMessageFileFS(system, name)
		if err != nil {
			return fmt.Errorf("%s: %w", place(system, name), err)
		}
		lang := file.Tag.String()
		if w.messages[lang] == nil {
			w.messages[lang] = map[string]*i18n.Message{}
		}
		for _, m := range file.Messages {
			if m.ID == draftKey {
				w.drafts[lang] = w.drafts[lang] || m.Other == "true"
				continue
			}
			if w.messages[lang][m.ID] != nil {
				return fmt.Errorf("%s: the key %s stands twice", place(system, name), m.ID)
			}
			w.messages[lang][m.ID] = m
			game, _, _ := strings.Cut(m.ID, ".")
			games = append(games, game)
		}
	}
	for _, game := range games {
		if family != "" && game != family {
			w.families[game] = family
		}
	}
	return nil
}

// key returns the key under which a language has a sentence: the game's own or, where it has none, that of its family.
func (w *Words) key(lang, key string) string {
	if w.messages[lang][key] != nil {
		return key
	}
	game, rest, _ := strings.Cut(key, ".")
	if family := w.families[game]; family != "" && w.messages[lang][family+"."+rest] != nil {
		return family + "." + rest
	}
	return key
}

// unmarshal reads a message file. All its values are texts but language.draft,
// which is made one; commands in them are marked.
func unmarshal(data []byte, into any) error {
	if err := toml.Unmarshal(data, into); err != nil {
		return err
	}
	if whole, ok := into.(*any); ok {
		tree, _ := (*whole).(map[string]any)
		about, _ := tree["language"].(map[string]any)
		if draft, ok := about["draft"].(bool); ok {
			about["draft"] = fmt.Sprint(draft)
		}
		markAll(tree)
	}
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Below returns the sentences of a language whose keys begin with a word and a point, by the rest
// of the key and without their arguments filled in. If the language lacks one it is the default's.
func (w *Words) Below(lang, word string) map[string]string {
	all := map[string]string{}
	for _, from := range []string{Default, lang} {
		for key, m := range w.messages[from] {
			if rest, ok := strings.CutPrefix(key, word+"."); ok {
				all[rest] = plain(m.Other)
			}
		}
	}
	return all
}

// Keys returns the keys of a language, sorted.
func (w *Words) Keys(lang string) []string { return slices.Sorted(maps.Keys(w.messages[lang])) }

// Has reports whether there is a sentence for a key.
func (w *Words) Has(key string) bool { return w.messages[Default][w.key(Default, key)] != nil }

// Say puts a line into the words of a language. A line that cannot be said
// is said in the default language, or comes out as its key: a fault, but no
// reason to say nothing.
func (w *Words) Say(lang string, line games.Line, c Context) string {
	text, err := w.TrySay(lang, line, c)
	switch {
	case err == nil:
		return text
	case lang != Default:
		return w.Say(Default, line, c)
	}
	return line.Key
}

// TrySay is Say for those who want to know why a line cannot be said.
func (w *Words) TrySay(lang string, line games.Line, c Context) (string, error) {
	speaker := w.speakers[lang]
	if speaker == nil {
		lang = Default
		speaker = w.speakers[Default]
	}
	data := make(map[string]any, len(line.Args))
	key := w.key(lang, line.Key)
	config := i18n.LocalizeConfig{MessageID: key, TemplateData: data, TemplateParser: parser}
	for name, arg := range line.Args {
		text, err := w.arg(lang, arg, c)
		if err != nil {
			return "", fmt.Errorf("argument %s of %s: %w", name, line.Key, err)
		}
		data[name] = text
		if n, ok := arg.(int); ok && name == "N" && w.plural(lang, key) {
			config.PluralCount = n
		}
	}
	text, err := speaker.Localize(&config)
	if err != nil && config.PluralCount != nil {
		config.PluralCount = nil // a form that is missing: other stands in for it
		text, err = speaker.Localize(&config)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", line.Key, err)
	}
	return c.spelled(text), nil
}

// plural reports whether a sentence has forms for N; where it has none, N is an
// argument like all others.
func (w *Words) plural(lang, key string) bool {
	m := w.messages[lang][key]
	return m != nil && (m.One != "" || m.Few != "" || m.Many != "")
}

// arg puts an argument into words, by its type.
func (w *Words) arg(lang string, arg any, c Context) (string, error) {
	switch a := arg.(type) {
	case games.Seat:
		if c.Name == nil {
			return fmt.Sprint(int(a) + 1), nil
		}
		return c.Name(a), nil
	case games.Faces:
		return w.join(lang, numbers(a)), nil
	case games.Tiles:
		highest := slices.Clone(a)
		slices.SortFunc(highest, func(x, y int) int { return y - x })
		return strings.Join(numbers(highest), "+"), nil
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

// Number spells a number with the minus, the point and the grouping sign of a language.
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

// Group returns the sign between groups of three digits in a language.
func (w *Words) Group(lang string) string {
	return w.Say(lang, games.Say("bot.number.group", nil), Context{})
}

// spelledNumber parts the sign of a number and its whole digits from what stands behind these.
var spelledNumber = regexp.MustCompile(`^([+−]?)([0-9]+)(.*)$`)

func numbers(list []int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = fmt.Sprint(n)
	}
	return out
}

// join says a list as people do: "5, 4 and 1".
func (w *Words) join(lang string, parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return w.Say(lang, games.Say("bot.and", games.Args{
		"First": strings.Join(parts[:last], ", "), "Last": parts[last],
	}), Context{})
}
