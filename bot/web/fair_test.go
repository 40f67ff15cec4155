package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
)

// fairRecord returns a record with fair dice and hostile names.
func fairRecord(t *testing.T, rules games.Rules, sides int) record.Record {
	t.Helper()
	seed := dice.SeriesSeed(7, sides)
	r := record.Record{
		Version: record.Version, Table: "7", Game: "shutbox", Rules: rules, Stake: 10, Unit: "chips",
		Dice:  record.DiceOf(seed),
		Seats: []record.Seat{{Name: "<b>Änne</b>", Entropy: "ein Füchslein 🦊"}, {House: "fewest", Entropy: "house"}},
	}
	fair := &dice.Fair{Seed: seed, Table: r.Table, Entropies: record.Entropies(r.Seats)}
	for i := range 40 {
		count := 1 + i%2
		r.Moves = append(r.Moves,
			record.Move{Seat: games.Seat(i % 2), Move: games.Move(fmt.Sprint("throw ", count)),
				Dice: fair.Throw(count, sides)},
			record.Move{Seat: games.Seat(i % 2), Move: "shut 1"})
	}
	three, four := 3, 4
	r.Result = []record.Row{{Seat: 0, Score: &three, Place: 1, Pool: 10}, {Seat: 1, Score: &four, Place: 2, Pool: -10}}
	return r
}

// withChange returns a copy of r after change.
func withChange(r record.Record, change func(*record.Record)) record.Record {
	r.Moves = append([]record.Move(nil), r.Moves...)
	r.Result = append([]record.Row(nil), r.Result...)
	r.Seats = append([]record.Seat(nil), r.Seats...)
	change(&r)
	return r
}

// withLeaver returns a copy of r in which the second seat left the game after that many moves of the game. From the
// game's move 41 on, the bot made that seat's moves. second and first are what these seats won, or lost if negative.
func withLeaver(r record.Record, after int, second, first int64) record.Record {
	return withChange(r, func(r *record.Record) {
		for i := 40; i < len(r.Moves); i++ {
			r.Moves[i].Auto = r.Moves[i].Seat == 1
		}
		r.Seats[1].Out = &after
		r.Result[0].Pool, r.Result[1].Pool = first, second
	})
}

// withPayments returns a copy of r without a pool. first and second are what these seats get, or pay if negative.
func withPayments(r record.Record, first, second int64) record.Record {
	return withChange(r, func(r *record.Record) {
		r.Shape = games.ShapeLastPays
		for i, amount := range []int64{first, second} {
			r.Result[i].Pool, r.Result[i].Settlement = 0, &amount
		}
	})
}

