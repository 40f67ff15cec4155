package bot

import "knobel/games"

// Feature returns what they add to the bot.
func (b *People) Feature() Feature {
	return Feature{
		Loops: []Loop{{Wake: b.forgetting, Waits: "what is forgotten is in the file still", Look: b.forgets()}},
		Commands: []command{
			{name: "privacy", subject: ofSelf, run: as(b.Visit, (*personVisit).privacyCommand)},
			{name: "mydata", subject: ofSelf, run: as(b.Visit, (*personVisit).mydataCommand)},
			{name: "forget", subject: ofSelf, run: as(b.Visit, (*personVisit).forgetCommand), whole: "answer",
				options: []option{{name: "answer", about: games.Say("bot.option.forget", nil), open: true}}},
		},
	}
}
