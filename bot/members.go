package bot

// Who is in a chat, according to its platform.

import "knobel/bot/chat"

// comings stores which of the people whom the bot has met have joined or left the chat. Of others
// it stores nothing.
func (v *Visit) comings() error {
	for _, player := range v.Event.Left {
		known, err := v.Tx.Player(string(player))
		if err != nil {
			return err
		}
		if known.Name == "" && known.Language == "" {
			continue
		}
		if err := v.Tx.Leave(string(v.Event.Chat), string(player), true); err != nil {
			return err
		}
		err = v.bot.follow(func(f Feature) error {
			if f.Left == nil {
				return nil
			}
			return f.Left(v, string(player), string(v.Event.Chat))
		})
		if err != nil {
			return err
		}
	}
	for _, player := range v.Event.Joined {
		if err := v.Returned(player); err != nil {
			return err
		}
	}
	return nil
}

// Returned stores that a person who had left the chat is in it again.
func (v *Visit) Returned(player chat.User) error {
	unlisted, err := v.Tx.UnlistedOf(string(v.Event.Chat), string(player))
	if err != nil || !unlisted.Gone {
		return err
	}
	return v.Tx.Leave(string(v.Event.Chat), string(player), false)
}
