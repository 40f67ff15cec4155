package standings_test

import (
	"bytes"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chart"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// played is a house in which three people have played eight evenings of Shut
// the Box, and two of them a game of Würfelpoker.
func played(t testing.TB) *bare.House {
	t.Helper()
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	boxPlayed.Into(h, func() {
		for range 8 {
			h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben", "Clara 🎲"))
			h.Wait(13 * time.Hour)
		}
		h.Filmed(h.Gather("/wuerfelpoker point=2", "Ben", "Anna"))
	})
	return h
}

var boxPlayed bare.Bygone

// pictured fails unless an answer has a picture that can be shown.
func pictured(t testing.TB, r chat.Reply) *chat.Picture {
	t.Helper()
	if r.Private == nil || r.Private.Picture == nil {
		t.Fatalf("no picture: %+v", r)
	}
	bare.Proper(t, *r.Private)
	p := r.Private.Picture
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil || img.Bounds().Dx() != chart.Width || img.Bounds().Dy() != chart.Height {
		t.Fatalf("%s: %v", p.Name, err)
	}
	if n := utf8.RuneCountInString(p.Alt); n < 40 || n > 1024 || strings.Contains(p.Alt, "bot.") {
		t.Errorf("said instead of it: %q", p.Alt)
	}
	return p
}

func TestStats(t *testing.T) {
	h := played(t)
	anna := h.Person("Anna")
	r := anna.Writes("/stats")
	got := bare.Page(t, r)
	for _, line := range []string{
		`^Anna: 9 games here, \d+ won\.\n`,
		`\nWins in a row: \d+ now, \d+ at most\.\n`,
		`\nChips won and lost: [+−]?\d+; best evening [+−]?\d+ \(DAY\), worst [+−]?\d+ \(DAY\)\.\n`,
		`\nDifference to the average: [+−][\d/ ]+\.\n`,
		`\n(Favourite|Dreaded) opponent: (Ben|Clara 🎲), won \d+, lost \d+\.\n`,
		`\nBoxes shut: \d+ in \d+ turns, [\d.]+ %\. Who closes just any tiles that fit shuts it in 2\.0 % of turns\.\n`,
		`\n\d{3} dice with 6 sides in \d+ throws, \d+ pips: 3\.\d\d a die, 3\.5 is fair \(\d+× 1, .*, \d+× 6\)\. Of 100 people with fair dice, about \d+ would have dice at least this uneven\.\n`,
		`\n\[📊 Scores\]\[📈 Chart\]\[Luck or skill\]\[Games\]\[Leaderboard\]\n\[Ben\]\[Clara 🎲\]$`,
	} {
		if !regexp.MustCompile(line).MatchString(got) {
			t.Errorf("no %s in\n%s", line, got)
		}
	}
	if length := utf8.RuneCountInString(got); length > 900 {
		t.Errorf("%d characters:\n%s", length, got)
	}
	again := anna.Sends(bare.PressOn(t, anna.Sends(bare.PressOn(t, r, "Ben")), "Anna"))
	if bare.Page(t, again) != got {
		t.Errorf("by way of Ben\n%s\nwas\n%s", bare.Page(t, again), got)
	}
	h.Restart()
	if bare.Page(t, anna.Writes("/stats ANNA")) != got {
		t.Error("other numbers after a restart")
	}
	bare.Refused(t, anna.Writes("/stats Dora"), "“Dora” has finished no game here. See /leaderboard.")
	bare.Refused(t, anna.Writes("/stats #AAAA"), "“#\u2060AAAA” has finished no game here. See /leaderboard.")
	bare.Refused(t, anna.Writes("/stats #AAAA scores 1"), "“#\u2060AAAA” has finished no game here. See /leaderboard.")
	if got := bare.Page(t, h.Person("Dora").Writes("/stats")); !strings.HasPrefix(got,
		"Dora has not finished a game with others here yet.\n[📈 Chart][Luck or skill][Games][Leaderboard]\n") {
		t.Error(got)
	}
	h.Sound()
}

// An evening of friendly games is no best and no worst evening, and no chart
// begins or ends with one.
func TestFriendlyEveningsAreNoBestEvenings(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	anna := h.Person("Anna")
	evening := func(line string) (day string) {
		h.Wait(24 * time.Hour)
		h.Game(line, []string{"Anna", "Ben"}, "Anna take 2+1", "Ben take 8+7", "Anna take 4+3", "Ben take 6+5")
		return bare.AsWritten(h.Time().UTC().Add(-6 * time.Hour).Format(time.DateOnly))
	}
	tells := func(text string) {
		t.Helper()
		if got := bare.Show(*anna.Writes("/stats").Private); !strings.Contains(got, text) {
			t.Errorf("no %q in\n%s", text, got)
		}
	}
	evening("/pile big 0")
	lost := evening("/pile big 10")
	evening("/pile big 0")
	h.Wait(24 * time.Hour)
	h.Game("/tally", []string{"Anna", "Ben"}, "Anna say 1", "Ben say 2") // by differences that are worth nothing
	tells("−10.\n")
	if head := anna.Sends(bare.PressOn(t, anna.Writes("/stats"), "📈 Chart")).Private.Head; !strings.HasSuffix(head,
		", "+lost+".") {
		t.Errorf("one evening with a stake: %q", head)
	}
	worse := evening("/pile big 20")
	evening("/pile big 0")
	tells("−30; best evening −10 (" + lost + "), worst −20 (" + worse + ").\n")
	h.Sound()
}

func TestStatsInGerman(t *testing.T) {
	ben := played(t).Person("Ben")
	ben.Locale = "de"
	got := bare.Page(t, ben.Writes("/stats"))
	for _, part := range []string{"Ben: 9 Partien hier, davon ", "Siege in Folge: ", "bester Abend ",
		"Box geschlossen: ", "-mal in ", "schafft es in 2,0 % der Züge", " Augen: 3,", "mit fairen Würfeln",
		"[📊 Punkte][📈 Verlauf][Glück & Können][Partien][Rangliste]"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	scores := ben.Sends(bare.PressOn(t, ben.Writes("/stats"), "📊 Punkte"))
	if p := pictured(t, scores); !strings.HasPrefix(p.Alt, "Balkendiagramm der Punkte von Ben in ") ||
		!strings.HasPrefix(scores.Private.Head, "Ben: die Punkte von ") {
		t.Error(p.Alt, scores.Private.Head)
	}
	chart := ben.Sends(bare.PressOn(t, ben.Writes("/stats"), "📈 Verlauf"))
	if p := pictured(t, chart); !strings.HasPrefix(p.Alt,
		"Liniendiagramm: Chips, gewonnen und verloren von 3 Personen, 14. November bis 1") ||
		!strings.Contains(p.Alt, "Clara 🎲 endet bei ") {
		t.Error(p.Alt)
	}
}

// After one evening the chart names the day once.
func TestChartAfterOneEvening(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	h.Seeds = &bare.Counting{}
	h.Restart()
	for range 2 {
		h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben"))
	}
	r := h.Person("Anna").Sends(bare.PressOn(t, h.Person("Anna").Writes("/stats"), "📈 Chart"))
	pictured(t, r)
	if got := bare.Page(t, r); !strings.HasPrefix(got, "Chips won and lost here, DAY.\n") {
		t.Error(got)
	}
}

func TestPicturesOfTheChat(t *testing.T) {
	h := played(t)
	anna := h.Person("Anna")
	r := anna.Sends(bare.PressOn(t, anna.Writes("/stats"), "📈 Chart"))
	p := pictured(t, r)
	if p.Name != "balances.png" ||
		!regexp.MustCompile(`^Line chart of Chips won and lost by 3 players, 14 November to 1\d November\. (.* ends at [+−]?\d+, between [+−]?\d+ and [+−]?\d+ before\. ?){3}$`).MatchString(p.Alt) {
		t.Error(p.Alt)
	}
	if got := bare.Page(t,
		r); !regexp.MustCompile(`^Chips won and lost here, DAY to DAY\.\n1\. .* [+−]?\d+\n2\. .*\n3\. .*\nFrom games alone; payments change nothing here\.\n\[Statistics\]\[Leaderboard\]$`).MatchString(got) {
		t.Error(got)
	}
	scores := anna.Sends(bare.PressOn(t, anna.Writes("/stats"), "📊 Scores"))
	if p := pictured(t, scores); p.Name != "scores.png" ||
		!strings.Contains(p.Alt, "games of Shut the Box, classic, from ") {
		t.Error(p.Alt)
	}
	other := anna.Sends(bare.PressOn(t, scores, "Other rules ▶"))
	if p := pictured(t, other); !strings.Contains(p.Alt, "in 1 game of Würfelpoker, point: 2 a point.") {
		t.Error(p.Alt)
	}
	if back := anna.Sends(bare.PressOn(t, other, "Other rules ▶")); bare.Page(t, back) != bare.Page(t, scores) {
		t.Error(bare.Page(t, back))
	}
	empty := bare.New(t).Person("Anna")
	if got := bare.Page(t, empty.Writes("/stats #balances")); got != "Chips: nobody here has won or lost any "+
		"yet.\n[Statistics][Leaderboard]" {
		t.Error(got)
	}
}

func TestHiddenPlayersShowNothing(t *testing.T) {
	h := played(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	before := anna.Writes("/stats")
	toBen := bare.PressOn(t, before, "Ben")
	own := bare.Page(t, ben.Writes("/stats"))
	err := h.Store.UpdateOf(t.Context(), store.OfAll,
		func(tx *store.Tx) error { return tx.Hide("test:1", "test:Ben", true) })
	if err != nil {
		t.Fatal(err)
	}
	for _, press := range []string{toBen, strings.Replace(bare.PressOn(t, ben.Writes("/stats"), "📊 Scores"), "x", "x",
		1)} {
		bare.Refused(t, anna.Sends(press), "Ben shows no statistics. /stats alone shows yours.")
	}
	bare.Refused(t, anna.Writes("/stats Ben"), "Ben shows no statistics. /stats alone shows yours.")
	if now := bare.Page(t, anna.Writes("/stats")); strings.Contains(now, "Ben") {
		t.Errorf("Ben is named:\n%s", now)
	}
	if chart := anna.Writes("/stats #balances"); strings.Contains(bare.Page(t, chart)+pictured(t, chart).Alt, "Ben") {
		t.Error("Ben is drawn")
	}
	if now := bare.Page(t, ben.Writes("/stats")); now != own {
		t.Errorf("Ben sees\n%s\nand saw\n%s", now, own)
	}
}

// TestDiceAreCountedOnce compares what is kept with all moves that were not played for somebody absent.
func TestDiceAreCountedOnce(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 0", "Anna", "Ben")
	h.Filmed(people)
	anna := people[0]
	anna.Writes("/stats")
	anna.Writes("/stats")
	for _, line := range []string{"/shutbox 0 d20", "/shutbox 0 tiles=6 dice=1d6", "/coin 0"} {
		people[1].Plays(line, anna)
		anna.Writes("/stats Ben")
	}
	people[1].Plays("/shutbox 0", anna)
	h.Tamper("UPDATE moves SET auto = TRUE WHERE table_id = 5 AND seat IN (SELECT seat FROM seats WHERE table_id = 5 " +
		"AND player = (SELECT player FROM seats WHERE table_id = 1 AND seat = 0))")
	text := bare.Page(t, anna.Writes("/stats"))
	thrown := map[int]int{}
	for table := range int64(4) {
		sides := map[int64]int{0: 6, 1: 20, 2: 6, 3: 2}[table]
		var seat int
		for i, s := range h.TableOf(table + 1).Seats {
			if s.Name == "Anna" {
				seat = i
			}
		}
		for _, m := range h.Moves(table + 1) {
			if m.Seat == seat {
				thrown[sides] += len(m.Dice)
			}
		}
	}
	for sides, n := range thrown {
		if n > 0 && !regexp.MustCompile(fmt.Sprintf(`(?m)^%d (die|dice) with %d sides`, n, sides)).MatchString(text) {
			t.Errorf("%d dice with %d sides are not in\n%s", n, sides, text)
		}
	}
	if thrown[20] > 0 && !strings.Contains(text, "Too few to test; that takes 100 dice.") {
		t.Errorf("so few d20 are tested:\n%s", text)
	}
	h.Sound()
}

// After one evening none of them was the best or the worst: the table has no columns for that.
func TestATableOfOneEveningHasNoEmptyColumns(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben"))
	heads := func() string { return strings.Join(h.Person("Anna").Asks("/stats").Grids[0].Head, " · ") }
	if got := heads(); got != "What · Total" {
		t.Errorf("after one evening its columns are %s", got)
	}
	h.Wait(24 * time.Hour)
	h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben"))
	if got := heads(); got != "What · Total · Best evening · Worst evening" {
		t.Errorf("after two evenings its columns are %s", got)
	}
}
