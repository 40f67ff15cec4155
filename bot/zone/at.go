package zone

import "time"

// At returns the moment at which clocks in a zone show a time of a day. If they never do, or twice, because they are
// changed then, it returns the first moment at or after that time.
func At(year int, month time.Month, day, hour, minute int, zone *time.Location) time.Time {
	t := time.Date(year, month, day, hour, minute, 0, 0, zone)
	start, end := t.ZoneBounds() // of the offset from UTC at t
	_, offset := t.Zone()
	wanted := time.Date(year, month, day, hour, minute, 0, 0, time.UTC)
	switch shown := t.Add(time.Duration(offset) * time.Second); {
	case shown.Before(wanted): // the time was skipped, and t is before the change
		return end
	case shown.After(wanted):
		return start
	case start.IsZero():
		return t
	}
	_, before := start.Add(-1).Zone()
	if first := t.Add(time.Duration(offset-before) * time.Second); first.Before(start) {
		return first
	}
	return t
}
