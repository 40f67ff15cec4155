package shelf

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
	"knobel/games/record"
	"knobel/games/sheet"
)

// twelve is a sheet of twelve rows that has too many positions for a running program, so it says.
func twelve() sheet.Game {
	used := sheet.Points{Count: sheet.Used}
	return sheet.New(&sheet.Set{
		Name:      "twelve",
		Positions: 1 << 8,
		Options:   []sheet.Option{sheet.Choice("saved", "no", "yes")},
		Variants:  []games.Variant{{Name: "classic"}},
		Paper: func(c sheet.Chosen) sheet.Paper {
			return sheet.Paper{Dice: 4, Throws: 3, Saves: c.Is("saved", "yes"), Sections: []sheet.Section{
				{Name: "upper", Rows: sheet.Faces(), Bonus: []sheet.Step{{From: 40, Points: 20}}},
				{Name: "lower", Rows: []sheet.Row{
					{Name: "pair", Need: sheet.Equal(2), Points: used},
					{Name: "two-pairs", Need: sheet.Groups(2, 2), Points: used},
					{Name: "three", Need: sheet.Equal(3), Points: used},
					{Name: "straight", Need: sheet.Run(4), Points: sheet.Fixed(20)},
					{Name: "chance", Points: sheet.Points{Count: sheet.AllDice}},
					{Name: "four", Need: sheet.Equal(4), Points: sheet.Fixed(40)},
				}},
			}}
		},
	})
}

// onShelf has the twelve rows solved offline into a folder, and returns the game that knows the file.
func onShelf(t *testing.T) (g games.Game, c Config, log *strings.Builder, place string) {
	t.Helper()
	c, log = shelved(t.TempDir())
	c.Key = nil
	place = filepath.Join(c.Folders[0], "any name"+extension)
	if _, err := SolveTo(t.Context(), place, twelve(), games.Rules{"hints": "yes"}, nil); err != nil {
		t.Fatal(err)
	}
	return New(c).Stock([]games.Game{small().Game, twelve()})[1], c, log, place
}

