package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
	"knobel/games/gametest/coin"
	"knobel/games/record"
)

// coins returns the terms of a game of coin for three, with 4 units in the jackpot. Anna throws 1, the others 2.
func coins() record.Terms {
	return record.Terms{
		Table: "7", Game: coin.Game{}, Stake: 10, Box: 4, Unit: "chips", Seed: dice.SeriesSeed(3, 3),
		Seats: []record.Seat{
			{Name: "Anna", Entropy: "seven swans"},
			{Name: "<b>Ben</b>\u202e", Entropy: "🎲"},
			{Name: "house random", House: "random", Entropy: "house"},
		},
	}
}

// tenCoins returns the terms of a game of coin for ten, which throws so many dice that every change of the seed shows.
func tenCoins() record.Terms {
	terms := coins()
	for i := len(terms.Seats); i < 10; i++ {
		terms.Seats = append(terms.Seats, record.Seat{Name: fmt.Sprint("guest ", i), Entropy: fmt.Sprint(i * i)})
	}
	return terms
}

// check ends the test on an error.
var check = gametest.Check

// play plays a game to its end and returns its record. People play the first legal move.
func play(t *testing.T, terms record.Terms) record.Record {
	t.Helper()
	s, err := record.Sit(terms)
	check(t, err)
	for range 10_000 {
		turn := s.Match().Turn()
		if len(turn) == 0 {
			r, err := s.Record()
			check(t, err)
			return r
		}
		if _, played, err := s.PlayHouse(); err != nil {
			t.Fatal(err)
		} else if played {
			continue
		}
		if _, err := s.Play(turn[0], s.Match().Moves(turn[0])[0]); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the game has no end")
	return record.Record{}
}

// encode returns r as a line of JSON.
func encode(t *testing.T, r record.Record) string {
	t.Helper()
	line, err := r.Encode()
	check(t, err)
	return string(line)
}

func TestDecodeRefusesWhatIsNoRecord(t *testing.T) {
	line := encode(t, play(t, coins()))
	for text, want := range map[string]string{
		"":                    "the line is not JSON: unexpected end of JSON input",
		"hello":               "the line is not JSON: invalid character 'h' looking for beginning of value",
		line[:len(line)/2]:    "the line is not JSON: unexpected end of JSON input",
		"[]":                  "record: a JSON array is not allowed here",
		"null":                `this is no record: the key "record" is missing`,
		line[:40] + "\xff\"}": "the line is not UTF-8",
		line + line:           "the line is not JSON: invalid character '{' after top-level value",
		strings.Replace(line, "[1]", "[1"+strings.Repeat(",1", 64)+"]", 1): "moves[0]: a move rolls at most 64 dice",
	} {
		if _, err := record.Decode([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.60s is read: %v, want %s", text, err, want)
		}
	}
}

func TestReadLines(t *testing.T) {
	good := encode(t, play(t, coins()))
	bad := strings.Replace(good, `"stake":10`, `"stake":11`, 1)
	for name, c := range map[string]struct {
		file    string
		records int
		lines   []int
	}{
		"good":           {good + "\n\n" + good + "\n", 2, nil},
		"no line end":    {good, 1, nil},
		"windows":        {good + "\r\n", 1, nil},
		"nothing":        {"", 0, []int{0}},
		"blank":          {"\n \n", 0, []int{0}},
		"a bad second":   {good + "\n" + bad + "\n", 2, []int{2}},
		"rubbish, blank": {"rubbish\n\n" + bad, 2, []int{1, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []int
			n, err := record.ReadLines(strings.NewReader(c.file), all, nil, func(int, record.Record) {},
				func(line int, f record.Fault) {
					if f.String() == "" {
						t.Error("an empty fault")
					}
					lines = append(lines, line)
				})
			if err != nil || n != c.records || !slices.Equal(slices.Compact(lines), c.lines) {
				t.Errorf("%d records, faults at lines %v, %v", n, lines, err)
			}
		})
	}
}

func TestSitRefuses(t *testing.T) {
	for want, change := range map[string]func(*record.Terms){
		"games.seats Least=1 Most=10": func(t *record.Terms) { t.Seats = nil },
		"games.stake-alone":           func(t *record.Terms) { t.Seats = t.Seats[:1] },
		"games.stake-negative":        func(t *record.Terms) { t.Stake = -1 },
		"games.no-such-house House=magic Instead={games.instead.these map[These:random]}": func(t *record.Terms) {
			t.Seats[2].House = "magic"
		},
		"games.luck-control": func(t *record.Terms) { t.Seats[0].Entropy = "a\nb" },
		"games.table-id":     func(t *record.Terms) { t.Table = "" },
		"games.no-such-option Instead={games.instead.these map[These:]} Option=tiles": func(t *record.Terms) {
			t.Rules = games.Rules{"tiles": "9"}
		},
	} {
		terms := coins()
		change(&terms)
		_, err := record.Sit(terms)
		if _, ok := games.Refused(err); !ok || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestASittingRefusesAndGoesOn(t *testing.T) {
	s, err := record.Sit(coins())
	check(t, err)
	if _, err := s.Record(); err == nil {
		t.Error("there is a record before the end")
	}
	if _, err := s.Play(1, "throw"); fmt.Sprint(err) != "games.not-your-turn Seat=0" {
		t.Errorf("seat 1 plays first: %v", err)
	}
	if _, played, err := s.PlayHouse(); played || err != nil {
		t.Errorf("the house plays for somebody: %v, %v", played, err)
	}
	if _, err := s.Play(0, "throw"); err != nil {
		t.Error(err)
	}
}

func TestReplay(t *testing.T) {
	terms := coins()
	r := play(t, terms)
	start := func() games.Match {
		m, err := terms.Game.New(r.Rules, len(r.Seats))
		check(t, err)
		return m
	}
	fair := &dice.Fair{Seed: terms.Seed, Table: r.Table, Entropies: record.Entropies(r.Seats)}
	m, err := record.Replay(start(), r.Moves, fair)
	check(t, err)
	if _, over := m.Result(); !over || fair.Next != 3 {
		t.Errorf("over: %v, after %d dice", over, fair.Next)
	}
	r.Moves[1].Seat = 2
	_, err = record.Replay(start(), r.Moves, &dice.Fair{Seed: terms.Seed})
	if err == nil || !strings.HasPrefix(err.Error(), `replay move 2, seat 2, "throw": `) {
		t.Errorf("replayed: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"record":1,"table":"7","game":"coin","rules":{},"stake":0,"unit":"chips","seats":[{"entropy":"a"}],` +
		`"dice":{"scheme":"knobel-dice-1","commitment":"","seed":""},"moves":[{"seat":0,"move":"throw","dice":[1]}],` +
		`"result":[{"seat":0,"score":null,"place":1,"pool":0}],"box":{"in":1,"out":1}}`))
	f.Add([]byte(`{"record":1}`))
	f.Add([]byte(`{"record":1,"seats":[[[]]],"rules":{"":{}}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := record.Decode(line)
		if err != nil {
			return
		}
		record.Verify(r, all, &record.Solutions{})
		again, err := r.Encode()
		check(t, err)
		back, err := record.Decode(again)
		if err != nil {
			t.Fatalf("%s is encoded as %s: %v", line, again, err)
		}
		if third, err := back.Encode(); err != nil || string(third) != string(again) {
			t.Fatalf("%s is encoded as %s and then as %s, %v", line, again, third, err)
		}
	})
}
