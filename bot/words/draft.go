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

// A draft is a language that is still being translated: which sentences it has, which it lacks, and
// the files for the rest.

// draftKey is where a message file says that its language is a draft.
const draftKey = "language.draft"

// draft reports whether a language is not offered yet.
func (w *Words) draft(lang string) bool {
	return !w.looked[lang] && (w.drafts[lang] || w.messages[lang]["language.name"] == nil)
}

// Sources lists the message files of the default language in a tree of Go sources: the bot's own first, those of the
// games, of the tests' games too, and those that families of games share.
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

// Folder is a folder of message files in a tree of sources, at its path there.
type Folder struct {
	fs.FS
	Path string
}

// place names a message file, as those of several games have the same name: by its path or, where that is not known,
// by the first table, not about the language, of the default language's file beside it: its own may be what is faulty.
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

// Said counts the sentences that a language has of its own, and all that there
// are. What a language says of itself is none.
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

// plurals are the names of the plural forms, as CLDR orders them.
var plurals = []string{"zero", "one", "two", "few", "many", "other"}

// Form is a plural form of a language: its name by CLDR, and the smallest number
// that takes it. What takes no other form takes other.
type Form struct {
	Name   string
	Number int
}

// counted are numbers among which every language has all its plural forms. Forms for millions
// alone, such as many in French, are left out: other replaces them.
var counted = [...]int{0, 1, 2, 3, 5, 7, 11, 12, 21, 22, 100, 1000}

// Forms returns the plural forms that a language needs, other last; none if CLDR does not know the
// language's plurals.
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

// spelled are forms as people read them: "one (1), few (2), other".
func spelled(forms []Form) string {
	said := make([]string, len(forms))
	for i, f := range forms {
		if said[i] = f.Name; f.Name != "other" {
			said[i] += fmt.Sprintf(" (%d)", f.Number)
		}
	}
	return strings.Join(said, ", ")
}

// formOf is what a sentence says in a plural form; "" where it has none.
func formOf(m *i18n.Message, form string) string {
	return map[string]string{"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many,
		"other": m.Other}[form]
}

var (
	about  = regexp.MustCompile(`^(?:#.*\n)+`) // what a file says of itself
	table  = regexp.MustCompile(`^\[([^\]]+)\]$`)
	tables = regexp.MustCompile(`(?m)^\[([^\]]+)\]$`)
	keyed  = regexp.MustCompile(`^("?[\w-]+"?) = (".*")$`)
)

// Draft writes a language's message file from the same file of the default
// language: what the language says already, and behind a sign (#) what it lacks, in
// the default language. It returns how many sentences it lacks.
func (w *Words) Draft(lang string, english []byte) (file []byte, lacks int) {
	d := &drafting{w: w, lang: lang, forms: Forms(lang)}
	rest := strings.TrimLeft(about.ReplaceAllString(string(english), ""), "\n")
	d.head(!strings.Contains(rest, "[language]\n"))
	for line := range strings.Lines(rest) {
		d.line(strings.TrimSuffix(line, "\n"))
	}
	d.plural()
	return []byte(strings.TrimRight(d.out.String(), "\n") + "\n"), d.lacks
}

// drafting is a file that is being written.
type drafting struct {
	w     *Words
	lang  string
	forms []Form
	out   strings.Builder
	table string
	many  map[string]string // the forms of the sentence at hand, nil where it has none
	lacks int
}

func (d *drafting) put(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

// head says what to do; about whether the file says itself that it is a draft.
func (d *drafting) head(about bool) {
	d.put("# Take the sign away before a line that you translate. {{.Seat}} and the like are arguments.")
	d.put("# Plural forms of %s: %s.", d.lang, spelled(d.forms))
	d.put("")
	if about && d.w.draftOrNew(d.lang) {
		d.put("[language]\ndraft = true\n")
	}
}

func (w *Words) draftOrNew(lang string) bool { return w.messages[lang] == nil || w.draft(lang) }

// line writes one line of the English file for the other language: with its own sentence, or in
// English behind a sign (#), which it counts as missing.
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
		if d.table == "language" && line == "[language]" && d.w.draftOrNew(d.lang) {
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

// plural writes the forms of the sentence that has just ended.
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
		if form := formOf(said, f.Name); form != "" {
			d.put("%s = %s", f.Name, quoted(form))
		} else if english, ok := d.many[f.Name]; ok {
			d.put("# %s = %s", f.Name, english)
		} else {
			d.put("# %s = %s", f.Name, d.many["other"])
		}
	}
	d.many = nil
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

// quoted is a text as TOML has it.
func quoted(text string) string { return `"` + escaped.Replace(unmarked(text)) + `"` }
