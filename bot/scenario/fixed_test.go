package scenario

import (
	"context"
	"testing"

	"knobel/store"
)

// TestAFixedEveningIsSet checks that all options of /evening count on each platform.
func TestAFixedEveningIsSet(t *testing.T) {
	for platform, line := range map[string]string{
		"Discord":  "/evening day=fridays time=8pm game=coin options=stake=7 notice=2h",
		"Telegram": "/evening Friday 8 pm game=coin stake=7 notice=2h",
	} {
		On(t, platform, func(s *Stage) {
			anna := s.Person("Anna", "en").Admin()
			anna.Writes("/coin")
			chat := s.Table(1).Chat
			anna.Writes(line)
			check(s, s.Store.View(context.Background(), func(tx *store.Tx) error {
				all, err := tx.Calls.EveningsOf(chat)
				if len(all) != 1 || all[0].Weekday != 5 || all[0].Minute != 20*60 || all[0].Notice != 120 ||
					all[0].Terms != "coin stake=7" {
					s.Errorf("%s sets %+v", line, all)
				}
				return err
			}))
		})
	}
}
