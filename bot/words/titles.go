package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Title is an operator's name for a game or a variant with a command of its own.
type Title struct {
	Key     string // of the sentence with the name
	Title   string // replaces it in all languages
	Was     string // the name of the command
	Command string // replaces it
}

// Entitle replaces a game's names and commands by titles in all its sentences and languages: all at once, as a title
// may contain a replaced name. It must be called once, before any Say.
func (w *Words) Entitle(game string, all []Title) error {
	for lang, said := range w.messages {
		var pairs [][2]string
		for _, t := range all {
			if name := said[t.Key]; name != nil {
				pairs = append(pairs, [2]string{name.Other, t.Title})
				for _, behind := range []string{end, " "} {
					pairs = append(pairs, [2]string{begin + t.Was + behind, begin + t.Command + behind})
				}
			}
		}
		slices.SortStableFunc(pairs, func(a, b [2]string) int { // the longer of two with the same beginning
			return cmp.Compare(len(b[0]), len(a[0]))
		})
		var flat []string
		for _, pair := range pairs {
			flat = append(flat, pair[:]...)
		}
		calls := strings.NewReplacer(flat...)
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
