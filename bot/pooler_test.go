package bot_test

import (
	"fmt"
	"slices"
	"testing"

	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/postgres/postgrestest"
)

// TestAGameThroughAPooler plays a game to its end through a pooler in transaction mode, by the address that
// docs/operation.md gives: the books are right, and nothing is logged.
func TestAGameThroughAPooler(t *testing.T) {
	server := postgrestest.Need(t)
	port := server.Pooler(t)
	address := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s?default_query_exec_mode=exec", port,
		server.Database(t, ""))
	h := newHouseIn(t, address, shutbox.Game{})
	defer h.onStage(newStage())()
	people := h.gather("/shutbox 10 tiles=4", "Anna", "Ben")
	people[0].presses("▶ Start")
	h.pressOut(people)
	now, sum := h.stands("chips"), int64(0)
	for _, balance := range now {
		sum += balance
	}
	if won := []int64{now["player:test:Anna"], now["player:test:Ben"]}; sum != 0 ||
		!slices.Contains(won, 10) || !slices.Contains(won, -10) {
		t.Errorf("the balances are %v", now)
	}
	if table := people[0].table(); table.State != store.Over || table.Turn == 0 {
		t.Errorf("the table is %s after %d moves", table.State, table.Turn)
	}
	h.sound()
	if log := h.log.String(); log != "" {
		t.Error(log)
	}
}
