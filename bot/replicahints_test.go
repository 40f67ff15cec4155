package bot_test

import (
	"slices"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/lease"
	"knobel/games/wuerfelpoker"
)

// TestLoopsElsewhereAreToldOfWhatIsSoon has people press at a replica that runs no loops: whoever runs them is told of
// what there is to do before they look by themselves, and not of a turn's call, which is due in a while.
func TestLoopsElsewhereAreToldOfWhatIsSoon(t *testing.T) {
	gate := bare.NewGate()
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	h.Leases = lease.New(lease.Config{Store: h.Store, Name: "b"}) // it has nothing
	h.RestartBot()
	var told []bool
	defer h.Store.Hints(func(text string) {
		if hint, ok := lease.ParseHint(text); ok {
			told = append(told, hint.Wake)
		}
	})()
	heard := func() []bool {
		all := told
		told = nil
		return all
	}
	people := h.Gather("/wuerfelpoker hints=yes", "Anna", "Ben")
	anna := people[0]
	anna.Presses("▶ Start")
	heard()
	anna.Presses("Throw")
	if all := heard(); len(all) == 0 || slices.Contains(all, true) {
		t.Errorf("of a throw loops are told %v", all)
	}
	anna.Presses("💡 Hint")
	if all := heard(); !slices.Contains(all, true) {
		t.Errorf("of what is to be worked out loops are told %v", all)
	}
	close(gate.Open)
}
