package gametest

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"knobel/games"
)

// words holds the sentences of a game: by language, then by key. The plural forms of a sentence share one key.
type words map[string]map[string]string

// plurals holds the keys of a message file for the plural forms of one sentence.
var plurals = [...]string{"zero", "one", "two", "few", "many", "other"}

// readWords returns the sentences of a game from its message files, one per language: w holds finished languages,
// drafts the others. A file "sheet.en.toml", of a family of games, supplies sentences that are missing in "en.toml".
func readWords(t *testing.T, g games.Game) (w, drafts words) {
	t.Helper()
	w, drafts = words{}, words{}
	shared := words{}
	files, err := fs.ReadDir(g.Words(), ".")
	Check(t, err)
	for _, f := range files {
		language, ok := strings.CutSuffix(f.Name(), ".toml")
		family, of, isFamily := strings.Cut(language, ".")
		if !ok || strings.Contains(of, ".") {
			t.Errorf("%s is not named like a message file: one for each language, such as en.toml", f.Name())
			continue
		}
		text, err := fs.ReadFile(g.Words(), f.Name())
		Check(t, err)
		said := scan(text)
		if isFamily {
			shared[of] = map[string]string{}
			for key, sentence := range said {
				shared[of][g.Name()+strings.TrimPrefix(key, family)] = sentence
			}
			continue
		}
		if strings.TrimSpace(said["language.draft"]) == "true" {
			t.Logf("%s is a draft", f.Name())
			drafts[language] = said
			continue
		}
		w[language] = said
	}
	for language, said := range shared {
		for key, sentence := range said {
			if _, own := w[language][key]; !own && w[language] != nil {
				w[language][key] = sentence
			}
		}
	}
	return w, drafts
}

// scan returns the texts of a message file by key. Its TOML has one text per line, or texts between triple quotes.
func scan(text []byte) map[string]string {
	found := map[string]string{}
	table, open, openKey := "", "", ""
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if open != "" {
			found[openKey] += line + "\n"
			if strings.HasSuffix(line, open) {
				open = ""
			}
			continue
		}
		if name, ok := strings.CutPrefix(line, "["); ok {
			table = strings.ReplaceAll(strings.TrimSuffix(name, "]"), `"`, "")
			continue
		}
		key, sentence, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		key = strings.ReplaceAll(strings.TrimSpace(key), `"`, "")
		sentence = strings.TrimSpace(sentence)
		full := strings.Trim(table+"."+key, ".")
		if slices.Contains(plurals[:], key) {
			full = table
		}
		found[full] += sentence + "\n"
		for _, quotes := range []string{`"""`, "'''"} {
			if strings.HasPrefix(sentence, quotes) && (len(sentence) < 6 || !strings.HasSuffix(sentence, quotes)) {
				open, openKey = quotes, full
			}
		}
	}
	return found
}

// maxAbout is the largest number of characters of a description in a menu, maxLabel that of a button.
const maxAbout, maxLabel = 100, 34

// maxNamed is the largest number of missing sentences that are listed one by one.
const maxNamed = 5

// dropUnfinished removes languages that lack more than maxNamed sentences, and returns a fault for each.
func (w words) dropUnfinished() (faults []string) {
	for _, language := range slices.Sorted(maps.Keys(w)) {
		missing := 0
		for key := range w["en"] {
			if _, ok := w[language][key]; !ok {
				missing++
			}
		}
		if missing > maxNamed {
			faults = append(faults, fmt.Sprintf("%s lacks %d sentences: put draft = true back, or run knobel words %s",
				language, missing, language))
			delete(w, language)
		}
	}
	return faults
}

// compare returns faults of the sentences in drafts: keys that w["en"] does not have, and sentences whose arguments are
// not those of the English sentence. Missing sentences are not a fault.
func (w words) compare(drafts words) (faults []string) {
	for _, language := range slices.Sorted(maps.Keys(drafts)) {
		for _, key := range slices.Sorted(maps.Keys(drafts[language])) {
			if strings.HasPrefix(key, "language.") {
				continue
			}
			english, ok := w["en"][key]
			ours, theirs := sortedArguments(english), sortedArguments(drafts[language][key])
			if !ok {
				faults = append(faults, fmt.Sprintf("%s stands only in %s", key, language))
			} else if !slices.Equal(ours, theirs) {
				faults = append(faults, fmt.Sprintf("%s uses %v in %s and %v in en", key, theirs, language, ours))
			}
		}
	}
	return faults
}

