package review_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

func TestHistoryListsTheLastGames(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	if got := bare.Page(t, anna.Writes("/history")); got != "No game has ended here yet." {
		t.Error(got)
	}
	for range 12 {
		anna.Plays("/coin 5", ben)
	}
	elsewhere := h.Person("Clara")
	elsewhere.Place = "test:1/2"
	other := elsewhere.Plays("/coin 0")
	first := anna.Writes("/history")
	got := bare.Page(t, first)
	if !strings.HasPrefix(got, "The last 5 games here. Press one to look at it move by move.\n#13 · DAY · Coin: "+
		"Clara ") ||
		!strings.HasSuffix(got, "[#13][#12][#11][#10][#9]\n[Older ▶]") {
		t.Error(got)
	}
	if !regexp.MustCompile(`\n#12 · DAY · Coin: ((Anna|Ben) \+5 · (Anna|Ben) −5|Anna 0 · Ben 0|Ben 0 · Anna 0)\n`).MatchString(got) {
		t.Error(got)
	}
	older := bare.PressOn(t, first, "Older ▶")
	second := ben.Sends(older)
	if got := bare.Page(t, second); !strings.HasPrefix(got, "Games before #9.\n#8 ") ||
		!strings.HasSuffix(got, "[⏮ Newest][Older ▶]") {
		t.Error(got)
	}
	h.Restart()
	if got := bare.Page(t, anna.Sends(older)); got != bare.Page(t, second) {
		t.Error("a page is another one after a restart")
	}
	if last := anna.Sends(bare.PressOn(t, second, "Older ▶")); !strings.HasSuffix(bare.Page(t, last),
		"[#3][#2][#1]\n[⏮ Newest]") {
		t.Error(bare.Page(t, last))
	} else if again := anna.Sends(bare.PressOn(t, last, "⏮ Newest")); bare.Page(t, again) != got {
		t.Error(bare.Page(t, again))
	}
	if got := bare.Page(t, anna.Writes(fmt.Sprintf("/history #%d", other))); !strings.HasPrefix(got,
		"Game #13, before the first throw. Clara is to throw.") {
		t.Error(got)
	}
	how := "Say /history, or the number of a game: /history 41."
	for line, says := range map[string]string{
		"/history 99": "No game 99 has ended here. /history lists them.", "/history x": how, "/history 1 x": how,
		"/history 1 2 3": how, "/history before": how,
		"/history before x": how, "/history 1 <": how, "/history -1": how, "/history 1 -5": "", "/history 1 99": "",
		"/history before 1": "",
	} {
		if r := anna.Writes(line); r.Toast != says || r.Refused != (says != "") {
			t.Errorf("%s: %+v", line, r)
		}
	}
	foreign := anna.Event()
	foreign.Chat, foreign.Place, foreign.Command, foreign.Text = "test:2", "test:2/1", "history", "1"
	bare.Refused(t, h.Bot.Handle(t.Context(), foreign), "No game 1 has ended here. /history lists them.")
	running := anna.Writes("/coin 5")
	bare.Refused(t, anna.Writes(fmt.Sprint("/history ", running.Board)),
		fmt.Sprintf("No game %d has ended here. /history lists them.", running.Board))
}

// notes are what the game says in the small print of a board in play, without what is played for
// and by which rules.
func notes(small string) []string {
	return slices.DeleteFunc(strings.Split(small, " · "), func(part string) bool {
		return part == "" || strings.HasPrefix(part, "Pool ") || part == "Canoga" || part == "golf"
	})
}

// Games of before are told with the names of now, as leaderboards have them; their records keep the names of then.
func TestHistoryKnowsTheNewestNames(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	table := anna.Plays("/coin 5", ben)
	ev := anna.Event()
	ev.Name, ev.Renamed = "Annemarie", true
	h.Bot.Handle(t.Context(), ev)
	for _, command := range []string{"/history", fmt.Sprintf("/history %d last", table)} {
		got := bare.Page(t, ben.Writes(command))
		if !strings.Contains(got, "Annemarie") || strings.Contains(got, "Anna ") {
			t.Errorf("%s says\n%s", command, got)
		}
	}
	if name := h.RecordOf(table).Seats[0].Name; name != "Anna" {
		t.Errorf("the record says %s", name)
	}
}

// round is what a game says of the round.
var round = regexp.MustCompile(`^(Part .*, r|R)ound \d+ of \d+$`)

