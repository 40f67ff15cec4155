package store_test

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// TestReplicasHaveOneTimeZone has replicas come in the zone of the others, in one that is called otherwise and is the
// same, and in others, which are refused until nobody is there any longer.
func TestReplicasHaveOneTimeZone(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	key := store.SealedBy(storetest.Key(t))
	open := func(name string) (*store.Store, error) {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return store.Open(t.Context(), address, key, store.Shared(), store.InZone(zone))
	}
	for _, round := range []struct {
		first   string
		fit, no []string
	}{
		{"Europe/Berlin", []string{"Europe/Berlin", "Europe/Vienna"},
			[]string{"UTC", "Africa/Lagos" /* an hour ahead, too, in winter */, "America/New_York"}},
		{"UTC", []string{"Africa/Abidjan"}, []string{"Europe/London", "Europe/Berlin"}},
		{"Europe/London", nil, []string{"UTC"}},
	} {
		var all []*store.Store
		for _, name := range append([]string{round.first}, round.fit...) {
			s, err := open(name)
			if err != nil {
				t.Fatalf("%s beside %s: %v", name, round.first, err)
			}
			all = append(all, s)
		}
		for _, name := range round.no {
			if s, err := open(name); err == nil {
				s.Close()
				t.Errorf("%s is taken beside %s", name, round.first)
			} else if !strings.Contains(err.Error(), "the time zone "+name+" has other offsets") {
				t.Errorf("%s beside %s: %v", name, round.first, err)
			}
		}
		for _, s := range all {
			closes(t, s)
		}
	}
}
