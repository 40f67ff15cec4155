package review_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

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

// slowGame is Würfelpoker whose solver for free order blocks until goOn is closed.
type slowGame struct {
	sheet.Game
	goOn chan struct{}
}

func (d slowGame) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	if d.Laborious(rules, seats) {
		<-d.goOn
		return nil, errors.New("that would be too much for a test")
	}
	return d.Game.Solve(rules, seats)
}

// A review that waits for a slow solution does not delay others, and is computed later.
func TestAReviewThatTakesLongKeepsNoOtherWaiting(t *testing.T) {
	d := slowGame{Game: wuerfelpoker.New(), goOn: make(chan struct{})}
	h := bare.New(t, d)
	anna := h.Person("Anna")
	soon := h.Pokered("Anna", "Ben")
	people := h.Gather("/wuerfelpoker order=free", "Anna", "Ben") // reviewed first, because it is newer
	people[0].Presses("▶ Start")
	h.PressOut(people)
	h.Reviewed(soon)
	if r := anna.Writes("/review"); r.Toast != "Still working it out. Try again in a moment." {
		t.Fatalf("the other was not waited for: %+v", r)
	}
	h.Reviewed(h.Pokered("Anna", "Ben")) // also a game that ends during the solving
	defer h.OnStage(bare.NewStage())()
	close(d.goOn)
	for deadline := time.Now().Add(fakes.Patience); ; time.Sleep(5 * time.Millisecond) {
		if anna.Writes(fmt.Sprint("/review ", soon+1)).Toast == "This game has no review. /history lists others." {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("its turn never came")
		}
	}
}

func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New()) }

// TestHintsAreSmall plays all games by their hints, in both languages, and checks that boards fit a phone.
func TestHintsAreSmall(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	for _, locale := range []string{"en", "de"} {
		anna := h.Person("Anna")
		anna.Locale, anna.Place = locale, chat.Place("test:1/"+locale)
		anna.Writes("/wuerfelpoker hints=yes")
		anna.Sends(fmt.Sprintf("1:%d:0:!start", anna.Table().ID))
		var r chat.Reply
		bare.NewStage().Until(t, "a hint", func([]string) bool { r = anna.Writes("/hint"); return r.Private != nil })
		for anna.Table().State == store.Playing {
			if r = anna.Writes("/hint"); r.Private == nil {
				t.Fatalf("no hint: %+v", r)
			}
			bare.Proper(t, *r.Private)
			if text := bare.Show(*r.Private); utf8.RuneCountInString(text) > 200 {
				t.Errorf("that is long:\n%s", text)
			}
			h.PressOn([]*bare.Person{anna}, 3)
		}
	}
}

// playBadly opens a table with the chat command in line and plays it to its end, badly. It returns the table's id.
func playBadly(h *bare.House, line string, names ...string) int64 {
	h.T.Helper()
	people := h.Gather(line, names...)
	people[0].Presses("▶ Start")
	for i := range 2000 {
		table := people[0].Table()
		if table.State != store.Playing {
			return table.ID
		}
		row := people[0].Board().Buttons[0]
		row = slices.DeleteFunc(row, func(b chat.Button) bool { return strings.Contains(b.Press, "!undo") })
		for _, p := range people {
			p.Sends(row[i%len(row)].Press)
		}
	}
	h.T.Fatalf("%s: it does not end\n%s", line, bare.Show(people[0].Board()))
	return 0
}

// TestSkillOverflowsByNothingThatIsPlayed checks that skill is computed even if scores have up to fifteen digits (open
// tiles read as one number), in one round and in knockout matches, alone and against others.
func TestSkillOverflowsByNothingThatIsPlayed(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	for _, line := range []string{
		"/shutbox digits tiles=12", "/shutbox digits tiles=12 match=knockout:1000000", "/shutbox digits",
		"/shutbox golf",
	} {
		for _, names := range [][]string{{"Anna"}, {"Anna", "Ben"}} {
			if !strings.Contains(line, "match") && len(names) > 1 {
				continue // its costs are shares of the pool
			}
			for range 3 {
				table := playBadly(h, line, names...)
				if err := h.Bot.AwaitReview(context.Background(), table); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				if r := anna.Writes(fmt.Sprint("/review ", table)); r.Private == nil {
					t.Fatalf("%s: no review: %s", line, r.Toast)
				}
			}
		}
	}
	r := anna.Writes("/skill all")
	got := bare.Page(t, r)
	kinds := strings.Count(got, "points per decision:")
	if kinds != 5 || strings.Count(got, ", practice, points") != 4 ||
		strings.Contains(got, "being reviewed") {
		t.Errorf("%d kinds of games:\n%s", kinds, got)
	}
	h.Sound()
}

