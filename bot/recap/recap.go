// Package recap sums up the evenings of a chat: with /recap, and unasked in the morning after.
package recap

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/notice"
	"knobel/bot/review"
	"knobel/bot/standings"
	"knobel/games"
	"knobel/store"
)

// Recaps is the part of the bot that sums up evenings and months.
type Recaps struct {
	*review.Reviews
	notices *notice.Notices
	told    sync.Map // by notice, the store.Review with the decision that its message tells
}

// New returns the recaps for the games and chats of r. It sets a hook on r so that a finished game has a recap posted,
// as a notice of n.
func New(r *review.Reviews, n *notice.Notices) *Recaps {
	b := &Recaps{Reviews: r, notices: n}
	n.Kind(noticeKind, b.draw)
	n.Posted(noticeKind, b.posted)
	r.Ended = append(r.Ended, b.schedule)
	return b
}

// Feature returns the command /recap and the setting of the time at which recaps are posted.
func (b *Recaps) Feature() bot.Feature {
	return bot.Feature{Settings: []bot.Setting{b.setting()}, Zone: b.move, Commands: []bot.Command{{
		Name: "recap", Subject: bot.ToCount, Run: bot.As(b.visit, (*visit).recapCommand), How: "bot.recap.how",
		Options: []bot.Option{{Name: "month", Type: chat.TypeText, About: games.Say("bot.option.month", nil),
			More: bot.Offers(b.visit, (*visit).months)}},
	}}}
}

// visit is the handling of one event, with the methods of Recaps.
type visit struct {
	*standings.Visit
	bot *Recaps
}

// visit returns v with the methods of Recaps.
func (b *Recaps) visit(v *bot.Visit) *visit { return &visit{b.Standings.Visit(v), b} }

// span is the evenings that a recap sums up: one evening, or all of a month.
type span struct {
	first, last store.Day
	month       bool
}

// monthOf returns the evenings of the month that contains day.
func monthOf(day time.Time) span {
	first := day.AddDate(0, 0, 1-day.Day())
	return span{store.DayOf(first), store.DayOf(first.AddDate(0, 1, 0)) - 1, true}
}

// String returns the span as people can type it: "2026-11-20", "2026-11".
func (s span) String() string {
	if s.month {
		return s.first.Time().Format("2006-01")
	}
	return s.first.Time().Format(time.DateOnly)
}

// parse returns the span that text means: "2026-11", "november", "November 2025" or, for buttons, an evening. A month
// without a year is the latest one until today. ok is false for other texts.
func (b *Recaps) parse(text string, today store.Day) (s span, ok bool) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return span{store.DayOf(day), store.DayOf(day), false}, true
	}
	if day, err := time.Parse("2006-01", text); err == nil {
		return monthOf(day), true
	}
	name, rest, dated := strings.Cut(text, " ")
	for month := time.January; month <= time.December; month++ {
		if !b.Means(string(bot.MonthLabel(month)), name) {
			continue
		}
		now := today.Time()
		year := now.Year()
		if month > now.Month() {
			year--
		}
		if dated {
			var err error
			if year, err = strconv.Atoi(rest); err != nil || len(rest) != 4 {
				return s, false
			}
		}
		return monthOf(time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)), true
	}
	return s, false
}

// recapCommand answers with the recap of the last evening, or of the month that the person has named.
func (v *visit) recapCommand(args bot.Args) error {
	today, err := v.Evening()
	if err != nil {
		return err
	}
	var s span
	if text := strings.Join(strings.Fields(args.Text("month")), " "); text != "" {
		var ok bool
		if s, ok = v.bot.parse(text, today); !ok {
			return games.Refuse("bot.recap.how", nil)
		}
	}
	return v.Later(func() error { return v.show(s, today) })
}

// show answers with the recap of s; the zero value: of the last evening.
func (v *visit) show(s span, today store.Day) error {
	if s == (span{}) {
		last, err := v.Tx.Chats.EveningBefore(v.Chat.ID, today+1)
		if errors.Is(err, store.ErrNotFound) {
			v.Private(games.Say("bot.recap.none", nil))
			return nil
		}
		if err != nil {
			return err
		}
		s = span{first: last, last: last}
	}
	r, err := v.read(s)
	if err != nil {
		return err
	}
	if r.games == 0 {
		v.Private(games.Say("bot.recap.none-then", games.Args{"When": r.label}))
		return nil
	}
	if err := r.write(); err != nil {
		return err
	}
	v.Shows("recap " + s.String())
	if len(r.purses) > 0 {
		v.Illustrate(pictureName, r.alt(), "", r.chart().PNG)
	}
	if told, all := r.told, v.Overheard(); told.Table != 0 {
		v.After(func(ctx context.Context, c *bot.Core) error {
			return c.Store.UpdateOf(ctx, store.OfTable(told.Table), func(tx *store.Tx) error {
				return review.MarkRead(tx, told, all)
			})
		})
	}
	return nil
}

// maxMonths is how many months are offered while a person types.
const maxMonths = 12

// months returns the latest months with games as choices of the option "month".
func (v *visit) months() (all []bot.Choice, err error) {
	day, err := v.Evening()
	if err != nil {
		return nil, err
	}
	for day++; len(all) < maxMonths; {
		last, err := v.Tx.Chats.EveningBefore(v.Chat.ID, day)
		if errors.Is(err, store.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		s := monthOf(last.Time())
		all = append(all, bot.Choice{Value: s.String(), Label: monthLabel(s)})
		day = s.first
	}
	return all, nil
}

// monthLabel returns the name of the month s with its year.
func monthLabel(s span) games.Line {
	month := s.first.Time()
	return games.Say("bot.period.month-of-year",
		games.Args{"Month": bot.MonthLabel(month.Month()), "Year": month.Year()})
}
