package wordstest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"knobel/bot/words"
)

// maxNamed is the largest number of missing sentences of a language that are listed; more are only counted.
const maxNamed = 5

// Check returns the faults of the message files, a sentence each: a missing key, an invalid sentence, arguments other
// than in the default language. All missing plural forms of a language are one fault, like more than maxNamed
// missing keys. Drafts may lack keys and plural forms.
func Check(w *words.Words) (faults []string) {
	drafts := w.Drafts()
	for _, lang := range slices.Sorted(slices.Values(append(w.Languages(), drafts...))) {
		for _, key := range w.Keys(lang) {
			if fault := faultOf(w, lang, key); fault != "" {
				faults = append(faults, fault)
			}
		}
		if slices.Contains(drafts, lang) {
			continue
		}
		lacks := slices.DeleteFunc(w.Keys(words.Default), func(key string) bool { return w.Message(lang, key) != nil })
		if len(lacks) > maxNamed {
			faults = append(faults, fmt.Sprintf("%s lacks %d sentences: put draft = true back, or run knobel words %s",
				lang, len(lacks), lang))
			continue
		}
		for _, key := range lacks {
			faults = append(faults, fmt.Sprintf("%s lacks %s", lang, key))
		}
		forms := words.Forms(lang)
		lacking := slices.DeleteFunc(w.Keys(lang), func(key string) bool {
			first, theirs := w.Message(words.Default, key), w.Message(lang, key)
			return first == nil || first.One == "" ||
				!slices.ContainsFunc(forms, func(f words.Form) bool { return f.Of(theirs) == "" })
		})
		if len(lacking) > 0 {
			faults = append(faults, fmt.Sprintf("%s has the plural forms %s; %d of its sentences lack one: %s",
				lang, words.Spelled(forms), len(lacking), strings.Join(lacking, ", ")))
		}
	}
	return faults
}

// faultOf returns the fault of a sentence, such as other arguments than in the default language, or "".
func faultOf(w *words.Words, lang, key string) string {
	theirs, err := fields(w.Message(lang, key))
	if err != nil {
		return fmt.Sprintf("%s in %s: %v", key, lang, err)
	}
	first := w.Message(words.Default, key)
	if first == nil {
		return fmt.Sprintf("%s stands only in %s", key, lang)
	}
	if ours, err := fields(first); err == nil && !slices.Equal(ours, theirs) {
		return fmt.Sprintf("%s uses %v in %s and %v in %s", key, theirs, lang, ours, words.Default)
	}
	return ""
}

// fields returns the sorted names of the arguments in all forms of a message, or the error of a form that is invalid,
// missing or empty.
func fields(m *i18n.Message) ([]string, error) {
	found := map[string]bool{}
	if m.Other == "" {
		return nil, errors.New("no sentence")
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

// Arguments returns the names of a sentence's arguments, sorted; none for an unknown key.
func Arguments(w *words.Words, key string) []string {
	m := w.Message(words.Default, key)
	if m == nil {
		return nil
	}
	names, _ := fields(m)
	return names
}
