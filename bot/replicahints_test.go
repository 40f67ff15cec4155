package bot_test

import (
	"slices"
	"testing"

	"knobel/bot/lease"
	"knobel/games/wuerfelpoker"
)

// TestLoopsElsewhereAreToldOfWhatIsSoon has people press at a replica that runs no loops: whoever runs them is told of
// what there is to do before they look by themselves, and not of a turn's call, which is due in a while.
func TestLoopsElsewhereAreToldOfWhatIsSoon(t *testing.T) {
	gate := newGate()
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
	h.leases = lease.New(lease.Config{Store: h.store, Name: "b"}) // it has nothing
	h.restartBot()
	var told []bool
	defer h.store.Hints(func(text string) {
		if hint, ok := lease.ParseHint(text); ok {
			told = append(told, hint.Wake)
		}
	})()
	heard := func() []bool {
		all := told
		told = nil
		return all
	}
	people := h.gather("/wuerfelpoker hints=yes", "Anna", "Ben")
	anna := people[0]
	anna.presses("▶ Start")
	heard()
	anna.presses("Throw")
	if all := heard(); len(all) == 0 || slices.Contains(all, true) {
		t.Errorf("of a throw loops are told %v", all)
	}
	anna.presses("💡 Hint")
	if all := heard(); !slices.Contains(all, true) {
		t.Errorf("of what is to be worked out loops are told %v", all)
	}
	close(gate.open)
}