// sortedArguments returns the names of the arguments that a sentence uses, sorted, each once.
func sortedArguments(sentence string) []string {
	names := argumentNames(sentence)
	slices.Sort(names)
	return slices.Compact(names)
}

// check tests that all languages have the same keys, all of them with the game's name as their prefix, that texts are
// not too long, and that drafts have no faults.
func (w words) check(t *testing.T, g games.Game, drafts words) {
	for _, fault := range slices.Concat(w.dropUnfinished(), w.compare(drafts), w.compare(w)) {
		t.Error(fault)
	}
	for language := range w {
		for key, sentence := range w[language] {
			if !strings.HasPrefix(key, g.Name()+".") {
				t.Errorf("%s: the key %s does not begin with the game's name", language, key)
			}
			if strings.Trim(sentence, "\"' \n") == "" {
				t.Errorf("%s: the key %s says nothing", language, key)
			}
			menu, button := strings.HasSuffix(key, ".about"), strings.HasPrefix(key, g.Name()+".button.")
			for form := range strings.Lines(sentence) {
				if n := len([]rune(strings.TrimSpace(form))) - 2; menu && n > maxAbout || button && n > maxLabel {
					t.Errorf("%s: %s has %d characters: %s", language, key, n, form)
				}
			}
			for other := range w {
				if _, ok := w[other][key]; !ok {
					t.Errorf("the key %s is in %s, not in %s", key, language, other)
				}
			}
		}
	}
	if w["en"] == nil || w["de"] == nil {
		t.Error("a game speaks English and German at least")
	}
	for _, fault := range w.checkNameKeys(g) {
		t.Error(fault)
	}
}

// checkNameKeys returns faults of the keys that the bot builds from the names of a game's variants, options and
// computer players: missing ones, and keys of names that the game does not have.
func (w words) checkNameKeys(g games.Game) (faults []string) {
	required := map[string]string{"name": "what the game is called", "about": "one line about the game"}
	known := map[string][]string{"variant": nil, "option": nil, "house": nil}
	for _, v := range g.Variants() {
		known["variant"] = append(known["variant"], v.Name)
		required["variant."+v.Name+".name"] = "what variant " + v.Name + " is called"
		required["variant."+v.Name+".about"] = "one line about variant " + v.Name
	}
	for _, o := range g.Options() {
		known["option"] = append(known["option"], o.Name)
		required["option."+o.Name+".name"] = "what option " + o.Name + " is called"
		required["option."+o.Name+".about"] = "one line about option " + o.Name
	}
	for _, h := range g.Houses() {
		known["house"] = append(known["house"], h.Name)
		required["house."+h.Name] = "what house player " + h.Name + " is called"
	}
	for language, sentences := range w {
		for _, key := range slices.Sorted(maps.Keys(required)) {
			if sentences[g.Name()+"."+key] == "" {
				faults = append(faults, fmt.Sprintf("%s lacks %s.%s: %s", language, g.Name(), key, required[key]))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(sentences)) {
			parts := strings.Split(strings.TrimPrefix(key, g.Name()+"."), ".")
			names, named := known[parts[0]]
			if named && len(parts) > 1 && !slices.Contains(names, parts[1]) {
				faults = append(faults, fmt.Sprintf("%s has %s, and the game has no %s %s", language, key, parts[0],
					parts[1]))
			}
			lower := func(key string) string { return strings.ToLower(strings.Trim(sentences[key], "\"' \n")) }
			name := lower(g.Name() + "." + strings.Join(parts[:min(2, len(parts))], ".") + ".name")
			if parts[0] == "option" && len(parts) == 4 && parts[1] != games.Hints && name != "" &&
				strings.HasPrefix(lower(key), name+" ") {
				faults = append(faults, fmt.Sprintf("%s has %s, and boards say %q before it", language, key, name+": "))
			}
			if last := len(parts) - 1; parts[0] == "first" && parts[last] != "throw" && parts[last] != "choose" {
				faults = append(faults, fmt.Sprintf("%s has %s, and nobody looks it up: a first step is throw or "+
					"choose", language, key))
			}
		}
	}
	return faults
}

// argumentNames returns the names of the arguments that a sentence uses, in their order: {{.Seat}}, {{- .Seat}}. It is
// called for every line of every position, so it avoids a regular expression.
func argumentNames(sentence string) (names []string) {
	for {
		_, rest, more := strings.Cut(sentence, "{{")
		if !more {
			return names
		}
		sentence = rest
		name, dot := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(rest, "-"), " \t\n"), ".")
		end := strings.IndexFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		})
		if dot && end > 0 {
			names = append(names, name[:end])
		}
	}
}

