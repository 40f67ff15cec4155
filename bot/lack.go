package bot

import (
	"knobel/bot/words"
	"knobel/games"
)

// Lack is what the bot has to do in a place and may not. It is an error where it
// keeps something from being done that somebody asked for.
type Lack struct {
	// Permissions are the names of what is missing, as the platform's own client
	// shows them in the reader's language.
	Permissions games.List
	// Where says where in that client they are granted.
	Where games.Line
}

// None says that nothing is missing.
func (l Lack) None() bool { return len(l.Permissions) == 0 }

// Error says that something is missing; what, the person reads as a line.
func (l Lack) Error() string { return "the bot lacks permissions there" }

// line is a sentence about what is missing.
func (l Lack) line(key string) games.Line {
	return games.Say(key, games.Args{"Permissions": l.Permissions, "Where": l.Where})
}

// Lacks is what the person who has written a command reads elsewhere about
// ev.Missing: for an adapter that could not answer where it was written.
func (b *Bot) Lacks(ev Event) Message {
	lang := b.languageOf(ev, "")
	line := ev.Missing.line("bot.missing-there")
	line.Args["Command"] = repeated(ev.Command, mostName)
	return Message{Lang: lang, Head: b.words.Say(lang, line, words.Context{}), Accent: -1}
}

// lacks tells whoever asks for a board what keeps the bot from drawing it here,
// and whoever presses a button of one that cannot follow.
func (v *visit) lacks() {
	lack := v.ev.Missing
	if lack.None() || v.reply.Board == 0 {
		return
	}
	if v.ev.Command != "" {
		if v.reply.Private == nil {
			v.private(lack.line("bot.missing"))
		}
		return
	}
	if v.ev.Carries || v.reply.Private != nil {
		return // the answer to the press draws it
	}
	said := v.say(games.Say("bot.missing-briefly", games.Args{"Permissions": lack.Permissions}))
	if v.reply.Toast != "" {
		said = v.reply.Toast + " " + said
	}
	v.reply.Toast = shorten(said, mostToast)
}
