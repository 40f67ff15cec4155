package table

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The nights of Berlin in which the clock jumps.
var (
	spring = time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC)
	autumn = time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC)
)

func berlin(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestQuietHours(t *testing.T) {
	night := Quiet{zone: berlin(t), from: 22 * 60, to: 8 * 60}
	for _, c := range []struct {
		says, at, run, due string
	}{
		{"by day", "2026-11-21 12:00", "10m", "2026-11-21 12:10"},
		{"into the night", "2026-11-21 21:55", "10m", "2026-11-22 08:05"},
		{"up to the night", "2026-11-21 21:50", "10m", "2026-11-22 08:00"},
		{"in the night", "2026-11-22 03:00", "10m", "2026-11-22 08:10"},
		{"as the night ends", "2026-11-22 08:00", "10m", "2026-11-22 08:10"},
		{"over two nights", "2026-11-21 20:00", "17h", "2026-11-23 09:00"},
		{"in spring, when a night is short", "2026-03-28 21:00", "2h", "2026-03-29 09:00"},
		{"in autumn, when one is long", "2026-10-24 21:00", "2h", "2026-10-25 09:00"},
	} {
		at, err1 := time.ParseInLocation("2006-01-02 15:04", c.at, night.zone)
		run, err2 := time.ParseDuration(c.run)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		due := night.After(at, run)
		if got := due.In(night.zone).Format("2006-01-02 15:04"); got != c.due {
			t.Errorf("%s: %s and %s come to %s, want %s", c.says, c.at, c.run, got, c.due)
		}
		if back := night.between(at, due); back != run {
			t.Errorf("%s: it has run for %v", c.says, back)
		}
	}
}

// TestQuietHoursAnyHow asks for any hours around the nights in which the clock jumps: no clock runs in them, none runs
// out early, and what has run is what was given.
func TestQuietHoursAnyHow(t *testing.T) {
	zone := berlin(t)
	rapid.Check(t, func(r *rapid.T) {
		q := Quiet{zone: zone, from: rapid.IntRange(0, 1439).Draw(r, "from"), to: rapid.IntRange(0, 1439).Draw(r, "to")}
		night := rapid.SampledFrom([]time.Time{spring, autumn}).Draw(r, "night")
		at := night.Add(time.Duration(rapid.IntRange(-3*1440, 3*1440).Draw(r, "minutes")) * time.Minute)
		run := time.Duration(rapid.IntRange(0, 4320).Draw(r, "run")) * time.Minute
		due := q.After(at, run)
		if due.Before(at.Add(run)) {
			t.Fatalf("%v is before %v", due, at.Add(run))
		}
		if back := q.between(at, due); back != run {
			t.Fatalf("from %v to %v it has run for %v, not %v", at, due, back, run)
		}
		if q.none() {
			return
		}
		if begin, end := q.next(due); !due.Before(begin) && due.Before(end) {
			t.Fatalf("%v is in the quiet hours from %v to %v", due, begin, end)
		}
		if further := q.After(at, run+time.Minute); !further.After(due) {
			t.Fatalf("a minute more ends at %v, not after %v", further, due)
		}
	})
}

func TestReadingQuietHours(t *testing.T) {
	for said, want := range map[string]string{
		"22-8": "22:00-8:00", "22:30-7:15": "22:30-7:15", "0-9": "0:00-9:00", "24 – 6": "0:00-6:00", "1-2": "1:00-2:00",
		"": "", "8": "", "8-8": "", "0-24": "", "25-3": "", "22:60-8": "", "24:30-8": "", "-5": "", "22-8-9": "",
		"1e1-3": "",
	} {
		got := ""
		if from, to, ok := parseQuiet(said); ok {
			got = clockTime(from) + "-" + clockTime(to)
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", said, got, want)
		}
	}
}

func TestStakesStepByStep(t *testing.T) {
	for _, c := range []struct{ stake, less, more int64 }{
		{0, 0, 1}, {1, 0, 2}, {3, 2, 5}, {10, 7, 20}, {11, 10, 20}, {5000, 2000, 5000},
		{1_000_000, 5000, 1_000_000},
	} {
		if less, more := stakeBeside(c.stake, false), stakeBeside(c.stake, true); less != c.less || more != c.more {
			t.Errorf("beside %d are %d and %d, want %d and %d", c.stake, less, more, c.less, c.more)
		}
	}
}
