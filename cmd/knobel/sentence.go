package main

import (
	"knobel/bot/words"
	"knobel/games"
)

// sentence returns an error as a sentence; a refusal is said in the reader's language.
func sentence(w world, err error) string {
	r, refused := games.Refused(err)
	if !refused {
		return err.Error()
	}
	said, broken := sentences()
	if broken != nil {
		return err.Error()
	}
	lang := said.Match(language(w))
	if lang == "" {
		lang = words.Default
	}
	return said.Say(lang, r.Line, words.Context{})
}

// english says a line in English, or returns its key where there are no sentences.
func english(l games.Line) string {
	said, err := sentences()
	if err != nil {
		return l.Key
	}
	return said.Say(words.Default, l, words.Context{})
}
