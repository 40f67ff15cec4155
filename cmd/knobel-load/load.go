// Command knobel-load starts Knobel with a fake Discord and a fake Telegram, lets many chats press buttons, and reports
// the waits.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// load holds the flags: how many chats press buttons of a running program, each at its own table, and how often.
type load struct {
	chats     int
	rate      float64       // presses per second and chat
	duration  time.Duration // how long the chats press buttons
	platforms []string      // names of the platforms
	folder    string        // for the database and the log
	program   string        // path of Knobel's binary
	json      bool          // print JSON
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := command()
	if err := c.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "knobel-load: %v\n", err)
		os.Exit(1)
	}
}

// command returns the command line.
func command() *cobra.Command {
	l := load{}
	c := &cobra.Command{
		Use:           "knobel-load",
		Short:         "Measure Knobel under the load of many chats",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return l.run(c.Context(), c.OutOrStdout()) },
	}
	c.CompletionOptions.DisableDefaultCmd = true
	c.Flags().IntVar(&l.chats, "chats", 1000, "number of chats on all platforms")
	c.Flags().Float64Var(&l.rate, "rate", 1, "presses per second in each chat; above 1.6, many count as double taps")
	c.Flags().DurationVar(&l.duration, "for", time.Minute, "duration of the measurement")
	c.Flags().StringSliceVar(&l.platforms, "on", []string{"discord", "telegram"}, "platforms")
	c.Flags().StringVar(&l.folder, "dir", "", "folder for the database (default: a temporary one)")
	c.Flags().StringVar(&l.program, "program", "",
		"program to start (default: built from the sources here)")
	c.Flags().BoolVar(&l.json, "json", false, "JSON output")
	return c
}

// Invented tokens in the form of real ones.
const (
	loadDiscord  = "MTE5ODYyMjQ4MzQ3MTkyNTI0OA.Gload1.knobelLoadOnly_0123456789abcdefghi"
	loadTelegram = "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhacLOADX"
)

// result holds the measurements. Durations are in milliseconds.
type result struct {
	Chats      int     `json:"chats"`
	Seconds    float64 `json:"seconds"`
	Presses    int     `json:"presses"`
	Lost       int     `json:"lost"` // presses without an answer
	P50        float64 `json:"p50_ms"`
	P95        float64 `json:"p95_ms"`
	P99        float64 `json:"p99_ms"`
	Most       float64 `json:"max_ms"`
	Drawn      int     `json:"boards_drawn"`      // posts and edits of boards, apart from answers
	Busy       int     `json:"refused_too_often"` // answers 429
	Violations int     `json:"violations"`        // requests that break a platform's rules
	Memory     float64 `json:"memory_mb"`         // largest resident size; 0: unknown
	CPU        float64 `json:"cpu_seconds"`       // while the chats press buttons; 0: unknown
}

// check returns an error for invalid flags.
func (l load) check() error {
	if l.chats < 1 || l.rate <= 0 || l.duration <= 0 {
		return errors.New("use at least one chat, and a rate and a time above 0")
	}
	for _, name := range l.platforms {
		if name != "discord" && name != "telegram" {
			return fmt.Errorf("unknown platform %q: use discord or telegram", name)
		}
	}
	if len(l.platforms) == 0 {
		return errors.New("no platform: use discord or telegram")
	}
	return nil
}

// run measures and prints the result to out, as text or JSON.
func (l load) run(ctx context.Context, out io.Writer) (err error) {
	if err := l.check(); err != nil {
		return err
	}
	tempFolder, err := os.MkdirTemp("", "knobel-load")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tempFolder)) }()
	if l.folder == "" {
		l.folder = tempFolder
	}
	if l.program == "" {
		if l.program, err = build(ctx, tempFolder); err != nil {
			return err
		}
	}
	env := []string{"HOME=" + l.folder, "PATH=" + os.Getenv("PATH"),
		"KNOBEL_DB=" + filepath.Join(l.folder, "knobel.db")}
	var platforms []fakePlatform
	for i, name := range l.platforms {
		a, added, err := newPlatform(name, (l.chats+len(l.platforms)-1-i)/len(l.platforms))
		if err != nil {
			return err
		}
		defer a.close()
		platforms, env = append(platforms, a), append(env, added...)
	}
	b, err := l.measure(ctx, platforms, env)
	if err != nil {
		return err
	}
	if l.json {
		return json.NewEncoder(out).Encode(b)
	}
	return b.print(out)
}