// boundless is Shut the Box whose perfect play expects values too large to store.
type boundless struct{ shutbox.Game }

func (b boundless) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	p, err := b.Game.Solve(rules, seats)
	return expectsAll{p}, err
}

// expectsAll is perfect play that expects huge values.
type expectsAll struct{ games.Perfect }

func (e expectsAll) Expect(m games.Match) ([]float64, error) {
	values, err := e.Perfect.Expect(m)
	for i := range values {
		values[i] = math.Inf(1)
	}
	return values, err
}

// TestAReviewThatCannotBeKeptIsGivenUp checks that users and operators are informed and no person is asked to wait.
func TestAReviewThatCannotBeKeptIsGivenUp(t *testing.T) {
	h := bare.New(t, boundless{})
	anna := h.Person("Anna")
	table := playBadly(h, "/shutbox 5 tiles=1-3", "Anna", "Ben")
	if got := bare.Page(t, anna.Writes("/skill")); !strings.Contains(got, "being reviewed") {
		t.Errorf("it is not wanted:\n%s", got)
	}
	if err := h.Bot.AwaitReview(context.Background(), table); err == nil {
		t.Error("the operator is not told")
	}
	bare.Refused(t, anna.Writes(fmt.Sprint("/review ", table)),
		"The review of this game failed. /history shows the game.")
	if got := bare.Page(t, anna.Writes("/skill")); strings.Contains(got, "being reviewed") {
		t.Errorf("it is still wanted:\n%s", got)
	}
	if err := h.Store.View(t.Context(), func(tx *store.Tx) error {
		failed, err := tx.Reviews.GivenUp(9)
		if len(failed) != 1 || failed[0] != table {
			t.Errorf("given up are %v", failed)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	h.Sound()
}

// TestReviewsOfTenAreReadable reviews games of ten people with the longest names, and of three at Würfelpoker, in
// German: every page must fit a message.
func TestReviewsOfTenAreReadable(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for i, line := range []string{"/shutbox 1000000 tiles=1-6", "/wuerfelpoker"} {
		anna := h.Person(strings.Repeat("W", 31) + "A")
		anna.Locale, anna.Admin = "de", true
		anna.Writes("/language de")
		anna.Writes(line)
		people := []*bare.Person{anna}
		for k := range []int{9, 2}[i] {
			p := h.Person(strings.Repeat("W", 31) + string(rune('B'+k)))
			p.Sends(anna.Button("Mitspielen").Press)
			people = append(people, p)
		}
		anna.Sends(fmt.Sprintf("1:%d:0:!start", i+1))
		h.PressOut(people)
		s := bare.NewStage()
		stop := h.OnStage(s)
		s.Until(t, "the review", func([]string) bool { return anna.Writes("/review").Private != nil })
		stop()
		checkLength(t, anna.Board(), 2000)
		for _, page := range []string{"/review", "/review %d moves", "/review %d moves 99", "/review %d line",
			"/skill"} {
			r := anna.Writes(strings.ReplaceAll(page, "%d", fmt.Sprint(i+1)))
			if r.Private == nil {
				t.Fatalf("%s: %+v", page, r)
			}
			bare.Proper(t, *r.Private)
			checkLength(t, *r.Private, 4000)
			if p := r.Private.Picture; p != nil && utf8.RuneCountInString(p.Alt) > 1024 {
				t.Errorf("the words of a picture have %d characters", utf8.RuneCountInString(p.Alt))
			}
		}
	}
}

// checkLength fails the test if a message has more characters than limit.
func checkLength(t *testing.T, m chat.Message, limit int) {
	t.Helper()
	if text := bare.Show(m); utf8.RuneCountInString(text) > limit {
		t.Errorf("%d characters:\n%s", utf8.RuneCountInString(text), text)
	}
}
