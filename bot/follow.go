package bot

import (
	"strconv"
	"strings"

	"knobel/games"
	"knobel/store"
)

// The setting by which boards follow the talk.

// How many messages may stand below a board before its next change posts it anew: usually about what a
// phone shows at once.
const (
	usualFollow = 15
	leastFollow = 5
	maxFollow   = 50
)

// followSetting is what a chat can set about that.
var followSetting = Setting{
	Name: "follow", Label: "bot.settings.follow", About: "bot.settings.follow-about", How: "bot.settings.follow-how",
	Reads: readFollow, Says: sayFollow,
	Offers: []string{"5", "10", "15", "30", "50", "off"}, Named: true,
}

// Follow returns how many messages may stand below a board of the chat; 0: any number.
func (c Settings) Follow() int {
	value, given := c["follow"]
	messages, err := strconv.Atoi(value)
	if !given || err != nil {
		return usualFollow
	}
	return messages
}

// follow is Follow of a table's chat.
func follow(tx *store.Tx, t store.Table) (int, error) {
	set, err := SettingsOf(tx, t.Chat)
	return set.Follow(), err
}

func readFollow(b *Bot, said string) (string, bool) {
	if b.MeansNone(said) {
		return "0", true
	}
	messages, err := strconv.Atoi(strings.TrimSpace(said))
	switch {
	case err != nil || messages != 0 && (messages < leastFollow || messages > maxFollow):
		return "", false
	case messages == usualFollow:
		return "", true
	}
	return strconv.Itoa(messages), true
}

func sayFollow(_ *Bot, value string) games.Line {
	messages := Settings{"follow": value}.Follow()
	if messages == 0 {
		return games.Say("bot.settings.never", nil)
	}
	return games.Say("bot.settings.follow-after", games.Args{"N": messages})
}
