package main

import (
	"knobel/bot/words"
	"knobel/games"
)

// sentence puts an error into words: a refusal is said, every other error is
// a sentence already.
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