// The page about fair dice finds each change of a record.
func diceThrownAgain(t *testing.T, tab *tab) {
	tab.open(serve(t, New(Config{}), &fakeBot{})+"/fair", `document.body.dataset.ready`)
	cubes := fairRecord(t, games.Rules{}, 6)
	for _, c := range []struct {
		name   string
		record record.Record
		says   []string
	}{
		{"fair", cubes, []string{"Table 7: <b>Änne</b>, ?", "Everything matches", "60 dice in 80 moves"}},
		{"twenty faces", fairRecord(t, games.Rules{"dice": "1d20"}, 20), []string{"Everything matches"}},
		{"a die", withChange(cubes, func(r *record.Record) {
			r.Moves[2].Dice = []int{7 - r.Moves[2].Dice[0], r.Moves[2].Dice[1]}
		}),
			[]string{"wrong", "Die 2 of the table, in move 3 (throw 2) by 2", "The seed matches the seal"}},
		{"a face", withChange(cubes, func(r *record.Record) { r.Moves[0].Dice = []int{9} }),
			[]string{"wrong", "Die 1 in move 1 shows 9"}},
		{"one die less", withChange(cubes, func(r *record.Record) { r.Moves[2].Dice = r.Moves[2].Dice[:1] }),
			[]string{"wrong", "Move 3 (throw 2) has 1 dice instead of 2"}},
		{"the seed", withChange(cubes, func(r *record.Record) { r.Dice.Seed = strings.Repeat("00", 32) }),
			[]string{"wrong", "seed doesn't match"}},
		{"the seal", withChange(cubes, func(r *record.Record) { r.Dice.Commitment = strings.Repeat("00", 32) }),
			[]string{"wrong", "seed doesn't match"}},
		{"a word", withChange(cubes, func(r *record.Record) { r.Seats[0].Entropy = "fox" }),
			[]string{"wrong", "Die 1 of the table"}},
		{"the pool", withChange(cubes, func(r *record.Record) { r.Result[0].Pool = 11 }),
			[]string{"wrong", "1 instead of 0"}},
		{"out, and last", withLeaver(cubes, 40, -10, 10), []string{"Everything matches"}},
		{"out, but it moved", withLeaver(cubes, 39, -10, 10),
			[]string{"wrong", "Seat 2 is recorded as out after move 39"}},
		{"out, and it has won", withLeaver(cubes, 40, 10, -10),
			[]string{"wrong", "Seat 2 is recorded as out after move 40"}},
		{"out after all", withLeaver(cubes, 80, -10, 10),
			[]string{"wrong", "Seat 2 is recorded as out after move 80"}},
		{"fair, without a pool", withPayments(cubes, 10, -10), []string{"Everything matches"}},
		{"paid by nobody", withPayments(cubes, 11, -10), []string{"wrong", "1 instead of 0"}},
		{"fair, out and so to pay", withPayments(withLeaver(cubes, 40, 0, 0), 10, -10), []string{"Everything matches"}},
		{"out, and paid", withPayments(withLeaver(cubes, 40, 0, 0), -10, 10),
			[]string{"wrong", "Seat 2 is recorded as out after move 40"}},
		{"the scheme", withChange(cubes, func(r *record.Record) { r.Dice.Scheme = "mine" }),
			[]string{"wrong", "“mine”"}},
	} {
		line := must(json.Marshal(c.record))
		verdict := verdictOf(tab, string(line))
		for _, says := range c.says {
			if !strings.Contains(verdict, says) {
				t.Errorf("%s: the page does not say %q but:\n%s", c.name, says, verdict)
			}
		}
		fair := strings.HasPrefix(c.name, "fair") || slices.Contains([]string{"twenty faces", "out, and last"}, c.name)
		if !fair && strings.Contains(verdict, "Everything matches") {
			t.Errorf("%s: the page finds all fair", c.name)
		}
	}
	for _, line := range []string{"x", "null", "[]", "{}", `{"record":1,"table":"1","seats":[],"dice":{},"moves":[]}`,
		`{"record":1,"table":"1","seats":[null],"moves":[null]}`,
		`{"record":1,"table":"1","seats":[{"entropy":"x"}],"dice":{"scheme":"knobel-dice-1","seed":"zz","commitment":""},"moves":[{"seat":4,"move":"throw 2"}],"result":7}`} {
		if verdict := verdictOf(tab, line); !strings.Contains(verdict, "Something is wrong") {
			t.Errorf("%s is judged:\n%s", line, verdict)
		}
	}
	wantAccessible(t, tab, "a verdict")
}

// verdictOf pastes a record into the page and returns the page's verdict.
func verdictOf(tab *tab, line string) string {
	tab.t.Helper()
	ask[bool](tab, `(document.getElementById("verdict").replaceChildren(), document.getElementById("record").value = `+
		quoted(line)+`, true)`)
	tab.press(labelled("Check"))
	tab.until(`document.querySelector(".judged")`)
	return ask[string](tab, `document.getElementById("verdict").innerText`)
}

// The page's own SHA-256 and HMAC agree with the browser's, for lengths around the borders of their blocks.
func hashesAreRight(t *testing.T, tab *tab) {
	w := New(Config{})
	w.pages.statics = unbundledFiles(w.pages)
	tab.do(chromedp.Navigate(serve(t, w, &fakeBot{}) + "/fair"))
	wrong := ask[[]string](tab, `(async () => {
		const { sha256, hmac, hex } = await import(`+quoted(must(w.pages.statics.path("js/sha256.js")))+`);
		const wrong = [];
		for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 127, 128, 129, 1000, 70000]) {
			const bytes = Uint8Array.from({ length }, (_, i) => (i * 151 + length) % 256);
			const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
			if (hex(sha256(bytes)) !== hex(digest)) wrong.push("sha256 of " + length);
			if (length === 0) continue;
			const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
			const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
			if (hex(hmac(bytes, bytes)) !== hex(mac)) wrong.push("hmac of " + length);
		}
		return wrong;
	})()`)
	if len(wrong) > 0 {
		t.Errorf("wrong: %v", wrong)
	}
}
