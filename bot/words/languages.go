package words

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Which languages there are, and which of them somebody means.

// Languages returns the languages that are offered, Default first.
func (w *Words) Languages() []string { return slices.Clone(w.langs) }

// Language is a language as its message file introduces it.
type Language struct {
	// Code is what its files are called: "de". It is a BCP 47 tag.
	Code string
	// Name is what it calls itself: "Deutsch".
	Name string
	// Locales are the tags that platforms list it under: "en-US", "en-GB".
	Locales []string
	// Called is what other languages call it: "German".
	Called []string
}

// Language introduces a language that there is.
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

// Called finds a language by its code, its name, or what it is called in other languages: "de",
// "Deutsch", "German". It is "" where there is none.
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

// Match returns the first language that the bot has among those asked for (BCP 47 tags; "" is
// skipped), or "" if there is none.
func (w *Words) Match(asked ...string) string {
	for _, tag := range asked {
		if slices.Contains(w.langs, tag) {
			return tag // as it nearly always is, without a look at what tags mean
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