// TestOfflineIsAsInMemory solves twelve rows wave by wave into a file, and in memory: all numbers are the same, and the
// total.
func TestOfflineIsAsInMemory(t *testing.T) {
	inMemory, err := twelve().Offline().Solve(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	total := inMemory.(*sheet.Perfect).Total()
	place := filepath.Join(t.TempDir(), "twelve"+extension)
	figures, err := SolveTo(t.Context(), place, twelve(), nil, nil)
	if err != nil || len(figures) != 1 || figures[0].Name != "total" || figures[0].Values[0] != total {
		t.Fatalf("%+v instead of %v: %v", figures, total, err)
	}
	p, err := offline(twelve(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	layout, _ := p.Layout()
	o, err := open(place, aboutOf(p, layout), sha256.New(), func([]byte) {})
	if err != nil {
		t.Fatal(err)
	}
	defer o.file.Close()
	inFile := make(games.Numbers, layout.Count)
	if err := o.Read(inFile, 0); err != nil {
		t.Fatal(err)
	}
	if all := gametest.NumbersOf(t, inMemory); !slices.Equal(all, inFile) || len(all) < 50_000 {
		t.Errorf("%d numbers are not those of the file", len(all))
	}
}

// TestWhatIsTooLargeIsPlayedFromItsFile plays whole games perfectly from the file, and compares every move's worth, as
// hints and reviews tell it, with what it is in memory.
func TestWhatIsTooLargeIsPlayedFromItsFile(t *testing.T) {
	_, refusal := games.ProblemOf(twelve(), nil, 2)
	if _, refused := games.Refused(refusal); !refused {
		t.Fatalf("without its file it is solved: %v", refusal)
	}
	g, _, log, _ := onShelf(t)
	inMemory, err := twelve().Offline().Solve(nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range []games.Rules{nil, {"settle": "pool"}, {"point": "5", "hints": "yes"}} {
		p := problem(t, g, rules)
		if p.Laborious() {
			t.Error("it is said to take long, and would be kept once more")
		}
		fromFile, err := p.Solve()
		if err != nil {
			t.Fatal(err)
		}
		if size := fromFile.Size(); size > 1<<10 {
			t.Errorf("%d bytes of it are in memory", size)
		}
		m, err := g.New(rules, 2)
		if err != nil {
			t.Fatal(err)
		}
		for fair := (&dice.Fair{Table: "test"}); len(m.Turn()) > 0; {
			seat := m.Turn()[0]
			compare(t, fromFile, inMemory, m, seat)
			move, err := games.PerfectMove(fromFile, m, seat)
			if err != nil {
				t.Fatal(err)
			}
			if m, _, err = games.Play(m, seat, move, fair); err != nil {
				t.Fatal(err)
			}
		}
		compare(t, fromFile, inMemory, m, 0)
	}
	if _, err := games.ProblemOf(g, games.Rules{"saved": "yes"}, 2); err == nil {
		t.Error("other rules are solved by it, too")
	}
	if log.Len() > 0 {
		t.Errorf("it was logged: %s", log)
	}
}

// compare compares all that two solutions say of a position.
func compare(t *testing.T, one, other games.Perfect, m games.Match, seat games.Seat) {
	t.Helper()
	ones, err := one.Expect(m)
	if err != nil {
		t.Fatal(err)
	}
	others, err := other.Expect(m)
	if err != nil || !slices.Equal(ones, others) {
		t.Fatalf("%v instead of %v: %v", ones, others, err)
	}
	worths, err := one.Worths(m, seat)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := other.Worths(m, seat)
	if err != nil || len(worths) != len(wanted) {
		t.Fatalf("%d moves instead of %d: %v", len(worths), len(wanted), err)
	}
	for i := range worths {
		if worths[i].Move != wanted[i].Move || !slices.Equal(worths[i].Values, wanted[i].Values) {
			t.Fatalf("%+v instead of %+v", worths[i], wanted[i])
		}
	}
}

// TestRecordsOfWhatIsTooLarge has a house play perfectly from the file, and the record checked with it.
func TestRecordsOfWhatIsTooLarge(t *testing.T) {
	g, _, _, _ := onShelf(t)
	s, err := record.Sit(record.Terms{Game: g, Unit: "chips", Table: "1", Seed: dice.SeriesSeed(7, 0),
		Seats: []record.Seat{
			{Name: "house perfect", House: "perfect", Entropy: dice.HouseEntropy},
			{Name: "house greedy", House: "greedy", Entropy: dice.HouseEntropy},
		}})
	if err != nil {
		t.Fatal(err)
	}
	for played := true; played; {
		if _, played, err = s.PlayHouse(); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Record()
	if err != nil {
		t.Fatal(err)
	}
	if faults := record.Verify(r, []games.Game{g}); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	r.Seats[1].House = "perfect" // which was greedy
	if faults := record.Verify(r, []games.Game{g}); len(faults) == 0 {
		t.Error("greed was taken for perfect play")
	}
	if faults := record.Verify(r, []games.Game{twelve()}); len(faults) > 0 {
		t.Errorf("without the file nobody can know how the house played: %v", faults)
	}
}

// TestOfWhatIsOfNoUseNothingIsPlayed spoils the file of an operator: its rules are refused as without it, and it stays.
func TestOfWhatIsOfNoUseNothingIsPlayed(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"a bit": func(file []byte) []byte { file[len(file)/2] ^= 1; return file },
		"torn":  func(file []byte) []byte { return file[:len(file)/2] },
		"of other numbers": func(file []byte) []byte {
			for i := range 20_000 {
				file[len(file)-40-8*i-rand.IntN(3)] ^= 1
			}
			return again(file)
		},
		"of no numbers at all": func(file []byte) []byte {
			nan := math.Float64bits(math.NaN())
			for i := range 8 {
				file[len(file)-40+i] = byte(nan >> (8 * i))
			}
			return again(file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, c, log, place := onShelf(t)
			file, err := os.ReadFile(place)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(place, spoil(file), 0o600); err != nil {
				t.Fatal(err)
			}
			s := New(c)
			g := s.Stock([]games.Game{twelve()})[0]
			s.Look()
			for range 2 {
				if _, err := games.ProblemOf(g, nil, 2); err == nil {
					t.Error("it is played")
				}
			}
			if n := strings.Count(log.String(), "of no use"); n != 1 {
				t.Errorf("it was told %d times: %s", n, log)
			}
			if _, err := os.Stat(place); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWhatCannotBeReadIsToldToTheCaller closes the file while it is used: no number is made up.
func TestWhatCannotBeReadIsToldToTheCaller(t *testing.T) {
	_, _, _, place := onShelf(t)
	p, err := offline(twelve(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	layout, _ := p.Layout()
	o, err := open(place, aboutOf(p, layout), sha256.New(), func([]byte) {})
	if err != nil {
		t.Fatal(err)
	}
	solved, err := twelve().Offline().Restore(nil, 1, o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := twelve().New(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := solved.Worths(m, 0); err != nil {
		t.Fatal(err)
	}
	if err := o.file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := solved.Worths(m, 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a move's worth is known without the file: %v", err)
	}
	if _, err := solved.Expect(m); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a seat's chances are known without the file: %v", err)
	}
}

// TestWhoStopsLeavesNoFile ends solving before it is done.
func TestWhoStopsLeavesNoFile(t *testing.T) {
	folder := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for range 5 { // it may have been solved before anybody looked
		if _, err := SolveTo(ctx, filepath.Join(folder, "a"+extension), twelve(), nil, nil); err != nil {
			if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
				t.Errorf("%d files are left: %v", len(entries), err)
			}
			return
		}
	}
	t.Error("it was solved all the same")
}

// TestWhatIsOfNoUseHidesNothing puts other files of the same rules beside a good one, and beside none.
func TestWhatIsOfNoUseHidesNothing(t *testing.T) {
	for name, spoil := range map[string]func(about) about{
		"torn":               nil,
		"of other rules":     func(a about) about { a.Means = strings.Repeat("0", 64); return a },
		"of an earlier form": func(a about) about { a.Count++; return a },
	} {
		t.Run(name, func(t *testing.T) {
			_, c, log, place := onShelf(t)
			bad := filepath.Join(c.Folders[0], "a bad one"+extension)
			file, err := os.ReadFile(place)
			if err != nil {
				t.Fatal(err)
			}
			if spoil == nil {
				file = file[:len(file)/2]
			} else {
				a, head, err := readAbout(bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				begins, err := spoil(a).head()
				if err != nil {
					t.Fatal(err)
				}
				file = again(append(begins, file[head:]...))
			}
			if err := os.WriteFile(bad, file, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, good := range []bool{true, false} {
				log.Reset()
				s := New(c)
				g := s.Stock([]games.Game{twelve()})[0]
				s.Look()
				if _, err := games.ProblemOf(g, nil, 2); (err == nil) != good {
					t.Errorf("beside a good one: %v: %v", good, err)
				}
				told := log.String()
				if n := strings.Count(told, "of no use"); n != 1 || !strings.Contains(told, "a bad one") {
					t.Errorf("it was told %d times: %s", n, told)
				}
				if err := os.RemoveAll(place); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestWhatIsSolvedInAMomentNeedsNoFile spoils the file of rules that a running program solves: it solves them.
func TestWhatIsSolvedInAMomentNeedsNoFile(t *testing.T) {
	c, log := shelved(t.TempDir())
	place := filepath.Join(c.Folders[0], "mine"+extension)
	if _, err := SolveTo(t.Context(), place, small().Game, nil, nil); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	for _, well := range []bool{true, false} {
		if !well {
			file[len(file)-1] ^= 1
		}
		if err := os.WriteFile(place, file, 0o600); err != nil {
			t.Fatal(err)
		}
		s := New(c)
		g := s.Stock([]games.Game{small().Game})[0]
		var solutions record.Solutions
		if solved, err := solutions.Of(g, nil, 2); err != nil || solved.Size() == 0 {
			t.Errorf("it is not solved: %v", err)
		}
		if told := strings.Contains(log.String(), "of no use"); told == well {
			t.Errorf("told: %v, %s", told, log)
		}
		if p := problem(t, g, nil); p.Laborious() == well {
			t.Errorf("it is said to take long: %v", p.Laborious())
		}
	}
}
