package bot

import (
	"time"

	"knobel/games"
	"knobel/store"
)

// morning is the hour at which an evening ends: earlier games belong to the day before.
const morning = 6

// EveningOf returns the evening to which a moment belongs in a time zone.
func EveningOf(at time.Time, zone *time.Location) store.Day {
	local := at.In(zone)
	day := store.DayOf(local)
	if local.Hour() < morning {
		return day - 1
	}
	return day
}

// Evening returns the present evening in the event's chat, in the chat's time zone.
func (v *Visit) Evening() (store.Day, error) { return v.EveningIn(v.Chat.ID, v.At) }

// EveningIn returns the evening to which a moment, in Unix milliseconds, belongs in a chat: by the chat's time zone, or
// else the installation's. Results store it, so that a later change of the zone moves no past evening.
func (v *Visit) EveningIn(chat string, at int64) (store.Day, error) {
	set, err := v.Settings(chat)
	if err != nil {
		return 0, err
	}
	return EveningOf(time.UnixMilli(at), set.Zone(v.bot)), nil
}

// months are the names of the months, January first.
var months = [...]games.Word{
	"bot.month.january", "bot.month.february", "bot.month.march", "bot.month.april", "bot.month.may", "bot.month.june",
	"bot.month.july", "bot.month.august", "bot.month.september", "bot.month.october", "bot.month.november",
	"bot.month.december",
}

// MonthLabel names a month.
func MonthLabel(m time.Month) games.Word { return months[m-1] }

// DayLabel names a day to people, as "2 November"; with its year where that is not the present one.
func DayLabel(day, today store.Day) games.Line {
	at := day.Time()
	args := games.Args{"Day": at.Day(), "Month": MonthLabel(at.Month()), "Year": at.Year()}
	if at.Year() == today.Time().Year() {
		return games.Say("bot.date.this-year", args)
	}
	return games.Say("bot.date.another-year", args)
}

// DayLabel names a day to people in the event's chat.
func (v *Visit) DayLabel(day store.Day) (games.Line, error) {
	today, err := v.Evening()
	return DayLabel(day, today), err
}
