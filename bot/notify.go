package bot

import (
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// The values of the one option of /notify.
const (
	notifyOn  = "on"
	notifyOff = "off"
)

// notifyOptions are the options of /notify.
func notifyOptions() []option {
	return []option{{
		name: "calls", about: games.Say("bot.option.calls", nil),
		choices: []choice{{notifyOn, games.Say("bot.notify.on", nil)}, {notifyOff, games.Say("bot.notify.off", nil)}},
	}}
}

// notifyCommand says whether the person is called when it is their turn, or
// changes that: for themselves, in all chats.
func (v *visit) notifyCommand(w wishes) error {
	switch w["calls"] {
	case notifyOn, notifyOff:
		return v.notify(w["calls"] == notifyOn)
	case "":
		return v.notifyPage()
	}
	return noSuchWord(w["calls"], []string{notifyOn, notifyOff})
}

// notify turns the person's calls on or off. A call to them that stands where
// they say so goes at once.
func (v *visit) notify(on bool) error {
	v.player.Uncalled = !on
	if err := v.tx.SavePlayer(v.player); err != nil {
		return err
	}
	if on {
		v.toast("bot.notify.turned-on", nil)
		return nil
	}
	v.toast("bot.notify.turned-off", nil)
	t, err := v.here()
	if _, none := games.Refused(err); none {
		return nil
	}
	if err != nil {
		return err
	}
	return v.unsummon(t)
}

// notifyPage says how it is, with a button for each way.
func (v *visit) notifyPage() error {
	set, err := v.customs(v.chat.ID)
	if err != nil {
		return err
	}
	head := games.Say("bot.notify.is-on", nil)
	if v.player.Uncalled {
		head = games.Say("bot.notify.is-off", nil)
	}
	m := v.private(head, games.Say("bot.notify.how", games.Args{"Seconds": int(callAfter.Seconds())}))
	if !set.calls() {
		m.Lines = append(m.Lines, v.say(games.Say("bot.notify.not-here", nil)))
	}
	m.Buttons = [][]chat.Button{{
		v.button(games.Say("bot.button.calls-on", nil), "/notify on", chosen(!v.player.Uncalled)),
		v.button(games.Say("bot.button.calls-off", nil), "/notify off", chosen(v.player.Uncalled)),
	}}
	return nil
}

// readCalls reads whether people are called in a chat, as they usually are.
func readCalls(b *Bot, said string) (string, bool) {
	switch {
	case strings.EqualFold(said, notifyOn) || b.means("bot.notify.on", said):
		return "", true
	case strings.EqualFold(said, notifyOff) || b.means("bot.notify.off", said):
		return notifyOff, true
	}
	return "", false
}

func sayCalls(_ *Bot, value string) games.Line {
	if value == notifyOff {
		return games.Say("bot.notify.off", nil)
	}
	return games.Say("bot.notify.on", nil)
}

// calls says whether people are called in a chat.
func (c custom) calls() bool { return c["calls"] != notifyOff }
