package bot

import (
	"context"
	"time"

	"knobel/bot/chat"
	"knobel/games"
)

// Who may change a chat, as its platform answers; answers are remembered for a short time.

// The time for which a platform's answer is cached. A yes is cached for what is shown only: a change asks anew. A no is
// cached for less time than it takes to be made an admin and try again, yet long enough that repeated presses cost the
// platform's budget less than the answers to them do.
const (
	adminFor    = 3 * time.Minute
	notAdminFor = 3 * time.Second
)

// maxAnswers is the largest number of cached answers; then all are dropped.
const maxAnswers = 1000

// known returns the cached answer that holds at a moment, or nil if the platform has to be asked.
func (a *admins) known(ev chat.Event, at int64) *bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, there := a.answers[[2]string{string(ev.Chat), string(ev.User)}]
	if !there || answer.until <= at {
		return nil
	}
	return &answer.admin
}

// learn caches an answer that was given at a moment.
func (a *admins) learn(ev chat.Event, admin bool, at int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answers == nil || len(a.answers) >= maxAnswers {
		a.answers = map[[2]string]adminAnswer{}
	}
	believed := notAdminFor
	if admin {
		believed = adminFor
	}
	a.answers[[2]string{string(ev.Chat), string(ev.User)}] = adminAnswer{admin, at + believed.Milliseconds()}
}

// IsAdmin reports whether the platform lets the person change the chat. weighs says that something
// will be changed: then a cached yes does not count, since the person may no longer be an admin.
func (v *Visit) IsAdmin(weighs bool) (bool, error) {
	_, asked := v.work.answers["admin"]
	if known := v.bot.admins.known(v.Event, v.At); known != nil && !asked && !(*known && weighs) {
		return *known, nil
	}
	answer, err := v.Ask("admin", func(ctx context.Context, _ *Core, ev chat.Event) (any, error) {
		admin := ev.Admin != nil && ev.Admin(ctx)
		v.bot.admins.learn(v.Event, admin, v.bot.Now())
		return admin, nil
	})
	if err != nil {
		return false, err
	}
	return answer.(bool), nil
}

// AdminsOnly refuses people who may not change the chat. key is the refusal, which names the admins; if there is a
// host, the refusal names the host instead.
func (v *Visit) AdminsOnly(key string) error { return v.AdminsOr(key, "bot.host-only") }

// AdminsOr refuses in the same way, with a refusal of its own where there is a host.
func (v *Visit) AdminsOr(admins, host string) error {
	admin, err := v.IsAdmin(true)
	if err != nil || admin {
		return err
	}
	return games.Refuse(v.OrHost(admins, host), nil)
}

// OrHost returns the key of a sentence that speaks of admins or, where a room has a host, of the one that
// speaks of the host.
func (v *Visit) OrHost(admins, host string) string {
	if v.Event.Hosted {
		return host
	}
	return admins
}

// OrEquals returns the key of a sentence as OrHost does, or the one for a chat that all may change.
func (v *Visit) OrEquals(admins, host, equals string) string {
	if v.Event.Equals {
		return equals
	}
	return v.OrHost(admins, host)
}
