package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Title is what an operator has people call a game, or one of its variants that has a command of its own.
type Title struct {
	Key     string // of the sentence that is the name
	Title   string // in its place, in all languages
	Was     string // the name of the command
	Command string // in its place
}

// Entitle has the sentences of a game say titles in place of what their keys say, in all languages, and other commands
// in place of theirs: all at once, as a title may hold a name that another takes the place of. It is done once, before
// anything is said.
func (w *Words) Entitle(game string, all []Title) error {
	for lang, said := range w.messages {
		calls := retitled(said, all)
		var changed []*i18n.Message
		for key, m := range said {
			if !strings.HasPrefix(key, game+".") {
				continue
			}
			for _, form := range []*string{&m.Zero, &m.One, &m.Two, &m.Few, &m.Many, &m.Other} {
				*form = calls.Replace(*form)
			}
			changed = append(changed, m)
		}
		if err := w.bundle.AddMessages(language.Make(lang), changed...); err != nil {
			return fmt.Errorf("words of %s: %w", game, err)
		}
	}
	return nil
}

// retitled replaces the names of a language by titles, and the commands.
func retitled(said map[string]*i18n.Message, all []Title) *strings.Replacer {
	var pairs [][2]string
	for _, t := range all {
		if name := said[t.Key]; name != nil {
			pairs = append(pairs, [2]string{name.Other, t.Title})
			for _, behind := range []string{end, " "} {
				pairs = append(pairs, [2]string{begin + t.Was + behind, begin + t.Command + behind})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b [2]string) int { // of two names that begin alike the longer
		return cmp.Compare(len(b[0]), len(a[0]))
	})
	var flat []string
	for _, pair := range pairs {
		flat = append(flat, pair[:]...)
	}
	return strings.NewReplacer(flat...)
}
