package bot

import (
	"time"

	"knobel/store"
)

// morning is when an evening ends: what is played before six belongs to the
// day before.
const morning = 6

// EveningOf is the evening that a moment belongs to, by the clock of a time
// zone.
func EveningOf(at time.Time, zone *time.Location) store.Day {
	local := at.In(zone)
	day := store.DayOf(local)
	if local.Hour() < morning {
		return day - 1
	}
	return day
}

// Evening is the evening that goes on in the event's chat, by the chat's clock.
func (v *Visit) Evening() (store.Day, error) { return v.EveningIn(v.Chat.ID, v.At) }

// EveningIn is the evening that a moment, in Unix milliseconds, belongs to in a
// chat: by the zone that the chat has set, else by that of the installation. A
// result stores it, so that a later change of the zone leaves past evenings as
// they were.
func (v *Visit) EveningIn(chat string, at int64) (store.Day, error) {
	set, err := v.Settings(chat)
	if err != nil {
		return 0, err
	}
	return EveningOf(time.UnixMilli(at), set.Zone(v.bot)), nil
}