// checkLine tests that a line can be shown in every language: its key exists and it has all arguments of the sentence;
// likewise for lines within its arguments. what names the line in errors. Keys beginning with "games." are common to
// all games and ignored.
func (w words) checkLine(t *testing.T, what string, line games.Line) {
	for _, fault := range w.faults(line) {
		t.Helper() // only on failure, because it walks the whole stack
		t.Errorf("%s: %s", what, fault)
	}
}

// checkLog tests that the log can show the move in every language.
func (w words) checkLog(t *testing.T, played games.Played) {
	for _, line := range played.Log() {
		w.checkLine(t, fmt.Sprintf("the log about %q", played.Move), line.Said)
	}
}

// checkYou tests that a line that names its seat can also be said to the player at that seat.
func (w words) checkYou(t *testing.T, line games.Line) {
	if sentence, _ := w.sentence("en", line.Key); slices.Contains(argumentNames(sentence), "Seat") {
		w.checkLine(t, "said to the seat itself", line.You())
	}
}

// faults returns the reasons why a line cannot be shown.
func (w words) faults(line games.Line) []string {
	faults := w.keyFaults(line.Key, line.Args)
	for name, arg := range line.Args {
		switch arg := arg.(type) {
		case games.Seat, games.Faces, games.Tiles, games.Decimal, games.Number, int, string:
		case games.Word:
			faults = append(faults, w.keyFaults(string(arg), nil)...)
		case games.Line:
			faults = append(faults, w.faults(arg)...)
		case games.List:
			for _, part := range arg {
				faults = append(faults, w.faults(part)...)
			}
		default:
			faults = append(faults, fmt.Sprintf("%s: nobody can say the argument %s, a %T", line.Key, name, arg))
		}
		if _, ok := arg.(int); name == "N" && !ok {
			faults = append(faults, fmt.Sprintf("%s: N is %v, no whole number", line.Key, arg))
		}
	}
	return faults
}

// sentence returns the sentence with key in a language: of "coin.variant.V.row", that of "coin.row" if it is missing.
func (w words) sentence(language, key string) (sentence string, ok bool) {
	if sentence, ok = w[language][key]; ok {
		return sentence, true
	}
	if game, rest, isVariant := strings.Cut(key, ".variant."); isVariant {
		_, general, _ := strings.Cut(rest, ".")
		key = game + "." + general
		if w[usedKeys] != nil {
			w[usedKeys][key] = ""
		}
	}
	sentence, ok = w[language][key]
	return sentence, ok
}

// keyFaults returns the reasons why a sentence with key and args cannot be shown, and stores the key under usedKeys.
func (w words) keyFaults(key string, args games.Args) (faults []string) {
	if strings.HasPrefix(key, "games.") {
		return nil
	}
	if w[usedKeys] != nil {
		w[usedKeys][key] = ""
	}
	for language := range w {
		sentence, ok := w.sentence(language, key)
		if !ok {
			faults = append(faults, fmt.Sprintf("the key %q is missing in %s", key, language))
			continue
		}
		for _, name := range argumentNames(sentence) {
			if _, isGiven := args[name]; !isGiven {
				faults = append(faults, fmt.Sprintf("%s in %s asks for %s, given are %v", key, language, name, args))
			}
		}
	}
	return faults
}
