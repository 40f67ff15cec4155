package discord

import (
	"knobel/bot/chat"
	"knobel/games"
)

// Discord's permission bits.
const (
	viewChannel   = 1 << 10
	sendMessages  = 1 << 11
	readHistory   = 1 << 16
	openThreads   = 1 << 35
	sendInThreads = 1 << 38
)

// permission is a permission and its name in Discord's client.
type permission struct {
	bit  uint64
	name games.Line
}

// Permissions for boards in a channel, in a thread, and for opening a thread.
var (
	toView   = permission{viewChannel, games.Say("bot.discord.view", nil)}
	toSend   = permission{sendMessages, games.Say("bot.discord.send", nil)}
	toThread = permission{sendInThreads, games.Say("bot.discord.send-in-threads", nil)}
	toOpen   = permission{openThreads, games.Say("bot.discord.open-threads", nil)}

	inChannels = []permission{toView, toSend}
	inThreads  = []permission{toView, toThread}
	forThreads = []permission{toView, toThread, toOpen}
	inGuilds   = []permission{toView, toSend, toThread}
)

// The types of threads, and of channels that can hold threads with the type of the thread.
var (
	threads = []int{10, 11, 12}
	opens   = map[int]int{0: 11, 5: 10}
)

// lacking returns the needed permissions that are missing in may.
func lacking(may uint64, needed []permission) (l chat.MissingPermissions) {
	if may&administrator != 0 {
		return l
	}
	for _, p := range needed {
		if may&p.bit == 0 {
			l.Permissions = append(l.Permissions, p.name)
		}
	}
	if !l.None() {
		l.Where = games.Say("bot.discord.where", nil)
	}
	return l
}
