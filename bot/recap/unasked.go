package recap

import (
	"errors"
	"fmt"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/bot/table"
	"knobel/bot/zone"
	"knobel/games"
	"knobel/store"
)

// The recap that is posted unasked on the day after an evening: a notice with the evening as its subject.

const (
	noticeKind = "recap"
	// usualMinute is the minute of the day at which recaps are posted, leastMinute the earliest one that can be set:
	// an evening ends at six in the morning.
	usualMinute, leastMinute = 10 * 60, 6 * 60
	// lateBy is how late a recap is still posted.
	lateBy = 12 * time.Hour
	// leastPeople is how many people must have finished leastPlayed games each.
	leastPeople, leastPlayed = 2, 2
)

// The settings of a chat with the time of recaps, and the one that says that the chat has had its first recap.
const (
	recapSetting = "recap"
	hadSetting   = "recap-had"
	switchedOff  = "off" // its value for no recaps
)

// setting is the setting of the time at which recaps are posted.
func (b *Recaps) setting() bot.Setting {
	return bot.Setting{
		Name: "recap", Reads: func(b *bot.Bot, input string) (string, bool) {
			if b.MeansNone(input) || b.Means("bot.notify.off", input) {
				return switchedOff, true
			}
			minute, ok := zone.Clock(input)
			if minute == usualMinute {
				return "", ok
			}
			return spellMinute(minute), ok && minute >= leastMinute
		},
		Says: func(_ *bot.Bot, value string) games.Line {
			switch value {
			case switchedOff:
				return games.Say("bot.notify.off", nil)
			case "":
				value = spellMinute(usualMinute)
			}
			return games.Say("bot.text", games.Args{"Text": value})
		},
		Changed: b.move, Spaced: true, Offers: []string{"8:00", "10:00", "12:00", "18:00", switchedOff},
	}
}

// spellMinute returns a minute of the day as a time: "10:00".
func spellMinute(minute int) string { return fmt.Sprintf("%d:%02d", minute/60, minute%60) }

// setTimes sets when n, the recap of an evening, is posted under the settings of its chat.
func (b *Recaps) setTimes(n *store.Notice, set bot.Settings) {
	minute := usualMinute
	if set, ok := zone.Clock(set[recapSetting]); ok {
		minute = set
	}
	year, month, day := (store.Day(n.Subject) + 1).Time().Date()
	due := zone.At(year, month, day, minute/60, minute%60, set.Zone(b.Bot))
	n.Due, n.Until = due.UnixMilli(), due.Add(lateBy).UnixMilli()
}

// schedule makes sure that the recap of the evening of the finished game t will be posted where t was played. Whether
// there is anything to say is decided then. Where the bot is a guest, it cannot post.
func (b *Recaps) schedule(v *table.Visit, t store.Table, _ games.Game) error {
	if t.Board.Expires > 0 || v.Event.Guest || b.Traits(chat.Place(t.Place)).Guest {
		return nil
	}
	evening, err := v.EveningIn(t.Chat, v.At)
	if err != nil {
		return err
	}
	n, err := v.Tx.Calls.NoticeOf(t.Chat, noticeKind, int64(evening), 0)
	switch {
	case errors.Is(err, store.ErrNotFound):
		set, err := v.Settings(t.Chat)
		if err != nil {
			return err
		}
		n = store.Notice{Chat: t.Chat, Kind: noticeKind, Subject: int64(evening), Posted: store.Posted{Place: t.Place}}
		b.setTimes(&n, set)
		return b.notices.Add(v.Visit, n)
	case err != nil || n.Place == t.Place || n.Drawn > 0:
		return err
	}
	n.Place, n.Away = t.Place, false
	return b.notices.Change(v.Visit, n)
}

// move changes the times of recaps that are not posted yet after a change of the chat's settings.
func (b *Recaps) move(v *bot.Visit, _, after bot.Settings) error {
	pending, err := v.Tx.Calls.PendingNotices(v.Chat.ID, noticeKind)
	for _, n := range pending {
		b.setTimes(&n, after)
		if err := b.notices.Change(v, n); err != nil {
			return err
		}
	}
	return err
}

// draw renders the recap n. ok is false if it is not wanted, or if too few people have played and none of them has won
// the season.
func (b *Recaps) draw(tx *store.Tx, n store.Notice) (m chat.Message, ok bool, err error) {
	in, err := tx.Chats.Chat(n.Chat)
	if err != nil {
		return m, false, err
	}
	set, err := bot.SettingsOf(tx, n.Chat)
	if err != nil || in.Owner != "" || set[recapSetting] == switchedOff || b.Traits(chat.Place(n.Place)).Guest {
		return m, false, err
	}
	quiet := b.QuietVisit(tx, in, store.Player{})
	quiet.Event.Place, quiet.Reply.Public = chat.Place(n.Place), true
	t, err := tx.Tables.TableHere(n.Place)
	if err == nil {
		quiet.Lang, err = b.TableLanguage(tx, in, t)
	}
	if err != nil {
		return m, false, err
	}
	evening := store.Day(n.Subject)
	r, err := b.visit(quiet).read(span{first: evening, last: evening})
	if err != nil {
		return m, false, err
	}
	if _, crowned, err := b.NewChampion(tx, n.Chat, evening); err != nil || r.games == 0 || !crowned && !r.isPosted() {
		return m, false, err
	}
	if err = r.write(); err != nil {
		return m, false, err
	}
	picture := &chat.Picture{Name: pictureName, Alt: r.alt()}
	if picture.PNG, err = r.chart().PNG(); err != nil {
		return m, false, err
	}
	if set[hadSetting] == "" {
		r.add(games.Say("bot.recap.off", nil))
	}
	b.told.Store(n.ID, r.told)
	m = *r.m
	m.Picture, m.Silent = picture, true
	return m, true, nil
}

// isPosted reports whether enough listed people have finished enough games for an unasked recap.
func (r *recap) isPosted() bool {
	played, people := map[string]int64{}, 0
	for _, row := range r.rows {
		if r.names[row.Player] == "" {
			continue
		}
		before := played[row.Player]
		if played[row.Player] += row.Games; before < leastPlayed && played[row.Player] >= leastPlayed {
			people++
		}
	}
	return people >= leastPeople
}

// posted stores that the chat has had a recap, n, and that its decision was read.
func (b *Recaps) posted(tx *store.Tx, n store.Notice) error {
	if told, known := b.told.LoadAndDelete(n.ID); known && told.(store.Review).Table != 0 {
		if err := review.MarkRead(tx, told.(store.Review), true); err != nil {
			return err
		}
	}
	return tx.Chats.SaveChatSetting(n.Chat, hadSetting, "1")
}
