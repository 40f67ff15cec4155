// Package words translates lines into sentences of the reader's language with its plurals. The sentences are in
// message files, for each language one of the bot and one of each game; adding a language is adding files.
//
// The file of a family of games has the family's name before the language ("sheet.de.toml"): a key that a game of the
// family lacks is looked up under the family's name. A key of a variant ("kniffel.variant.yahtzee.row.ones") that its
// game lacks is looked up without the variant ("kniffel.row.ones").
//
// A file is named by its language ("de.toml") and holds TOML tables whose paths are the keys. The last part of a key
// is never zero, one, two, few, many or other: these are plural forms, which the argument N chooses by Unicode's
// CLDR.
//
// The bot's file begins with the language's own name (language.name), its names in other languages (language.called)
// and, if they differ from the file's name, its locales at clients and platforms (language.locales), the last two as
// lists separated by spaces. A language is a draft while one of its files sets language.draft = true, or while it has
// no name: it is not offered, and tests do not count it as a language.
package words

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/language"

	"knobel/games"
)

// Default is the language of chats that have chosen none.
const Default = "en"

// Own are the bot's own message files.
//
//go:embed *.toml
var Own embed.FS

// Words holds all sentences in all languages. It is safe for concurrent use.
type Words struct {
	bundle   *i18n.Bundle
	speakers map[string]*i18n.Localizer
	messages map[string]map[string]*i18n.Message // by language, then key; drafts included
	drafts   map[string]bool                     // languages that are declared drafts
	looked   map[string]bool                     // the drafts that Offer has made available
	families map[string]string                   // by game: the name of its family, which begins the family's keys
	shared   map[string]bool                     // names of the family files that have been read
	langs    []string                            // the offered languages, sorted, Default first
	matcher  language.Matcher
}

// Context holds data about the reader of a sentence: the names of seats and the form of commands.
type Context struct {
	// Name returns the name of a person at the table; nil: the seat's number is used.
	Name func(games.Seat) string
	// Spell returns a command line ("settle why Ben") as on the reader's platform; nil: with a slash before it.
	Spell func(typed string) string
}

// parser refuses sentences that lack an argument, instead of writing "<no value>".
var parser = &template.TextParser{Option: "missingkey=error"}

// New returns the bot's own sentences and those of the games: all *.toml in the root of each file system.
func New(systems ...fs.FS) (*Words, error) {
	return Read(append([]fs.FS{Folder{Own, "bot/words"}}, systems...)...)
}

// Read returns the sentences of systems alone, without the bot's own.
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
	w.updateOffered()
	if !slices.Contains(w.langs, Default) {
		return nil, errors.New("words: no sentences in " + Default)
	}
	return w, nil
}

// Offer makes drafts, language codes, available like other languages; missing sentences are in the default language. A
// language without any sentences is an error.
func (w *Words) Offer(drafts ...string) error {
	langs := slices.Collect(maps.Keys(w.messages))
	for _, draft := range drafts {
		i := slices.IndexFunc(langs, func(lang string) bool { return strings.EqualFold(lang, draft) })
		if i < 0 {
			return fmt.Errorf("no sentences in %q: run knobel words to create its files", draft)
		}
		w.looked[langs[i]] = true
	}
	w.updateOffered()
	return nil
}

// updateOffered sets langs, the speaker of each and the matcher.
func (w *Words) updateOffered() {
	w.langs = slices.DeleteFunc(slices.Sorted(maps.Keys(w.messages)), w.isDraft)
	if i := slices.Index(w.langs, Default); i > 0 {
		w.langs = slices.Insert(slices.Delete(w.langs, i, i+1), 0, Default)
	}
	tags := make([]language.Tag, len(w.langs))
	for i, lang := range w.langs {
		tags[i] = language.Make(lang)
		w.speakers[lang] = i18n.NewLocalizer(w.bundle, lang)
	}
	w.matcher = language.NewMatcher(tags)
}

