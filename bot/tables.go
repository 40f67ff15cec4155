package bot

// The setting by which answers hold tables, where a platform can draw some.

import (
	"strings"

	"knobel/games"
)

// The values of the setting "tables", as they are stored and written. Plain is the default: a bot cannot
// know what the programs of those who read can draw.
const (
	tablesPlain = "plain"
	tablesRich  = "rich"
)

// tablesSetting is how tables are drawn.
func tablesSetting() Setting {
	return Setting{
		Name: "tables", Label: "bot.settings.tables", About: "bot.settings.tables-about",
		How: "bot.settings.tables-how", Elsewhere: "bot.settings.tables-elsewhere", Fades: true, Named: true,
		Reads: readTables, Says: sayTables, Offers: []string{tablesPlain, tablesRich},
	}
}

func readTables(b *Bot, said string) (string, bool) {
	switch {
	case strings.EqualFold(said, tablesPlain) || b.Means("bot.settings.tables-plain", said):
		return "", true
	case strings.EqualFold(said, tablesRich) || b.Means("bot.settings.tables-rich", said):
		return tablesRich, true
	}
	return "", false
}

func sayTables(_ *Bot, value string) games.Line {
	if value == tablesRich {
		return games.Say("bot.settings.tables-rich", nil)
	}
	return games.Say("bot.settings.tables-plain", nil)
}

// Tables reports whether the chat wants tables drawn as such.
func (c Settings) Tables() bool { return c["tables"] == tablesRich }
