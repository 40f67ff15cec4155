package bot

// Who is in a chat, as far as its platform tells.

import "knobel/bot/chat"

// comings notes who has come into the chat or gone, of those whom the bot has
// met: of others it keeps nothing.
func (v *visit) comings() error {
	for _, player := range v.ev.Left {
		known, err := v.tx.Player(string(player))
		if err != nil {
			return err
		}
		if known.Name == "" && known.Language == "" {
			continue
		}
		if err := v.tx.Leave(string(v.ev.Chat), string(player), true); err != nil {
			return err
		}
		if err := v.withdraws(string(player), string(v.ev.Chat)); err != nil {
			return err
		}
	}
	for _, player := range v.ev.Joined {
		if err := v.back(player); err != nil {
			return err
		}
	}
	return nil
}

// back notes that somebody who had left the chat is there again.
func (v *visit) back(player chat.User) error {
	unlisted, err := v.tx.UnlistedOf(string(v.ev.Chat), string(player))
	if err != nil || !unlisted.Gone {
		return err
	}
	return v.tx.Leave(string(v.ev.Chat), string(player), false)
}
