package review_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/wuerfelpoker"
)

// hundredths reads a number as reviews spell it: "−6.12".
func hundredths(t *testing.T, said string) int {
	t.Helper()
	n, err := strconv.ParseFloat(strings.Replace(said, "−", "-", 1), 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(n*100 + map[bool]float64{true: 0.5, false: -0.5}[n > 0])
}

func TestReviewStandsOnTheFinishedBoard(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	table := h.Pokered("Anna", "Ben")
	if r := anna.Writes("/review"); r.Refused || r.Toast != "It is being worked out. Ask again in a moment." {
		t.Errorf("before it is known: %+v", r)
	}
	before := anna.Board()
	board := h.Reviewed(table)
	if strings.Contains(fmt.Sprint(before.Buttons), "Review") {
		t.Error("the board offers a review that is not there")
	}
	luck := map[string]string{} // by name, as the board says it
	words := regexp.MustCompile(`^\x{2068}?(Anna|Ben)\x{2069}?: (lucky by|unlucky by|neither lucky nor unlucky).*, ` +
		`(no mistake|hardly a mistake|mistakes cost \S+)\.$`)
	for _, said := range board.Lines {
		if m := words.FindStringSubmatch(said); m != nil {
			luck[m[1]] = m[2]
		}
	}
	if len(luck) != 2 {
		t.Errorf("the lines of Anna and Ben are not there: %q", board.Lines)
	}
	figures := regexp.MustCompile(`^\x{2068}?(Anna|Ben)\x{2069}? (\S+): dice (\S+), decisions (\S+), others (\S+)$`)
	for _, said := range anna.Presses("Review").Private.Lines {
		m := figures.FindStringSubmatch(said)
		if m == nil {
			continue
		}
		dice := hundredths(t, m[3])
		if sum := dice + hundredths(t, m[4]) + hundredths(t, m[5]); sum != hundredths(t, m[2]) {
			t.Errorf("%s adds up to %d hundredths", said, sum)
		}
		want := map[bool]string{true: "lucky by", false: "unlucky by"}[dice > 0]
		if luck[m[1]] != want && luck[m[1]] != "neither lucky nor unlucky" {
			t.Errorf("%s: the board says %s", said, luck[m[1]])
		}
		delete(luck, m[1])
	}
	if len(luck) > 0 {
		t.Errorf("the figures of %v are not there", luck)
	}
}

func TestReviewPages(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	table := h.Pokered("Anna", "Ben")
	h.Reviewed(table)
	first := anna.Presses("Review")
	got := bare.Page(t, first)
	for _, want := range []string{
		"Luck and decisions in game #1, Würfelpoker, in points.", ": dice ", "   others: their dice ",
		"The costliest decision, move ", " chose “", " on average, with the chosen move at ",
		"[Move by move][As a line]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	moves := anna.Sends(bare.PressOn(t, first, "Move by move"))
	got = bare.Page(t, moves)
	if !strings.HasPrefix(got, "Game #1, moves 1 to 12 of ") || !strings.Contains(got, "1. Anna: throw") ||
		!strings.Contains(got, ", luck ") {
		t.Error(got)
	}
	if got := bare.Page(t, anna.Sends(bare.PressOn(t, moves, "▶"))); !strings.HasPrefix(got,
		"Game #1, moves 13 to 24 of ") {
		t.Error(got)
	}
	picture := anna.Sends(bare.PressOn(t, first, "As a line")).Private
	if picture == nil || picture.Picture == nil || !strings.Contains(picture.Picture.Alt, "Anna") {
		t.Fatalf("no picture: %+v", picture)
	}
	if drawn, err := png.Decode(bytes.NewReader(picture.Picture.PNG)); err != nil || drawn.Bounds().Dx() < 400 {
		t.Errorf("the picture cannot be read: %v", err)
	}
	if got := bare.Page(t, ben.Writes("/review 1")); !strings.HasPrefix(got,
		"Glück und Entscheidungen in Partie #1, Würfelpoker, in Punkten.") || !strings.Contains(got, ": Würfel ") ||
		!strings.Contains(got, " Punkte, mit dem gewählten Zug auf ") {
		t.Error(got)
	}
	h.Restart()
	if again := bare.Page(t, anna.Writes("/review 1")); again != bare.Page(t, first) {
		t.Errorf("after a restart the review is another one:\n%s", again)
	}
	for line, says := range map[string]string{
		"/review x":         "Say /review, or the number of a game: /review 41.",
		"/review 1 x":       "Say /review, or the number of a game: /review 41.",
		"/review 99":        "No game 99 has ended here. /history lists them.",
		"/review 1 moves x": "Say /review, or the number of a game: /review 41.",
	} {
		if r := anna.Writes(line); r.Toast != says {
			t.Errorf("%s: %+v", line, r)
		}
	}
	foreign := anna.Event()
	foreign.Chat, foreign.Place, foreign.Command, foreign.Text = "test:2", "test:2/1", "review", "1"
	bare.Refused(t, h.Bot.Handle(t.Context(), foreign), "No game 1 has ended here. /history lists them.")
}

func TestNoReviewOfAGameThatGoesOn(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	anna.Writes("/wuerfelpoker")
	anna.Presses("▶ Start")
	bare.Refused(t, anna.Writes("/review"), "There is a review once it is over. /history shows others.")
	bare.Refused(t, anna.Writes("/review 1"), "There is a review once it is over. /history shows others.")
	coin := h.Person("Clara")
	coin.Place = "test:1/2"
	coin.Plays("/coin 0")
	bare.Refused(t, coin.Writes("/review"), "This game has no review. /history shows others.")

	// Nor of one that was ended before its time, and its dice come with no promise
	// of a record.
	anna.Writes("/abandon")
	anna.Presses("Yes, end it")
	bare.Refused(t, anna.Writes("/review"), "This game has no review. /history shows others.")
	bare.Refused(t, anna.Writes("/review 1"), "This game has no review. /history shows others.")
	if text := bare.Show(*anna.Writes("/fair").Private); !strings.Contains(text, "Seed: ") ||
		strings.Contains(text, "knobel export") {
		t.Errorf("its dice are told as\n%s", text)
	}
}

func TestReviewsOfOldGamesDisturbNoBoard(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	h.Pokered("Anna")
	h.Wait(48 * time.Hour)
	s := bare.NewStage()
	h.OnStage(s)
	s.Until(t, "the review", func([]string) bool { return anna.Writes("/review").Private != nil })
	if board := anna.Board(); strings.Contains(fmt.Sprint(board.Lines), "dice") && board.Table != 1 {
		t.Error("another board")
	}
	if lags := len(s.Until(t, "what was done", func([]string) bool { return true })); lags > 1 {
		t.Errorf("%d boards were drawn for a game of the day before yesterday", lags)
	}
}

// dawdling is Würfelpoker whose perfect play with all rows free takes until it may go on.
type dawdling struct {
	sheet.Game
	goOn chan struct{}
}

func (d dawdling) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	if d.Laborious(rules, seats) {
		<-d.goOn
		return nil, errors.New("that would be too much for a test")
	}
	return d.Game.Solve(rules, seats)
}

// A review whose perfect play takes long keeps no other waiting, and has its turn.
func TestAReviewThatTakesLongKeepsNoOtherWaiting(t *testing.T) {
	d := dawdling{Game: wuerfelpoker.New(), goOn: make(chan struct{})}
	h := bare.New(t, d)
	anna := h.Person("Anna")
	soon := h.Pokered("Anna", "Ben")
	people := h.Gather("/wuerfelpoker order=free", "Anna", "Ben") // which is the newer
	people[0].Presses("▶ Start")
	h.PressOut(people)
	h.Reviewed(soon)
	if r := anna.Writes("/review"); r.Toast != "It is being worked out. Ask again in a moment." {
		t.Fatalf("the other was not waited for: %+v", r)
	}
	h.Reviewed(h.Pokered("Anna", "Ben")) // also one that comes while it is worked out
	defer h.OnStage(bare.NewStage())()
	close(d.goOn)
	for deadline := time.Now().Add(fakes.Patience); ; time.Sleep(5 * time.Millisecond) {
		if anna.Writes(fmt.Sprint("/review ", soon+1)).Toast == "This game has no review. /history shows others." {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("its turn never came")
		}
	}
}
