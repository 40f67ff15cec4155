package simulation

import (
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// incidents has something happen to a hall every few minutes until a moment.
func (w *town) incidents(h hall, until time.Time) {
	at := time.Now().Add(time.Minute + time.Duration(w.chance.Int64N(int64(6*time.Minute))))
	if at.After(until) {
		return
	}
	w.agenda.add(at, func() {
		kinds := h.incidents()
		what := kinds[w.chance.IntN(len(kinds))]
		w.trace.tell(h.name(), what.name)
		what.do()
		w.incidents(h, until)
	})
}

// incident is a fault in a hall that no player has caused.
type incident struct {
	name string
	do   func()
}

// later has something happen within some minutes.
func (w *town) later(do func()) {
	w.agenda.add(time.Now().Add(time.Duration(1+w.chance.Int64N(int64(4*time.Minute)))), do)
}

func (g *group) appoint(p *person) { g.chat.Admin(p.telegram()) }

func (c *channel) appoint(p *person) { p.discord(c.w).Permissions |= discordtest.ManageGuild }

func (g *group) welcome() { g.chat.Reopen() }

func (c *channel) welcome() { c.Allow(discordtest.SendMessages) }

func (g *group) incidents() []incident {
	all := []incident{
		{"a message is deleted", func() {
			if m := g.messages(nil); len(m) > 0 {
				g.chat.Delete(whole(m[len(m)-1].id))
			}
		}},
		{"an update comes again", func() {
			if g.last > 0 {
				g.w.telegram.Again(g.last)
			}
		}},
		{"the bot is removed", func() {
			g.chat.Close()
			g.w.later(func() { g.chat.Reopen() })
		}},
		{"Telegram is away", func() {
			g.w.cut("telegram", true)
			g.w.later(func() { g.w.cut("telegram", false) })
		}},
		{"the bot is told to end", func() { g.w.restart(time.Duration(1+g.w.chance.IntN(600)) * time.Second) }},
	}
	if g.grows {
		all = append(all, incident{"the group becomes a supergroup", func() {
			g.grows = false
			g.chat = g.chat.Upgrade([]telegramtest.Announcement{
				telegramtest.OldFirst, telegramtest.NewFirst, telegramtest.Silently,
			}[g.w.chance.IntN(3)])
		}})
	}
	return all
}

func (c *channel) incidents() []incident {
	return []incident{
		{"a message is deleted", func() {
			if m := c.messages(nil); len(m) > 0 {
				c.Remove(m[len(m)-1].id)
			}
		}},
		{"an interaction is going to come again", func() { c.again = true }},
		{"the bot may not write", func() {
			c.Deny(discordtest.SendMessages)
			c.w.later(func() { c.Allow(discordtest.SendMessages) })
		}},
		{"Discord is away", func() {
			c.w.cut("discord", true)
			c.w.later(func() { c.w.cut("discord", false) })
		}},
	}
}
