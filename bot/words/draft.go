package words

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Drafts: languages in translation, their progress, and message files for their translators.

// draftKey is the key that declares a language a draft in its message file.
const draftKey = "language.draft"

// draft reports whether a language is not offered yet: it is a declared draft or has no name, and Offer has not been
// called for it.
func (w *Words) draft(lang string) bool {
	return !w.looked[lang] && (w.drafts[lang] || w.messages[lang]["language.name"] == nil)
}

// Sources returns the default language's message files in a tree of Go sources: the bot's own first, then those of
// games and families of games, also of games in tests.
func Sources(tree fs.FS) (files []string, err error) {
	for _, below := range []string{"bot/words", "games"} {
		err := fs.WalkDir(tree, below, func(name string, d fs.DirEntry, err error) error {
			base := path.Base(name)
			if base == "testdata" {
				return fs.SkipDir
			}
			if err == nil && !d.IsDir() && (base == Default+".toml" || strings.HasSuffix(base, "."+Default+".toml")) {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look for message files: %w", err)
		}
	}
	return files, nil
}

// Folder is a folder of message files at its path in a source tree.
type Folder struct {
	fs.FS
	Path string
}

// place returns a unique name of a message file for errors, since several games' files have the same name: its path or,
// if that is unknown, with the first game in the default language's file beside it, because its own text may be
// invalid.
func place(system fs.FS, name string) string {
	if folder, ok := system.(Folder); ok {
		return path.Join(folder.Path, name)
	}
	base := strings.TrimSuffix(name, ".toml")
	beside := base[:strings.LastIndex(base, ".")+1] + Default + ".toml"
	text, _ := fs.ReadFile(system, beside)
	for _, m := range tables.FindAllSubmatch(text, -1) {
		if head := string(m[1]); head != "language" {
			return fmt.Sprintf("%s beside %s with [%s]", name, beside, head)
		}
	}
	return name
}

// Drafts returns the languages that are not offered yet, sorted.
func (w *Words) Drafts() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w.messages)), func(lang string) bool { return !w.draft(lang) })
}

// Said returns how many sentences a language has (said) and how many there are in all (all), apart from the language's
// own description.
func (w *Words) Said(lang string) (said, all int) {
	for key := range w.messages[Default] {
		if strings.HasPrefix(key, "language.") {
			continue
		}
		all++
		if w.messages[lang][key] != nil {
			said++
		}
	}
	return said, all
}

// plurals are the plural forms in CLDR's order.
var plurals = []string{"zero", "one", "two", "few", "many", "other"}

// Form is a plural form of a language: its CLDR name and the smallest of the numbers counted that has it. The form
// "other" is for all numbers without another form.
type Form struct {
	Name   string
	Number int
}

// counted are numbers that cover all plural forms of every language, except forms for millions only, such as many in
// French, which other replaces.
var counted = [...]int{0, 1, 2, 3, 5, 7, 11, 12, 21, 22, 100, 1000}

// Forms returns the plural forms that a language needs, other last; nil if CLDR does not know the language.
func Forms(lang string) []Form {
	tag := language.Make(lang)
	bundle := i18n.NewBundle(tag)
	each := &i18n.Message{ID: "form", Zero: "zero", One: "one", Two: "two", Few: "few", Many: "many", Other: "other"}
	if bundle.AddMessages(tag, each) != nil {
		return nil
	}
	var forms []Form
	speaker := i18n.NewLocalizer(bundle, lang)
	for _, n := range counted {
		name, err := speaker.Localize(&i18n.LocalizeConfig{MessageID: each.ID, PluralCount: n})
		if err == nil && !slices.ContainsFunc(forms, func(f Form) bool { return f.Name == name }) {
			forms = append(forms, Form{name, n})
		}
	}
	forms = slices.DeleteFunc(forms, func(f Form) bool { return f.Name == "other" })
	slices.SortFunc(forms, func(a, b Form) int { return slices.Index(plurals, a.Name) - slices.Index(plurals, b.Name) })
	return append(forms, Form{"other", 0})
}