// build builds Knobel into a folder and returns the path of the program.
func build(ctx context.Context, folder string) (string, error) {
	program := filepath.Join(folder, "knobel")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program,
		"knobel/cmd/knobel").CombinedOutput(); err != nil {
		return "", fmt.Errorf("no program to start; set --program: %w\n%s", err, out)
	}
	return program, nil
}

// print prints the result to out as a table.
func (b result) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%d chats, %.0f s\t%d presses\t%.0f a second\n", b.Chats, b.Seconds, b.Presses,
		float64(b.Presses)/b.Seconds)
	fmt.Fprintf(t, "press to answer\tp50 %.1f ms\tp95 %.1f ms\tp99 %.1f ms\tmax %.1f ms\n", b.P50, b.P95, b.P99, b.Most)
	fmt.Fprintf(t, "lost presses\t%d\nrefused as too many\t%d\nviolations\t%d\n", b.Lost, b.Busy, b.Violations)
	fmt.Fprintf(t, "boards drawn besides answers\t%d\n", b.Drawn)
	memory := "unknown"
	if b.Memory > 0 {
		memory = fmt.Sprintf("%.0f MB", b.Memory)
	}
	fmt.Fprintf(t, "maximum memory\t%s\nprocessor\t%.1f s, %.2f of one\n", memory, b.CPU, b.CPU/b.Seconds)
	return t.Flush()
}

// measure runs the program with the environment env while the chats of all platforms play, and returns the results.
func (l load) measure(ctx context.Context, platforms []fakePlatform, env []string) (b result, err error) {
	address, err := freeAddress()
	if err != nil {
		return b, err
	}
	log, err := os.Create(filepath.Join(l.folder, "knobel.log"))
	if err != nil {
		return b, err
	}
	defer log.Close()
	program := exec.Command(l.program, "serve")
	program.Dir, program.Env, program.Stdout, program.Stderr = l.folder, append(env, "KNOBEL_LISTEN="+address), log, log
	if err := program.Start(); err != nil {
		return b, err
	}
	var waits []time.Duration
	began, before := time.Now(), 0.0
	if err = l.open(ctx, address, platforms); err == nil {
		began, before = time.Now(), processorTime(program.Process.Pid)
		waits = l.play(ctx, platforms)
		err = ctx.Err()
	}
	b.Seconds = time.Since(began).Seconds()
	b.Memory, b.CPU = maxMemory(program.Process.Pid), processorTime(program.Process.Pid)-before
	_ = program.Process.Signal(syscall.SIGTERM)
	if ended := program.Wait(); ended != nil && err == nil {
		err = fmt.Errorf("the program failed: %w", ended)
	}
	if err != nil {
		logText, _ := os.ReadFile(log.Name())
		return b, fmt.Errorf("%w\n%s", err, logText[max(0, len(logText)-2000):])
	}
	b.Chats, b.Presses = l.chats, len(waits)
	b.add(waits, platforms)
	return b, nil
}

// add adds waits, how long each press waited (-1: no answer), and the counts of all platforms to the result.
func (b *result) add(waits []time.Duration, platforms []fakePlatform) {
	for _, a := range platforms {
		drawn, busy, violations := a.count()
		b.Drawn, b.Busy, b.Violations = b.Drawn+drawn, b.Busy+busy, b.Violations+violations
	}
	answered := slices.DeleteFunc(waits, func(d time.Duration) bool { return d < 0 })
	b.Lost = b.Presses - len(answered)
	slices.Sort(answered)
	quantile := func(share float64) float64 {
		if len(answered) == 0 {
			return 0
		}
		i := min(int(share*float64(len(answered))), len(answered)-1)
		return float64(answered[i].Microseconds()) / 1000
	}
	b.P50, b.P95, b.P99, b.Most = quantile(0.5), quantile(0.95), quantile(0.99), quantile(1)
}

