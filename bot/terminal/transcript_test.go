package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"knobel/bot"
	"knobel/bot/terminal"
	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store/storetest"
)

// keyboard types one line after each prompt, and echoes it.
type keyboard struct {
	shown   bytes.Buffer
	prompts chan struct{}
	next    func(shown string) (line string, there bool)
	typed   []byte
}

func (k *keyboard) Write(p []byte) (int, error) { // takes output; after a prompt, Read types the next line
	k.shown.Write(p)
	if bytes.HasSuffix(p, []byte("): ")) {
		k.prompts <- struct{}{}
	}
	return len(p), nil
}

func (k *keyboard) Read(p []byte) (int, error) {
	if len(k.typed) == 0 {
		<-k.prompts
		line, there := k.next(k.shown.String())
		if !there {
			return 0, io.EOF
		}
		k.typed = []byte(line + "\n")
		k.shown.Write(k.typed)
	}
	n := copy(p, k.typed)
	k.typed = k.typed[n:]
	return n, nil
}

// withoutReview waits for computer players but for no review, whose time is uncertain.
type withoutReview struct{ *wiring.Bot }

func (withoutReview) AwaitReview(context.Context, int64) error { return nil }

// errReview is the error of failing.AwaitReview.
var errReview = errors.New("the disk is gone")

// failing is a bot that fails to wait for reviews.
type failing struct{ *wiring.Bot }

func (failing) AwaitReview(context.Context, int64) error { return errReview }

// An error while waiting for a review ends the program; a slow review does not.
func TestAFailedReviewIsTold(t *testing.T) {
	b, said := newBot(t)
	table := terminal.Table{Game: "shutbox", Seats: []string{"Anna"}, Lang: "en"}
	err := terminal.New(failing{b}, said, strings.NewReader(""), io.Discard, table).Run(t.Context(), b)
	if !errors.Is(err, errReview) {
		t.Errorf("the program ends with %v", err)
	}
}

// newBot returns a bot with seeded dice, and its words.
func newBot(t *testing.T) (*wiring.Bot, *words.Words) {
	t.Helper()
	all := []games.Game{shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{}}
	said, err := words.New(shutbox.Game{}.Words(), wuerfelpoker.New().Words(), zehntausend.Game{}.Words())
	if err != nil {
		t.Fatal(err)
	}
	return wiring.New(bot.Config{Store: storetest.Open(t), Games: all, Words: said,
		Log: slog.New(slog.DiscardHandler), Rand: rand.NewChaCha8([32]byte{7}), Picks: true}), said
}

// play plays with seeded dice, types the lines that next returns until it returns false, and returns the screen.
func play(t *testing.T, table terminal.Table, next func(shown string) (string, bool)) string {
	t.Helper()
	b, said := newBot(t)
	k := &keyboard{prompts: make(chan struct{}, 1), next: next}
	if err := terminal.New(withoutReview{b}, said, k, k, table).Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return k.shown.String()
}

// typed matches the line typed after a prompt.
var typed = regexp.MustCompile(`(?m)(?:quit|Beenden)\): (.*)$`)

var evenings = map[string]terminal.Table{
	"wuerfelpoker.en.txt": {Game: "wuerfelpoker", Seats: []string{"Anna"}, Lang: "en"},
	"wuerfelpoker.de.txt": {Game: "wuerfelpoker", Seats: []string{"Anna", "house:greedy"}, Lang: "de"},
	"shutbox.en.txt": {Game: "shutbox", Seats: []string{"Anna", "Ben"}, Lang: "en",
		Options: map[string]string{"stake": "5"}},
	"shutbox.de.txt": {Game: "shutbox", Seats: []string{"Anna", "house:fewest"}, Lang: "de"},
	"zehntausend.en.txt": {Game: "zehntausend", Seats: []string{"Anna"}, Lang: "en",
		Options: map[string]string{"target": "1000"}},
}

// TestTranscripts plays whole games by typing words and dice faces: the inputs in a transcript give its outputs.
func TestTranscripts(t *testing.T) {
	for name, table := range evenings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", name)
			want, err := os.ReadFile(file)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			lines := typed.FindAllStringSubmatch(string(want), -1)
			got := play(t, table, func(string) (string, bool) {
				if len(lines) == 0 {
					return "", false
				}
				line := lines[0][1]
				lines = lines[1:]
				return line, true
			})
			if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
				t.Errorf("%s goes otherwise (-want +got):\n%s", name, d)
			}
			if len(lines) > 0 || !strings.Contains(got, "↻") {
				t.Errorf("the game is not over, or %d lines are left", len(lines))
			}
			for line := range strings.Lines(got) {
				bare := typed.ReplaceAllString(line, "")
				if utf8.RuneCountInString(strings.TrimRight(bare, " \n")) > 80 {
					t.Errorf("wider than 80 columns: %q", bare)
				}
				if typed.MatchString(line) && utf8.RuneCountInString(strings.TrimRight(line, " \n")) > 80 {
					t.Errorf("no room for what is typed: %q", line)
				}
			}
		})
	}
}
