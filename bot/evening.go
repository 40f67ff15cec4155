package bot

import (
	"time"

	"knobel/store"
)

// morning is when an evening ends: what is played before six belongs to the
// day before.
const morning = 6

// eveningOf is the evening that a moment belongs to, by the clock of a time
// zone.
func eveningOf(at time.Time, zone *time.Location) store.Day {
	local := at.In(zone)
	day := store.DayOf(local)
	if local.Hour() < morning {
		return day - 1
	}
	return day
}

// evening is the evening that goes on. Every chat keeps the time of the
// installation.
func (v *visit) evening() store.Day { return eveningOf(time.UnixMilli(v.at), v.bot.zone) }
