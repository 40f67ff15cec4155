package zone_test

import (
	"testing"
	"time"

	"knobel/bot/zone"
)

// TestAt checks times that clocks skip, show twice, and show once.
func TestAt(t *testing.T) {
	for _, c := range []struct {
		zone, day    string
		hour, minute int
		want         string
	}{
		{"Europe/Berlin", "2026-12-01", 6, 0, "2026-12-01T05:00:00Z"},
		{"Europe/Berlin", "2026-07-01", 6, 0, "2026-07-01T04:00:00Z"},
		{"Europe/Berlin", "2026-03-29", 2, 30, "2026-03-29T01:00:00Z"},
		{"Europe/Berlin", "2026-10-25", 2, 30, "2026-10-25T00:30:00Z"},
		{"America/New_York", "2026-03-08", 2, 0, "2026-03-08T07:00:00Z"},
		{"America/New_York", "2026-11-01", 1, 59, "2026-11-01T05:59:00Z"},
		{"Australia/Lord_Howe", "2026-10-04", 2, 10, "2026-10-03T15:30:00Z"},
		{"Pacific/Apia", "2011-12-30", 6, 0, "2011-12-30T10:00:00Z"}, // the whole day was skipped
		{"UTC", "2026-12-31", 23, 59, "2026-12-31T23:59:00Z"},
	} {
		day, err := time.Parse(time.DateOnly, c.day)
		if err != nil {
			t.Fatal(err)
		}
		in, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		got := zone.At(day.Year(), day.Month(), day.Day(), c.hour, c.minute, in).UTC().Format(time.RFC3339)
		if got != c.want {
			t.Errorf("%s %d:%d in %s is %s, want %s", c.day, c.hour, c.minute, c.zone, got, c.want)
		}
	}
}