// read adds the message files of a folder, the root of system, to the bundle.
func (w *Words) read(bundle *i18n.Bundle, system fs.FS) error {
	files, err := fs.Glob(system, "*.toml")
	if err != nil {
		return err
	}
	family := ""
	var games []string // the games with sentences in the folder
	for _, name := range files {
		if prefix, _, isFamily := strings.Cut(strings.TrimSuffix(name, ".toml"), "."); isFamily {
			family = prefix
			if w.shared[name] {
				continue // it was read with another game of the family
			}
			w.shared[name] = true
		}
		file, err := bundle.LoadMessageFileFS(system, name)
		if err != nil {
			return fmt.Errorf("%s: %w", uniqueName(system, name), err)
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
				return fmt.Errorf("%s: duplicate key %s", uniqueName(system, name), m.ID)
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

// key returns the key under which a language has the sentence: the game's own or, if that is missing, its family's or,
// for a key of a variant other than its name and description, that without the variant.
func (w *Words) key(lang, key string) string {
	if w.messages[lang][key] != nil {
		return key
	}
	game, rest, _ := strings.Cut(key, ".")
	if family := w.families[game]; family != "" && w.messages[lang][family+"."+rest] != nil {
		return family + "." + rest
	}
	if variant, ok := strings.CutPrefix(rest, "variant."); ok {
		if _, general, _ := strings.Cut(variant, "."); strings.Contains(general, ".") {
			return w.key(lang, game+"."+general)
		}
	}
	return key
}

// unmarshal parses data, a message file, into an *any and marks its commands. All values are texts; the boolean
// language.draft becomes one.
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
		markCommands(tree)
	}
	return nil
}

// Below returns a language's sentences whose keys begin with word and a point, by the rest of the key, without filling
// in arguments. Missing sentences are in the default language.
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

// Message returns a language's sentence with its plural forms, nil if there is none.
func (w *Words) Message(lang, key string) *i18n.Message { return w.messages[lang][key] }

// Keys returns the keys of a language, sorted.
func (w *Words) Keys(lang string) []string { return slices.Sorted(maps.Keys(w.messages[lang])) }

// Has reports whether there is a sentence for a key.
func (w *Words) Has(key string) bool { return w.messages[Default][w.key(Default, key)] != nil }

// Say returns line in a language. If that fails it returns it in the default language or, if that fails too, its key.
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

// TrySay returns line in a language, or an error if a sentence or argument is missing.
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
		text, err := w.argText(lang, arg, c)
		if err != nil {
			return "", fmt.Errorf("argument %s of %s: %w", name, line.Key, err)
		}
		data[name] = text
	}
	m := w.messages[lang][key]
	if n, ok := line.Args["N"].(int); ok && m != nil && (m.One != "" || m.Few != "" || m.Many != "") {
		config.PluralCount = n // without plural forms N is an ordinary argument
	}
	text, err := speaker.Localize(&config)
	if err != nil && config.PluralCount != nil {
		config.PluralCount = nil // the form "other" replaces the missing one
		text, err = speaker.Localize(&config)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", line.Key, err)
	}
	if strings.Contains(text, begin) {
		text = c.spellCommands(text)
	}
	return text, nil
}

// Languages and their names.

// Languages returns the languages that are offered, Default first.
func (w *Words) Languages() []string { return slices.Clone(w.langs) }

// Language is a language as its message file describes it.
type Language struct {
	// Code is the name of its files, a BCP 47 tag: "de".
	Code string
	// Name is the language's name for itself: "Deutsch".
	Name string
	// Locales are the tags that platforms list it under: "en-US", "en-GB".
	Locales []string
	// Called are its names in other languages: "German".
	Called []string
}

// Language returns the description of the language with that code.
func (w *Words) Language(code string) Language {
	said := func(what, otherwise string) string {
		if m := w.messages[code]["language."+what]; m != nil {
			return m.Other
		}
		return otherwise
	}
	return Language{code, said("name", code), strings.Fields(said("locales", code)), strings.Fields(said("called", ""))}
}

// Called returns the code of the language with this code, name, or name in other languages: "de", "Deutsch", "German".
// It returns "" if there is none.
func (w *Words) Called(name string) string {
	for _, lang := range w.langs {
		about := w.Language(lang)
		if slices.ContainsFunc(append(about.Called, lang, about.Name), func(called string) bool {
			return strings.EqualFold(called, name)
		}) {
			return lang
		}
	}
	return w.Match(name)
}

// Match tries asked, BCP 47 tags in order of preference, until an offered language fits a tag. It returns the code of
// that language, or "" if no language fits any tag. It skips empty and invalid tags.
func (w *Words) Match(asked ...string) string {
	for _, tag := range asked {
		if slices.Contains(w.langs, tag) {
			return tag // the usual case; parsing tags takes longer
		}
		if tag == "" {
			continue
		}
		want, err := language.Parse(tag)
		if err != nil {
			continue
		}
		if _, i, sure := w.matcher.Match(want); sure >= language.High {
			return w.langs[i]
		}
	}
	return ""
}
