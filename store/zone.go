package store

// Whether replicas that share a database have one time zone: evenings, and what is listed by days, would else depend on
// which of them a press reaches.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"knobel/store/engine"
)

// settingZone is the setting that holds the time zone of those who share the database: a year, and by how many seconds
// local time is ahead of UTC twice a month in that year and the next.
const settingZone = "zone"

// InZone gives the time zone in which those who share the database reckon days where nothing else is said. Others whose
// zone has other offsets from UTC this year or the next are refused while one of them is there.
func InZone(zone *time.Location) Option { return func(o *options) { o.zone = zone } }

// join refuses a replica in another time zone than the others have. The first one says which that is. Replicas join one
// after the other; whoever was away for long meanwhile joins anew, and is refused then.
func (o options) join(raw *engine.Tx, others bool) error {
	if o.zone == nil {
		return nil
	}
	tx := newTx(raw, nil)
	var said string
	err := tx.get(`SELECT value FROM settings WHERE name = $1`, []any{settingZone}, (*sealedSecret)(&said))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("read the time zone: %w", err)
	}
	if year, _, ok := strings.Cut(said, " "); ok && others {
		first, err := strconv.Atoi(year)
		if err != nil || offsets(o.zone, first) != said {
			return fmt.Errorf("the time zone %s has other offsets from UTC than that of the other replicas: "+
				"give all of them the same by TZ", o.zone)
		}
		return nil
	}
	now := offsets(o.zone, time.Now().UTC().Year())
	if said == now {
		return nil
	}
	err = tx.run(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`,
		settingZone, sealedSecret(now))
	return wrapped(err, "note the time zone")
}

// offsets is what a zone is known by from a year on.
func offsets(zone *time.Location, year int) string {
	said := []byte(strconv.Itoa(year))
	for month := range 24 {
		for _, day := range []int{1, 15} {
			_, offset := time.Date(year, time.January+time.Month(month), day, 12, 0, 0, 0, time.UTC).In(zone).Zone()
			said = strconv.AppendInt(append(said, ' '), int64(offset), 10)
		}
	}
	return string(said)
}