// freeAddress returns a loopback address with a free port. Its port is below the range of ephemeral ports, so it is
// still free when the program listens there.
func freeAddress() (address string, err error) {
	for range 100 {
		var probe net.Listener
		if probe, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))); err == nil {
			return probe.Addr().String(), probe.Close()
		}
	}
	return "", fmt.Errorf("no free port: %w", err)
}

// openTimeout is the timeout for opening all tables: Telegram takes 30 messages a second.
const openTimeout = 2 * time.Minute

// open waits until the program at address is ready, and opens a table in every chat of all platforms.
func (l load) open(ctx context.Context, address string, platforms []fakePlatform) error {
	openCtx, stop := context.WithTimeout(ctx, openTimeout)
	defer stop()
	if err := waitReady(openCtx, address); err != nil {
		return err
	}
	var mu sync.Mutex
	var opening sync.WaitGroup
	var errs []error
	for _, a := range platforms {
		for _, c := range a.chats {
			opening.Go(func() {
				if err := c.open(openCtx); err != nil {
					mu.Lock()
					defer mu.Unlock()
					errs = append(errs, err)
				}
			})
		}
	}
	opening.Wait()
	if len(errs) > 0 {
		return fmt.Errorf("%d of %d tables were not opened: %w", len(errs), l.chats, errs[0])
	}
	return nil
}

// play lets all chats of platforms press buttons. It returns how long each press waited for its answer, -1 for none.
func (l load) play(ctx context.Context, platforms []fakePlatform) (waited []time.Duration) {
	var mu sync.Mutex
	var playing sync.WaitGroup
	pace := time.Duration(float64(time.Second) / l.rate)
	begin := time.Now()
	for _, a := range platforms {
		for i, c := range a.chats {
			// The chats of each platform are spread over the first period.
			first := begin.Add(pace * time.Duration(i) / time.Duration(len(a.chats)))
			playing.Go(func() {
				chatWaits := c.play(ctx, first, pace, begin.Add(l.duration))
				mu.Lock()
				waited = append(waited, chatWaits...)
				mu.Unlock()
			})
		}
	}
	playing.Wait()
	return waited
}

// waitReady waits until the program at address reports that it is ready, or returns an error once ctx is done.
func waitReady(ctx context.Context, address string) error {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return errors.New("the program did not become ready")
		}
	}
}

// maxMemory returns the largest resident size of a process so far, in megabytes; 0 if unknown.
func maxMemory(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err == nil {
				return kb / 1024
			}
		}
	}
	return 0
}

// processorTime returns the processor time of a process so far, in seconds; 0 if unknown.
func processorTime(pid int) float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name, which may hold spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, err1 := strconv.ParseFloat(fields[11], 64)
	system, err2 := strconv.ParseFloat(fields[12], 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return (user + system) / 100 // ticks, always 100 a second on Linux
}

// newPlatform starts a fake platform with this name and number of chats. It returns it and Knobel's environment for it.
func newPlatform(name string, chats int) (fakePlatform, []string, error) {
	if name == "discord" {
		server, err := discordtest.New(discordtest.Options{Token: loadDiscord, Forget: true})
		if err != nil {
			return fakePlatform{}, nil, err
		}
		return newDiscord(server, chats),
			[]string{"KNOBEL_DISCORD_TOKEN=" + loadDiscord, "KNOBEL_DISCORD_API_URL=" + server.URL()}, nil
	}
	server, err := telegramtest.New(nil, telegramtest.Options{Token: loadTelegram, Forget: true})
	if err != nil {
		return fakePlatform{}, nil, err
	}
	return newTelegram(server, chats),
		[]string{"KNOBEL_TELEGRAM_TOKEN=" + loadTelegram, "KNOBEL_TELEGRAM_API_URL=" + server.URL()}, nil
}
