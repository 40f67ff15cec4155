package table

import (
	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"strconv"
	"strings"
)

// What a chat can set about its tables: quiet hours, and when idle tables are closed.

// settingTable lists these settings.
func (b *Tables) settingTable() []bot.Setting {
	return []bot.Setting{
		{
			Name: "quiet", Label: "bot.settings.quiet", About: "bot.settings.quiet-about", How: "bot.settings.quiet-how",
			Reads: readQuiet, Says: sayQuiet,
			Changed: func(v *bot.Visit, was, now bot.Settings) error { return b.Visit(v).quietChanged(was, now) },
			Offers:  []string{"22-8", "23-7", "0-9", "none"},
		},
		{
			Name: "idle", Label: "bot.settings.idle", About: "bot.settings.idle-about", How: "bot.settings.idle-how",
			Reads: readIdle, Says: sayIdle,
			Offers: []string{"1", "3", "7", "14", "30", "0"},
		},
	}
}

func readQuiet(b *bot.Bot, said string) (string, bool) {
	if b.MeansNone(said) {
		return "", true
	}
	from, to, ok := parseQuiet(strings.TrimSpace(said))
	return clockTime(from) + "-" + clockTime(to), ok
}

func sayQuiet(_ *bot.Bot, value string) games.Line {
	if value == "" {
		return games.Say("bot.settings.none", nil)
	}
	return games.Say("bot.text", games.Args{"Text": strings.ReplaceAll(value, "-", "–")})
}

// QuietOf are the hours of a chat in which clocks stand still.
func QuietOf(set bot.Settings, b *bot.Bot) Quiet {
	from, to, some := parseQuiet(set["quiet"])
	if !some {
		return Quiet{} // and no zone is read from a file
	}
	return Quiet{zone: set.Zone(b), from: from, to: to}
}

func readIdle(b *bot.Bot, said string) (string, bool) {
	if b.MeansNone(said) {
		return "0", true
	}
	days, err := strconv.Atoi(strings.TrimSpace(said))
	switch {
	case err != nil || days < 0 || days > board.MaxIdle:
		return "", false
	case days == board.UsualIdle:
		return "", true
	}
	return strconv.Itoa(days), true
}

func sayIdle(_ *bot.Bot, value string) games.Line {
	switch days := board.IdleDays(bot.Settings{"idle": value}); days {
	case 0:
		return games.Say("bot.settings.never", nil)
	default:
		return games.Say("bot.days", games.Args{"N": days})
	}
}
