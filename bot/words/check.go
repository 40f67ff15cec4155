package words

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// maxNamed is how many missing sentences of a language are listed before they are only counted.
const maxNamed = 5

// Check returns a sentence for every fault of the message files: a missing key, an invalid sentence, other arguments
// than in the default language, and one for all missing plural forms of a language. Many missing keys are one fault.
// A draft may lack any.
func (w *Words) Check() []string {
	var faults []string
	for _, lang := range slices.Sorted(maps.Keys(w.messages)) {
		for _, key := range w.Keys(lang) {
			faults = append(faults, w.checkMessage(lang, key)...)
		}
		if w.draft(lang) {
			continue
		}
		lacks := slices.DeleteFunc(w.Keys(Default), func(key string) bool { return w.messages[lang][key] != nil })
		if len(lacks) > maxNamed {
			faults = append(faults, fmt.Sprintf("%s lacks %d sentences: put draft = true back, or run knobel words %s",
				lang, len(lacks), lang))
			continue
		}
		for _, key := range lacks {
			faults = append(faults, fmt.Sprintf("%s lacks %s", lang, key))
		}
		faults = append(faults, w.checkForms(lang)...)
	}
	return faults
}

func (w *Words) checkMessage(lang, key string) []string {
	theirs, err := fields(w.messages[lang][key])
	if err != nil {
		return []string{fmt.Sprintf("%s in %s: %v", key, lang, err)}
	}
	first := w.messages[Default][key]
	if first == nil {
		return []string{fmt.Sprintf("%s stands only in %s", key, lang)}
	}
	if ours, err := fields(first); err == nil && !slices.Equal(ours, theirs) {
		return []string{fmt.Sprintf("%s uses %v in %s and %v in %s", key, theirs, lang, ours, Default)}
	}
	return nil
}

// checkForms returns one sentence on a language's plural forms and the sentences that lack some.
func (w *Words) checkForms(lang string) []string {
	forms := Forms(lang)
	var lacking []string
	for _, key := range w.Keys(lang) {
		first, theirs := w.messages[Default][key], w.messages[lang][key]
		if first != nil && first.One != "" &&
			slices.ContainsFunc(forms, func(f Form) bool { return f.Of(theirs) == "" }) {
			lacking = append(lacking, key)
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s has the plural forms %s; %d of its sentences lack one: %s",
		lang, Spelled(forms), len(lacking), strings.Join(lacking, ", "))}
}

// fields returns the sorted names of the arguments in all forms of a message, or the error of a form that is invalid,
// missing or empty.
func fields(m *i18n.Message) ([]string, error) {
	found := map[string]bool{}
	if m.Other == "" {
		return nil, errors.New("there is no sentence")
	}
	for _, form := range []string{m.Zero, m.One, m.Two, m.Few, m.Many, m.Other} {
		parsed, err := template.New("").Parse(form)
		if err != nil {
			return nil, err
		}
		for _, node := range parsed.Root.Nodes {
			action, isAction := node.(*parse.ActionNode)
			if !isAction {
				continue
			}
			name, isField := strings.CutPrefix(action.String(), "{{.")
			name, closed := strings.CutSuffix(name, "}}")
			if !isField || !closed || strings.ContainsAny(name, " .|") {
				return nil, fmt.Errorf("%s is more than an argument", action)
			}
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// Arguments returns the names of a sentence's arguments, sorted.
func (w *Words) Arguments(key string) []string {
	m := w.messages[Default][key]
	if m == nil {
		return nil
	}
	names, err := fields(m)
	if err != nil {
		return nil
	}
	return names
}
