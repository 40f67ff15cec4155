// Package wordstest makes up a language from the English sentences, longer and in brackets, so that tests can check
// that a language consists of files only, and find texts of any other language.
package wordstest

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"knobel/bot/words"
)

// Code is the made-up language's code. Platforms know this language, and it has more plural forms than English.
var Code = unspoken("pl", "lt", "uk", "cs", "hr")

// unspoken returns the first of the language codes that has no translation.
func unspoken(codes ...string) string {
	for _, code := range codes {
		if _, err := fs.Stat(words.Own, code+".toml"); err != nil {
			return code
		}
	}
	panic("all of these are translated: name another language with few and many")
}

// Speak returns a bot's words in all languages, the made-up one included. systems are the message files of its games.
func Speak(t testing.TB, systems ...fs.FS) *words.Words {
	t.Helper()
	all := append([]fs.FS{}, systems...)
	for _, from := range append([]fs.FS{words.Own}, systems...) {
		english, err := fs.ReadFile(from, "en.toml")
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := toml.Unmarshal(english, &tree); err != nil {
			t.Fatal(err)
		}
		var made bytes.Buffer
		if err := toml.NewEncoder(&made).Encode(table(nil, tree)); err != nil {
			t.Fatal(err)
		}
		all = append(all, fstest.MapFS{Code + ".toml": {Data: made.Bytes()}})
	}
	said, err := words.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range Check(said) {
		t.Error(fault)
	}
	return said
}

// table returns the made-up sentences for english, a table of sentences whose keys begin with path.
func table(path []string, english map[string]any) map[string]any {
	made := map[string]any{}
	for key, value := range english {
		at := append(path[:len(path):len(path)], key)
		switch value := value.(type) {
		case map[string]any:
			made[key] = table(at, value)
		case string:
			made[key] = sentence(strings.Join(at, "."), value)
		}
	}
	if other, plural := made["other"]; plural && english["one"] != nil {
		made["few"], made["many"] = other, other
	}
	return made
}

// maxShort is the largest number of letters of a sentence whose key contains ".short.".
const maxShort = 10

// sentence returns the made-up sentence for an English one. A text without words, such as a number, is unchanged.
func sentence(key, english string) string {
	switch {
	case key == "language.name":
		return quoted("Another language")
	case key == "language.locales":
		return Code
	case strings.HasPrefix(key, "bot.called.") || strings.HasPrefix(key, "bot.flag.") ||
		strings.Contains(key, ".verb."):
		return strings.Join(strings.Fields(english), "ski ") + "ski"
	case strings.Contains(key, ".short."):
		return fitting(english)
	case !strings.ContainsFunc(held.ReplaceAllString(english, ""), unicode.IsLetter):
		return english // not a sentence
	}
	return quoted(english)
}

// held matches the parts of a sentence that are the same in all languages: arguments, commands and options.
var held = regexp.MustCompile(`\{\{[^}]*\}\}|\{\w+\}|/[a-z]+( [A-Z]+)?|\b[a-z-]+(=|:)[a-z0-9,-]+|\bknobel\b( [a-z]+( --table)?)?`)

// quoted translates an English text into the made-up language.
func quoted(english string) string {
	var b strings.Builder
	b.WriteString("⟦")
	last := 0
	for _, at := range held.FindAllStringIndex(english, -1) {
		b.WriteString(accented.Replace(english[last:at[0]]))
		b.WriteString(english[at[0]:at[1]])
		last = at[1]
	}
	b.WriteString(accented.Replace(english[last:]))
	longer := utf8.RuneCountInString(held.ReplaceAllString(english, "")) * 2 / 5
	const filler = " ęśčzć łóńgęr thąń ít wąś"
	for longer > 0 {
		part := []rune(filler)[:min(longer, utf8.RuneCountInString(filler))]
		b.WriteString(string(part))
		longer -= len(part)
	}
	b.WriteString("⟧")
	return b.String()
}

var accented = strings.NewReplacer("a", "ą", "e", "ę", "i", "í", "o", "ó", "u", "ü", "c", "č", "n", "ń", "s", "ś", "l",
	"ł", "A", "Ą", "E", "Ę", "O", "Ó", "S", "Ś", "T", "Ť")

// fitting returns a made-up word of at most maxShort letters.
func fitting(english string) string {
	made := []rune("⟦" + accented.Replace(english))
	return string(made[:min(len(made), maxShort-1)]) + "⟧"
}

// Strange returns the parts of a text with letters that are not in the made-up language, except names.
func Strange(text string, names ...string) []string {
	for _, name := range names {
		text = strings.ReplaceAll(text, name, "")
	}
	var found []string
	for _, line := range strings.Split(text, "\n") {
		depth, outside := 0, ""
		for _, r := range line {
			switch {
			case r == '⟦':
				depth++
			case r == '⟧':
				depth = max(depth-1, 0)
			case depth == 0:
				outside += string(r)
			}
		}
		// Text that was cut at its end has lost its bracket.
		outside = held.ReplaceAllString(outside, "")
		if strings.ContainsFunc(outside, unicode.IsLetter) {
			found = append(found, fmt.Sprintf("%q in %q", outside, line))
		}
	}
	return found
}
