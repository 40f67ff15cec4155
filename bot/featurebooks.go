package bot

import "knobel/games"

// Feature returns what they add to the bot.
func (b *Books) Feature() Feature {
	return Feature{
		Zone: func(v *visit, was, now custom) error { return b.Visit(v).keepEvenings(was, now) },
		Commands: []command{{name: "settle", subject: toCount, run: as(b.Visit, (*bookVisit).settleCommand), whole: "what",
			options: []option{{name: "what", about: games.Say("bot.option.what", nil), open: true}}}},
	}
}
