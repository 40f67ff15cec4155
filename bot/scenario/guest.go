package scenario

import (
	"strings"

	"knobel/bot/telegram/telegramtest"
)

// Foreign is a chat on Telegram of which the bot is no member, with the people of a group.
type Foreign struct {
	*Group
	There *telegramtest.Foreign
}

// Abroad returns a chat on Telegram of which the bot is no member. It has the group's people and its number.
func (g *Group) Abroad() *Foreign { return &Foreign{g, g.Server.Foreign(g.Chat.ID())} }

// Write mentions the bot with a command.
func (f *Foreign) Write(who int, line string) Deed {
	query := f.There.Mention((*f.People)[who], "@"+f.Server.Username()+" "+strings.TrimPrefix(line, "/"))
	return func() (string, bool) { return "", f.Server.Sent(query) != "" }
}

// Messages returns the bot's messages there and, behind them, those in the private chat of person number who (-1:
// none).
func (f *Foreign) Messages(who int) (all []Message) {
	for _, m := range f.There.Messages() {
		a := Message{ID: inline + m.Inline, Text: m.Text, Edits: m.Edits}
		for _, row := range m.Keyboard {
			for _, b := range row {
				a.Buttons = append(a.Buttons, Button{Label: b.Text, Data: b.Data, Picked: b.Style == "success"})
			}
		}
		all = append(all, a)
	}
	for _, m := range f.Group.Messages(who) {
		if m.Alone {
			all = append(all, m)
		}
	}
	return all
}

// inline is the prefix of the ids of messages in a foreign chat.
const inline = "inline "

// Press presses the button with this data in the message with the id on.
func (f *Foreign) Press(who int, on, data string) Deed {
	id, foreign := strings.CutPrefix(on, inline)
	if !foreign {
		return f.Group.Press(who, on, data)
	}
	return f.answer(f.There.PressData((*f.People)[who], id, data))
}

// Remove deletes a message.
func (f *Foreign) Remove(message string) { f.There.Delete(strings.TrimPrefix(message, inline)) }