// Spelled returns the names of forms with their numbers: "one (1), few (2), other".
func Spelled(forms []Form) string {
	said := make([]string, len(forms))
	for i, f := range forms {
		if said[i] = f.Name; f.Name != "other" {
			said[i] += fmt.Sprintf(" (%d)", f.Number)
		}
	}
	return strings.Join(said, ", ")
}

// Of returns the text of a sentence in the plural form; "" if it has none.
func (f Form) Of(m *i18n.Message) string {
	return map[string]string{"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many,
		"other": m.Other}[f.Name]
}

var (
	about  = regexp.MustCompile(`^(?:#.*\n)+`) // a file's own comment
	table  = regexp.MustCompile(`^\[([^\]]+)\]$`)
	tables = regexp.MustCompile(`(?m)^\[([^\]]+)\]$`)
	keyed  = regexp.MustCompile(`^("?[\w-]+"?) = (".*")$`)
)

// Draft returns a language's message file in the order of english, the default language's file: its own sentences, and
// missing ones in English, commented out (#). lacks is how many are missing.
func (w *Words) Draft(lang string, english []byte) (file []byte, lacks int) {
	d := &drafting{w: w, lang: lang, forms: Forms(lang)}
	rest := strings.TrimLeft(about.ReplaceAllString(string(english), ""), "\n")
	d.put("# Take the sign away before a line that you translate. {{.Seat}} and the like are arguments.")
	d.put("# Plural forms of %s: %s.\n", lang, Spelled(d.forms))
	if !strings.Contains(rest, "[language]\n") && w.draft(lang) { // else the file itself declares the draft
		d.put("[language]\ndraft = true\n")
	}
	for line := range strings.Lines(rest) {
		d.line(strings.TrimSuffix(line, "\n"))
	}
	d.plural()
	return []byte(strings.TrimRight(d.out.String(), "\n") + "\n"), d.lacks
}

// drafting is the state of writing one draft file.
type drafting struct {
	w     *Words
	lang  string
	forms []Form
	out   strings.Builder
	table string
	many  map[string]string // the English plural forms of the sentence being read; nil: none
	lacks int
}

// put writes a formatted line.
func (d *drafting) put(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

// line handles one line of the English file: it writes it translated, or commented out and counted as missing. It
// collects plural forms for the method plural.
func (d *drafting) line(line string) {
	found := keyed.FindStringSubmatch(line)
	if found != nil && slices.Contains(plurals, found[1]) {
		if d.many == nil {
			d.many = map[string]string{}
		}
		d.many[found[1]] = found[2]
		return
	}
	d.plural()
	if m := table.FindStringSubmatch(line); m != nil {
		d.table = m[1]
	}
	if found == nil {
		d.put("%s", line)
		if line == "[language]" && d.w.draft(d.lang) {
			d.put("draft = true")
		}
		return
	}
	key := d.table + "." + strings.Trim(found[1], `"`)
	switch said := d.w.messages[d.lang][key]; {
	case said != nil:
		d.put("%s = %s", found[1], quoted(said.Other))
	case d.table == "language":
		d.put("%s = %s", found[1], quoted(d.lang))
	default:
		d.lacks++
		d.put("# %s", line)
	}
}

// plural writes the forms of the sentence that has been collected, if there is one.
func (d *drafting) plural() {
	if d.many == nil {
		return
	}
	said := d.w.messages[d.lang][d.table]
	if said == nil {
		d.lacks++
		said = &i18n.Message{}
	}
	for _, f := range d.forms {
		if form := f.Of(said); form != "" {
			d.put("%s = %s", f.Name, quoted(form))
		} else if english, ok := d.many[f.Name]; ok {
			d.put("# %s = %s", f.Name, english)
		} else {
			d.put("# %s = %s", f.Name, d.many["other"])
		}
	}
	d.many = nil
}

var (
	marked  = regexp.MustCompile(begin + "[^" + end + "]*" + end)
	escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
)

// quoted returns a sentence as a TOML string, with its commands as translators write them.
func quoted(sentence string) string {
	unmarked := marked.ReplaceAllStringFunc(sentence, func(span string) string {
		if strings.Contains(span, " ") {
			return "`" + plain(span) + "`"
		}
		return plain(span)
	})
	return `"` + escaped.Replace(unmarked) + `"`
}
