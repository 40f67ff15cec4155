package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"knobel/games"
	"knobel/games/gametest/either"
	"knobel/games/record"
)

// TestFlagsOfAGameThatIsSettledByItsRules: a stake implies the pool, a pool without one has the usual stake, and
// differences have none. What is simulated is verified.
func TestFlagsOfAGameThatIsSettledByItsRules(t *testing.T) {
	for line, c := range map[string]struct {
		settle, refusal string
		stake           int64
		option          string // the stake as play passes it on
	}{
		"":                               {"", "", 0, ""},
		"--settle=pool":                  {"pool", "", 10, "10"},
		"--stake=7":                      {"pool", "", 7, "7"},
		"--stake=0":                      {"", "", 0, ""},
		"--stake=0 --settle=pool":        {"pool", "", 0, "0"},
		"--settle=difference":            {"", "", 0, ""},
		"--stake=7 --settle=difference":  {"", "games.stake-settle", 0, ""},
		"--stake=7 --point=5":            {"", "either.refuse.point", 0, ""},
		"--variant=double --stake=7":     {"pool", "", 7, "7"},
		"--variant=double --settle=pool": {"pool", "", 10, "10"},
	} {
		t.Run(line, func(t *testing.T) {
			s := simulation{agreement: agreement{game: either.Game{}}, games: 3, seed: 1,
				records: filepath.Join(t.TempDir(), "records")}
			f := pflag.NewFlagSet("either", pflag.ContinueOnError)
			s.flags(f, houseOf(either.Game{}, 0), houseOf(either.Game{}, 0))
			if err := f.Parse(strings.Fields(line)); err != nil {
				t.Fatal(err)
			}
			terms, err := s.terms()
			if r, refused := games.Refused(err); refused || c.refusal != "" {
				if !refused || r.Key != c.refusal {
					t.Errorf("refused with %v, want %q", err, c.refusal)
				}
				return
			}
			if terms.Rules["settle"] != c.settle || terms.Stake != c.stake {
				t.Errorf("the rules are %v, the stake is %d: %v", terms.Rules, terms.Stake, err)
			}
			if o := s.options(terms.Rules); o["stake"] != c.option {
				t.Errorf("play passes the options %v on", o)
			}
			if err := s.run(context.Background(), world{out: &bytes.Buffer{}}); err != nil {
				t.Fatal(err)
			}
			lines, err := os.ReadFile(s.records)
			if err != nil {
				t.Fatal(err)
			}
			n, err := record.ReadLines(bytes.NewReader(lines), []games.Game{either.Game{}}, nil,
				func(int, record.Record) {}, func(_ int, f record.Fault) { t.Error(f) })
			if n != 3 || err != nil || strings.Contains(string(lines), `"pool":`) != (c.settle == "pool") {
				t.Errorf("%d records, %v:\n%s", n, err, lines)
			}
		})
	}
}