func TestPastGameIsWhatItWas(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for _, line := range []string{"/shutbox 5", "/shutbox canoga 2", "/shutbox golf 0 match=rounds:2",
		"/wuerfelpoker point=2"} {
		people := h.Gather(line, "Anna", "Ben")
		anna := people[0]
		table := anna.Table().ID
		film := h.Filmed(people)
		r := anna.Writes(fmt.Sprint("/history ", table))
		for k, was := range film {
			bare.Page(t, r)
			is := r.Private
			start := fmt.Sprintf("Game #%d, before the first throw. ", table)
			if k > 0 {
				start = fmt.Sprintf("Game #%d, move %d of %d. ", table, k, len(film)-1)
			}
			if is.Head != start+was.Said() {
				t.Fatalf("%s step %d: %q was %q", line, k, is.Head, was.Head)
			}
			for i := range was.Dice {
				was.Dice[i].Press = ""
			}
			for i := range is.People {
				is.People[i].User, was.People[i].User = "", ""
			}
			if is.Sheet != nil {
				was.Sheet.Asked, was.Sheet.Star = true, is.Sheet.Star
				for _, row := range was.Sheet.Rows {
					for i := range row.Cells {
						row.Cells[i].Press, row.Cells[i].Label = "", ""
					}
				}
			}
			was.Head, was.Told, was.Buttons, was.Table = is.Head, nil, is.Buttons, is.Table
			was.Accent, was.Deadline = is.Accent, nil
			was.Guide, is.Guide = "", ""
			was.Live, was.Concerns, was.Pick, was.Turn = false, nil, nil, 0 // what has been is nobody's any more
			was.Version = 0                                                 // nor is it drawn over
			was.Game = ""                                                   // the heading names it
			if k < len(film)-1 {
				if was.Small == "" && len(is.Lines) > 0 && round.MatchString(is.Lines[0]) { // it had no room for that
					was.Small = is.Lines[0]
				}
				was.Lines = slices.Insert(was.Lines, 0, notes(was.Small)...)
				was.Small = film[len(film)-1].Small // the dice and the rules, as of every game that is over
			}
			was.Lines = slices.DeleteFunc(was.Lines, func(l string) bool {
				return strings.Contains(l, "holds the box")
			})
			if diff := cmp.Diff(was, *is, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s step %d: %s", line, k, diff)
			}
			r = anna.Sends(bare.PressOn(t, r, "▶"))
		}
		if last := anna.Sends(bare.PressOn(t, r, "⏭")); bare.Show(*last.Private) != bare.Show(*r.Private) {
			t.Errorf("%s: behind the end is something", line)
		}
	}
}

func TestPastGameByTurns(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 5 golf match=rounds:2", "Anna", "Ben")
	anna, ben := people[0], people[1]
	ben.Locale = "de"
	h.Filmed(people)
	r := ben.Writes("/history 1")
	if got := bare.Page(t, r); !strings.HasPrefix(got, "Partie #1, vor dem ersten Wurf.") ||
		!strings.HasSuffix(got, "[⏮][◀][▶][⏭]\n[◀ Zug][Zug ▶][Partien]") {
		t.Error(got)
	}
	steps := []string{r.Private.Head}
	for range 4 {
		r = ben.Sends(bare.PressOn(t, r, "Zug ▶"))
		steps = append(steps, r.Private.Head)
	}
	end := anna.Writes("/history 1 last").Private.Head
	if _, after, _ := strings.Cut(end, ". "); !strings.HasSuffix(after, "chips.") {
		t.Error(end)
	}
	if !strings.Contains(steps[4], "Chips") || strings.Contains(steps[3], "Chips") {
		t.Errorf("four turns do not lead through the game: %q", steps)
	}
	for k := 3; k >= 0; k-- {
		r = ben.Sends(bare.PressOn(t, r, "◀ Zug"))
		if r.Private.Head != steps[k] {
			t.Errorf("back to %q, not %q", r.Private.Head, steps[k])
		}
	}
	r = ben.Sends(bare.PressOn(t, ben.Sends(bare.PressOn(t, r, "⏭")), "◀"))
	back := ben.Sends(bare.PressOn(t, r, "⏮"))
	if back.Private.Head != steps[0] {
		t.Error(back.Private.Head)
	}
	if list := ben.Sends(bare.PressOn(t, back, "Partien")); !strings.HasPrefix(bare.Page(t, list),
		"Die letzte Partie hier.\n#1 · DAY · Shut the Box: ") {
		t.Error(bare.Page(t, list))
	}
}

func TestUndoneMovesAreNotLookedAt(t *testing.T) {
	anna, ben := bare.Written(t)
	bare.Told(t, anna.Presses("↶ Undo"), "Taken back.")
	anna.House.PressOut([]*bare.Person{anna, ben})
	table := anna.Table()
	if int(table.Turn) <= len(anna.House.RecordOf(table.ID).Moves) {
		t.Fatal("nothing was taken back")
	}
	r := anna.Writes("/history 1 last")
	if want := fmt.Sprintf("move %d of %[1]d.",
		len(anna.House.RecordOf(table.ID).Moves)); !strings.Contains(r.Private.Head, want) {
		t.Errorf("%q, want %q", r.Private.Head, want)
	}
}

func TestPastGameOfManyShowsOneColumn(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	anna.Writes("/wuerfelpoker")
	for range 5 {
		anna.Sends("1:1:0:!house random")
	}
	anna.Sends("1:1:0:!start")
	h.PressOut([]*bare.Person{anna})
	r := anna.Writes("/history 1 3")
	if s := r.Private.Sheet; s == nil || len(s.Columns) != 1 || !s.Asked {
		t.Errorf("%+v", s)
	}
	bare.Page(t, r)
	bare.Page(t, anna.Writes("/history"))
}
