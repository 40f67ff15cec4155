package bot_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// page is what a private answer with buttons shows, days left out.
func page(t testing.TB, r chat.Reply) string {
	t.Helper()
	if r.Private == nil {
		t.Fatalf("no answer, but %+v", r)
	}
	proper(t, *r.Private)
	return regexp.MustCompile(`\b\d{1,2}\.? (Jan|Febr|Mar|Mär|Apr|Ma|Jun|Jul|Aug|Sept|O[ck]t|Nov|De[cz])\pL*( \d{4})?`).ReplaceAllString(strings.TrimSpace(show(*r.Private)), "DAY")
}

// plays one game to its end with the house, and returns its table.
func (p *person) plays(command string, others ...*person) int64 {
	p.t.Helper()
	if r := p.writes(command); r.Refused {
		p.t.Fatalf("%s: %s", command, r.Toast)
	}
	table := p.table().ID
	for _, other := range others {
		other.sends(fmt.Sprintf("1:%d:0:!join", table))
	}
	p.sends(fmt.Sprintf("1:%d:0:!start", table))
	p.playOn(command, append(others, p)...)
	return table
}

func TestHistoryListsTheLastGames(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	if got := page(t, anna.writes("/history")); got != "No game has ended here yet." {
		t.Error(got)
	}
	for range 12 {
		anna.plays("/coin 5", ben)
	}
	elsewhere := h.person("Clara")
	elsewhere.place = "test:1/2"
	other := elsewhere.plays("/coin 0")
	first := anna.writes("/history")
	got := page(t, first)
	if !strings.HasPrefix(got, "The last 5 games here. Press one to look at it move by move.\n#13 · DAY · Coin: "+
		"Clara ") ||
		!strings.HasSuffix(got, "[#13][#12][#11][#10][#9]\n[Older ▶]") {
		t.Error(got)
	}
	if !regexp.MustCompile(`\n#12 · DAY · Coin: ((Anna|Ben) \+5 · (Anna|Ben) −5|Anna 0 · Ben 0|Ben 0 · Anna 0)\n`).MatchString(got) {
		t.Error(got)
	}
	older := pressOn(t, first, "Older ▶")
	second := ben.sends(older)
	if got := page(t, second); !strings.HasPrefix(got, "Games before #9.\n#8 ") ||
		!strings.HasSuffix(got, "[⏮ Newest][Older ▶]") {
		t.Error(got)
	}
	h.restart()
	if got := page(t, anna.sends(older)); got != page(t, second) {
		t.Error("a page is another one after a restart")
	}
	if last := anna.sends(pressOn(t, second, "Older ▶")); !strings.HasSuffix(page(t, last),
		"[#3][#2][#1]\n[⏮ Newest]") {
		t.Error(page(t, last))
	} else if again := anna.sends(pressOn(t, last, "⏮ Newest")); page(t, again) != got {
		t.Error(page(t, again))
	}
	if got := page(t, anna.writes(fmt.Sprintf("/history #%d", other))); !strings.HasPrefix(got,
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
		if r := anna.writes(line); r.Toast != says || r.Refused != (says != "") {
			t.Errorf("%s: %+v", line, r)
		}
	}
	foreign := anna.event()
	foreign.Chat, foreign.Place, foreign.Command, foreign.Text = "test:2", "test:2/1", "history", "1"
	refused(t, h.bot.Handle(t.Context(), foreign), "No game 1 has ended here. /history lists them.")
	running := anna.writes("/coin 5")
	refused(t, anna.writes(fmt.Sprint("/history ", running.Board)),
		fmt.Sprintf("No game %d has ended here. /history lists them.", running.Board))
}

// filmed plays a game to its end and returns its board before every move, and
// that at the end.
func (h *house) filmed(people []*person) []chat.Message {
	h.t.Helper()
	people[0].sends(fmt.Sprintf("1:%d:0:!start", people[0].table().ID))
	var film []chat.Message
	for range 2000 {
		table := people[0].table()
		m := h.boardOf(table.ID)
		film = append(film, m)
		if table.State == store.Over {
			return film
		}
		p, m := h.toMoveOn(m, people)
		if r := p.sends(firstMove(m).Press); r.Refused {
			h.t.Fatalf("%s: %s\n%s", p.name, r.Toast, show(m))
		}
	}
	h.t.Fatal("the game does not end")
	return nil
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
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	table := anna.plays("/coin 5", ben)
	ev := anna.event()
	ev.Name, ev.Renamed = "Annemarie", true
	h.bot.Handle(t.Context(), ev)
	for _, command := range []string{"/history", fmt.Sprintf("/history %d last", table)} {
		got := page(t, ben.writes(command))
		if !strings.Contains(got, "Annemarie") || strings.Contains(got, "Anna ") {
			t.Errorf("%s says\n%s", command, got)
		}
	}
	if name := h.recordOf(table).Seats[0].Name; name != "Anna" {
		t.Errorf("the record says %s", name)
	}
}

