package sets

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// What solving a sheet takes, beside two other ways to solve it. Each runs in a process of its own, which solves once
// and then says what that took, by the operating system's account: this program, started again.

// TestMain is a process of the race where it was started as one.
func TestMain(m *testing.M) {
	if name := os.Getenv("KNOBEL_TEST_RACER"); name != "" {
		if err := json.NewEncoder(os.Stdout).Encode(race(racers[name])); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(gametest.Main(m))
}

// racers are ways to solve; each returns what perfect play brings.
var racers = map[string]func() float64{
	"kniffel":       func() float64 { return solve(Kniffel(), nil) },
	"yahtzee":       func() float64 { return solve(Kniffel(), kniffelRules(100, "forced")) },
	"yatzy":         func() float64 { return solve(Yatzy(), nil) },
	"eight":         func() float64 { return solve(sheettest.Game(eightRows().sheet()), nil) },
	"kniffel-usual": func() float64 { return newUsual(plainKniffel(0, "none"), 63, 35, 0, false).total() },
	"yahtzee-usual": func() float64 { return newUsual(plainKniffel(100, "forced"), 63, 35, 100, true).total() },
	"yatzy-usual":   func() float64 { return newUsual(plainYatzy(), 63, 50, 0, false).total() },
	"eight-plain":   func() float64 { return eightRows().naive().Expect() },
}

// eightRows is Kniffel with eight of its rows.
func eightRows() cut {
	return cut{paper: kniffel, rules: sheet.Chosen{"further": "0", "joker": "none"}, plain: plainKniffel(0, "none"),
		bonus: sheettest.From(30, 35),
		rows:  "ones threes sixes four-alike full-house small-straight kniffel chance"}
}

func solve(g sheet.Game, rules games.Rules) float64 {
	solved, err := g.Solve(rules, 1)
	if err != nil {
		panic(err)
	}
	return solved.(*sheet.Perfect).Total()
}

// ran is what a racer took.
type ran struct {
	Total           float64
	Wall, Processor time.Duration
	Before, Peak    int // of the memory that the process holds, in KiB: when it began to solve, and at most
}

func race(racer func() float64) (r ran) {
	r.Before = peak()
	used, begun := processor(), time.Now()
	r.Total = racer()
	r.Wall, r.Processor = time.Since(begun), processor()-used
	r.Peak = peak()
	return r
}

// peak is the most memory that this process has held, in KiB. What getrusage says of that counts its parent's too.
func peak() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		panic(err)
	}
	return n
}

// processor is the processor time that this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// start runs a racer in a process of its own.
func start(b *testing.B, name string) (r ran) {
	b.Helper()
	program, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	process := exec.Command(program)
	process.Env = append(os.Environ(), "KNOBEL_TEST_RACER="+name)
	process.Stderr = os.Stderr
	said, err := process.Output()
	if err == nil {
		err = json.Unmarshal(said, &r)
	}
	if err != nil {
		b.Fatalf("%s: %v: %s", name, err, said)
	}
	return r
}

// BenchmarkRace solves whole sheets, and does so in the usual way; and eight rows, and these by a plain recursion that
// remembers. Its figures are medians: seconds by the clock and of processors, MiB before and at most, and how many
// times the processor time is less.
func BenchmarkRace(b *testing.B) {
	for _, of := range [][2]string{
		{"kniffel", "usual"}, {"yahtzee", "usual"}, {"yatzy", "usual"}, {"eight", "plain"},
	} {
		b.Run(of[0], func(b *testing.B) {
			var ours, theirs []ran
			for b.Loop() {
				ours = append(ours, start(b, of[0]))
				theirs = append(theirs, start(b, of[0]+"-"+of[1]))
				if total, other := ours[0].Total, theirs[0].Total; !(math.Abs(total-other) < 1e-9) {
					b.Fatalf("perfect play brings %.12f, %s %.12f", total, of[1], other)
				}
			}
			spent := func(r ran) float64 { return r.Processor.Seconds() }
			for name, of := range map[string][]ran{"": ours, of[1] + "-": theirs} {
				b.ReportMetric(median(of, func(r ran) float64 { return r.Wall.Seconds() }), name+"wall-s")
				b.ReportMetric(median(of, spent), name+"cpu-s")
				b.ReportMetric(median(of, func(r ran) float64 { return float64(r.Peak) / 1024 }), name+"MiB")
			}
			b.ReportMetric(median(ours, func(r ran) float64 { return float64(r.Before) / 1024 }), "before-MiB")
			b.ReportMetric(median(theirs, spent)/median(ours, spent), "times-"+of[1])
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(of []ran, figure func(ran) float64) float64 {
	figures := make([]float64, len(of))
	for i, r := range of {
		figures[i] = figure(r)
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}
