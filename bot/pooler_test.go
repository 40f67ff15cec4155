package bot_test

import (
	"fmt"
	"slices"
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/engine/postgrestest"
)

// TestAGameThroughAPooler plays a game to its end through a pooler in transaction mode, by the address that
// docs/operation.md gives: the books are right, and nothing is logged.
func TestAGameThroughAPooler(t *testing.T) {
	server := postgrestest.Need(t)
	port := server.Pooler(t)
	address := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s?default_query_exec_mode=exec", port,
		server.Database(t, ""))
	h := bare.NewIn(t, address, shutbox.Game{})
	defer h.OnStage(bare.NewStage())()
	people := h.Gather("/shutbox 10 tiles=4", "Anna", "Ben")
	people[0].Presses("▶ Start")
	h.PressOut(people)
	now, sum := h.Stands("chips"), int64(0)
	for _, balance := range now {
		sum += balance
	}
	if won := []int64{now["player:test:Anna"], now["player:test:Ben"]}; sum != 0 ||
		!slices.Contains(won, 10) || !slices.Contains(won, -10) {
		t.Errorf("the balances are %v", now)
	}
	if table := people[0].Table(); table.State != store.Over || table.Turn == 0 {
		t.Errorf("the table is %s after %d moves", table.State, table.Turn)
	}
	h.Sound()
	if log := h.Log.String(); log != "" {
		t.Error(log)
	}
}
