package table_test

import (
	"context"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
)

// Records are verified as their house rules say.
func TestHouseRulesThatHaveChanged(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/shutbox 0 tiles=4")
	anna.Writes("/house save quick")
	anna.Presses("▶ Start")
	h.PlayOn("quick", anna)
	r := h.RecordOf(1)
	if r.HouseRules == nil || r.HouseRules.Name != "quick" || len(record.Verify(r, h.Games, &record.Solutions{})) > 0 {
		t.Errorf("the record tells %+v", r.HouseRules)
	}
	if line := h.Export(review.Wanted{Anonymous: true})[0]; strings.Contains(line, "quick") ||
		!strings.Contains(line, `"house_rules":{"version":"`) {
		t.Errorf("without names the record is %s", line)
	}
	h.Sound()
	h.Tamper(`UPDATE house_rules SET version = '00000000'`)
	if faults, err := h.Bot.Check(context.Background(), nil); err != nil || len(faults) != 1 ||
		!strings.Contains(faults[0], "version") {
		t.Errorf("%v, %v", faults, err)
	}
	if anna.Table().State != store.Over {
		t.Error("the game goes on")
	}
}
