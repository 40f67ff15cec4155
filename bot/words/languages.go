package words

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// The languages and their names.

// Languages returns the languages that are offered, Default first.
func (w *Words) Languages() []string { return slices.Clone(w.langs) }

// Language is a language as its message file describes it.
type Language struct {
	// Code is the name of its files, a BCP 47 tag: "de".
	Code string
	// Name is its own name: "Deutsch".
	Name string
	// Locales are the tags that platforms list it under: "en-US", "en-GB".
	Locales []string
	// Called are its names in other languages: "German".
	Called []string
}

// Language returns the description of a language.
func (w *Words) Language(code string) Language {
	l := Language{Code: code, Name: code, Locales: []string{code}}
	if name := w.messages[code]["language.name"]; name != nil {
		l.Name = name.Other
	}
	if locales := w.messages[code]["language.locales"]; locales != nil {
		l.Locales = strings.Fields(locales.Other)
	}
	if called := w.messages[code]["language.called"]; called != nil {
		l.Called = strings.Fields(called.Other)
	}
	return l
}

// Called finds a language by its code, its name, or its name in other languages: "de", "Deutsch", "German". It
// returns "" if there is none.
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

// Match returns the first of the asked languages that the bot has (BCP 47 tags; "" is skipped), or "".
func (w *Words) Match(asked ...string) string {
	for _, tag := range asked {
		if slices.Contains(w.langs, tag) {
			return tag // the usual case, without parsing tags
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
