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

// draftKey is the key in a message file that declares its language a draft (not offered yet).
const draftKey = "language.draft"

// isDraft reports whether a language is not offered yet: it is a draft or has no name, and was not passed to Offer.
func (w *Words) isDraft(lang string) bool {
	return !w.looked[lang] && (w.drafts[lang] || w.messages[lang]["language.name"] == nil)
}

// Sources returns the paths of the default language's message files in a tree of Go sources: the bot's own first, then
// those of games and families of games, also of games in tests.
func Sources(tree fs.FS) (files []string, err error) {
	for _, root := range []string{"bot/words", "games"} {
		err := fs.WalkDir(tree, root, func(name string, d fs.DirEntry, err error) error {
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

// uniqueName returns a name of a message file for errors, because files of several games have the same name. It is the
// file's path or, if that is unknown, a text that names the game, such as "de.toml beside en.toml with [shutbox]".
func uniqueName(system fs.FS, name string) string {
	if folder, ok := system.(Folder); ok {
		return path.Join(folder.Path, name)
	}
	base := strings.TrimSuffix(name, ".toml")
	beside := base[:strings.LastIndex(base, ".")+1] + Default + ".toml"
	text, _ := fs.ReadFile(system, beside)
	for _, m := range tables.FindAllSubmatch(text, -1) {
		if tableName := string(m[1]); tableName != "language" {
			return fmt.Sprintf("%s beside %s with [%s]", name, beside, tableName)
		}
	}
	return name
}

// Drafts returns the languages that are not offered yet, sorted.
func (w *Words) Drafts() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w.messages)), func(lang string) bool { return !w.isDraft(lang) })
}

// Said returns how many sentences a language has (translated) and how many there are in all (all), apart from the
// language's own description.
func (w *Words) Said(lang string) (translated, all int) {
	for key := range w.messages[Default] {
		if strings.HasPrefix(key, "language.") {
			continue
		}
		all++
		if w.messages[lang][key] != nil {
			translated++
		}
	}
	return translated, all
}

// plurals are the plural forms in CLDR's order.
var plurals = []string{"zero", "one", "two", "few", "many", "other"}

// Form is a plural form of a language: its CLDR name, and the smallest of sampleNumbers that has it (0 for "other").
// The form "other" is for all numbers without another form.
type Form struct {
	Name   string
	Number int
}

// sampleNumbers covers all plural forms of every language, except forms for millions only, such as "many" in French.
// The form "other" replaces these.
var sampleNumbers = [...]int{0, 1, 2, 3, 5, 7, 11, 12, 21, 22, 100, 1000}

// Forms returns the plural forms that a language needs, "other" last; nil if CLDR does not know the language.
func Forms(lang string) []Form {
	tag := language.Make(lang)
	bundle := i18n.NewBundle(tag)
	message := &i18n.Message{ID: "form", Zero: "zero", One: "one", Two: "two", Few: "few", Many: "many", Other: "other"}
	if bundle.AddMessages(tag, message) != nil {
		return nil
	}
	var forms []Form
	localizer := i18n.NewLocalizer(bundle, lang)
	for _, n := range sampleNumbers {
		name, err := localizer.Localize(&i18n.LocalizeConfig{MessageID: message.ID, PluralCount: n})
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
	names := make([]string, len(forms))
	for i, f := range forms {
		if names[i] = f.Name; f.Name != "other" {
			names[i] += fmt.Sprintf(" (%d)", f.Number)
		}
	}
	return strings.Join(names, ", ")
}

// Of returns the text of message m in the plural form, "" if it has none.
func (f Form) Of(m *i18n.Message) string {
	return map[string]string{"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many,
		"other": m.Other}[f.Name]
}

var (
	about  = regexp.MustCompile(`^(?:#.*\n)+`) // matches the comment at the top of a file
	table  = regexp.MustCompile(`^\[([^\]]+)\]$`)
	tables = regexp.MustCompile(`(?m)^\[([^\]]+)\]$`)
	keyed  = regexp.MustCompile(`^("?[\w-]+"?) = (".*")$`)
)

// Draft returns a message file of lang in the order of english, the default language's file. It holds the sentences of
// lang, and missing ones in English, commented out (#). missing is their number.
func (w *Words) Draft(lang string, english []byte) (file []byte, missing int) {
	d := &drafting{w: w, lang: lang, forms: Forms(lang)}
	rest := strings.TrimLeft(about.ReplaceAllString(string(english), ""), "\n")
	d.put("# Take the sign away before a line that you translate. {{.Seat}} and the like are arguments.")
	d.put("# Plural forms of %s: %s.\n", lang, Spelled(d.forms))
	if !strings.Contains(rest, "[language]\n") && w.isDraft(lang) { // if rest has that table, addLine adds the key
		d.put("[language]\ndraft = true\n")
	}
	for line := range strings.Lines(rest) {
		d.addLine(strings.TrimSuffix(line, "\n"))
	}
	d.addPlural()
	return []byte(strings.TrimRight(d.out.String(), "\n") + "\n"), d.missing
}

// drafting is the state of writing one draft file.
type drafting struct {
	w       *Words
	lang    string
	forms   []Form
	out     strings.Builder
	table   string            // the TOML table of the lines being read
	many    map[string]string // the English plural forms of the sentence being read; nil: none
	missing int               // the number of sentences without translation so far
}

// put writes a formatted line.
func (d *drafting) put(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

// addLine handles one line of the English file: it writes the translation of its sentence, or the line commented out
// and counted as missing. It collects plural forms for addPlural.
func (d *drafting) addLine(line string) {
	found := keyed.FindStringSubmatch(line)
	if found != nil && slices.Contains(plurals, found[1]) {
		if d.many == nil {
			d.many = map[string]string{}
		}
		d.many[found[1]] = found[2]
		return
	}
	d.addPlural()
	if m := table.FindStringSubmatch(line); m != nil {
		d.table = m[1]
	}
	if found == nil {
		d.put("%s", line)
		if line == "[language]" && d.w.isDraft(d.lang) {
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
		d.missing++
		d.put("# %s", line)
	}
}

// addPlural writes the plural forms of the collected sentence, if there is one.
func (d *drafting) addPlural() {
	if d.many == nil {
		return
	}
	said := d.w.messages[d.lang][d.table]
	if said == nil {
		d.missing++
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

// quoted returns a sentence as a TOML string, with its commands in the form in which translators write them.
func quoted(sentence string) string {
	unmarked := marked.ReplaceAllStringFunc(sentence, func(span string) string {
		if strings.Contains(span, " ") {
			return "`" + plain(span) + "`"
		}
		return plain(span)
	})
	return `"` + escaped.Replace(unmarked) + `"`
}