// round is what a game says of the round.
var round = regexp.MustCompile(`^(Part .*, r|R)ound \d+ of \d+$`)

func TestPastGameIsWhatItWas(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	for _, line := range []string{"/shutbox 5", "/shutbox canoga 2", "/shutbox golf 0 match=rounds:2",
		"/wuerfelpoker point=2"} {
		people := h.gather(line, "Anna", "Ben")
		anna := people[0]
		table := anna.table().ID
		film := h.filmed(people)
		r := anna.writes(fmt.Sprint("/history ", table))
		for k, was := range film {
			page(t, r)
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
			r = anna.sends(pressOn(t, r, "▶"))
		}
		if last := anna.sends(pressOn(t, r, "⏭")); show(*last.Private) != show(*r.Private) {
			t.Errorf("%s: behind the end is something", line)
		}
	}
}

func TestPastGameByTurns(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	people := h.gather("/shutbox 5 golf match=rounds:2", "Anna", "Ben")
	anna, ben := people[0], people[1]
	ben.locale = "de"
	h.filmed(people)
	r := ben.writes("/history 1")
	if got := page(t, r); !strings.HasPrefix(got, "Partie #1, vor dem ersten Wurf.") ||
		!strings.HasSuffix(got, "[⏮][◀][▶][⏭]\n[◀ Zug][Zug ▶][Partien]") {
		t.Error(got)
	}
	steps := []string{r.Private.Head}
	for range 4 {
		r = ben.sends(pressOn(t, r, "Zug ▶"))
		steps = append(steps, r.Private.Head)
	}
	end := anna.writes("/history 1 last").Private.Head
	if _, after, _ := strings.Cut(end, ". "); !strings.HasSuffix(after, "chips.") {
		t.Error(end)
	}
	if !strings.Contains(steps[4], "Chips") || strings.Contains(steps[3], "Chips") {
		t.Errorf("four turns do not lead through the game: %q", steps)
	}
	for k := 3; k >= 0; k-- {
		r = ben.sends(pressOn(t, r, "◀ Zug"))
		if r.Private.Head != steps[k] {
			t.Errorf("back to %q, not %q", r.Private.Head, steps[k])
		}
	}
	r = ben.sends(pressOn(t, ben.sends(pressOn(t, r, "⏭")), "◀"))
	back := ben.sends(pressOn(t, r, "⏮"))
	if back.Private.Head != steps[0] {
		t.Error(back.Private.Head)
	}
	if list := ben.sends(pressOn(t, back, "Partien")); !strings.HasPrefix(page(t, list),
		"Die letzte Partie hier.\n#1 · DAY · Shut the Box: ") {
		t.Error(page(t, list))
	}
}

func TestUndoneMovesAreNotLookedAt(t *testing.T) {
	anna, ben := written(t)
	told(t, anna.presses("↶ Undo"), "Taken back.")
	h(anna).pressOut([]*person{anna, ben})
	table := anna.table()
	if int(table.Turn) <= len(h(anna).recordOf(table.ID).Moves) {
		t.Fatal("nothing was taken back")
	}
	r := anna.writes("/history 1 last")
	if want := fmt.Sprintf("move %d of %[1]d.",
		len(h(anna).recordOf(table.ID).Moves)); !strings.Contains(r.Private.Head, want) {
		t.Errorf("%q, want %q", r.Private.Head, want)
	}
}

func TestPastGameOfManyShowsOneColumn(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	anna := h.person("Anna")
	anna.writes("/wuerfelpoker")
	for range 5 {
		anna.sends("1:1:0:!house random")
	}
	anna.sends("1:1:0:!start")
	h.pressOut([]*person{anna})
	r := anna.writes("/history 1 3")
	if s := r.Private.Sheet; s == nil || len(s.Columns) != 1 || !s.Asked {
		t.Errorf("%+v", s)
	}
	page(t, r)
	page(t, anna.writes("/history"))
}

func BenchmarkLongPastGame(b *testing.B) {
	people := pokerTable(b, "/wuerfelpoker", "Anna", "Ben", "Clara")
	h := h(people[0])
	h.filmed(people)
	for b.Loop() {
		if r := people[0].writes("/history 1 last"); r.Private == nil {
			b.Fatal(r)
		}
	}
}
