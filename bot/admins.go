package bot

import (
	"context"
	"time"

	"knobel/bot/chat"
	"knobel/games"
)

// Who may change a chat, as its platform answers; answers are remembered for a short time.

// How long a platform's answer is believed: a yes only for what is shown, as
// whoever changes something is asked about anew. Whoever was refused, becomes an admin
// and tries again has taken longer than that; whoever presses on and on costs the
// platform's budget less than their presses' answers do.
const (
	adminFor    = 3 * time.Minute
	notAdminFor = 3 * time.Second
)

// maxAnswers is how many answers are kept before old ones are looked for.
const maxAnswers = 1000

// known is what a platform has said not long before a moment, nil where it has
// to be asked.
func (a *admins) known(ev chat.Event, at int64) *bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, there := a.answers[[2]string{string(ev.Chat), string(ev.User)}]
	if !there || answer.until <= at {
		return nil
	}
	return &answer.admin
}

// learn keeps an answer that was given at a moment.
func (a *admins) learn(ev chat.Event, admin bool, at int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answers == nil {
		a.answers = map[[2]string]adminAnswer{}
	}
	if len(a.answers) >= maxAnswers {
		for who, answer := range a.answers {
			if answer.until <= at {
				delete(a.answers, who)
			}
		}
		if len(a.answers) >= maxAnswers {
			clear(a.answers)
		}
	}
	believed := notAdminFor
	if admin {
		believed = adminFor
	}
	a.answers[[2]string{string(ev.Chat), string(ev.User)}] = adminAnswer{admin, at + believed.Milliseconds()}
}

// IsAdmin reports whether the platform lets the person change the chat. Where that
// weighs, a yes of before is not believed: they may have been dismissed since.
func (v *Visit) IsAdmin(weighs bool) (bool, error) {
	if v.Event.Admin == nil {
		return false, nil
	}
	_, asked := v.work.answers["admin"]
	if known := v.bot.admins.known(v.Event, v.At); known != nil && !asked && !(*known && weighs) {
		return *known, nil
	}
	answer, err := v.Ask("admin", func(ctx context.Context) (any, error) {
		admin := v.Event.Admin(ctx)
		v.bot.admins.learn(v.Event, admin, v.bot.Now())
		return admin, nil
	})
	if err != nil {
		return false, err
	}
	return answer.(bool), nil
}

// AdminsOnly refuses everybody but those who may change the chat; the key is of
// the sentence that says who may.
func (v *Visit) AdminsOnly(key string) error {
	admin, err := v.IsAdmin(true)
	if err == nil && !admin {
		err = games.Refuse(key, nil)
	}
	return err
}
