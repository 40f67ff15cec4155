package review_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// pageMove is a line of a log or a review as a page reads it.
type pageMove struct {
	Move, Seat                      int
	Turn                            int64
	Name, Said, News, Played, Title string
	Better, CostText, LuckText      string
	Text                            string
	Cost, Luck                      float64
	PlayedOn, BetterOn              *struct {
		Row         int
		Tiles, Dice []int
		Cell        *int
	}
	More                    []string
	Dice                    []chat.Die
	Begins, Open, Auto, End bool
}

// pageData is the data of a page about a table.
type pageData struct {
	Table, Turn   int64
	Game, Title   string
	Over, Ready   bool
	Soon          bool
	Count         int
	Unit, Note    string
	Moves         []pageMove
	Costliest     int
	Lesson        *pageMove
	Seats, Series []struct {
		Seat, Place            int
		Name, Score, Amount    string
		Luck, Mistakes         float64
		LuckText, MistakesText string
		House, You             bool
		Values                 []float64
	}
}

// readPage returns the data called name that a person gets for a query, as the page reads it.
func readPage[T any](t *testing.T, who *bare.Person, name, query string) (data T) {
	t.Helper()
	answer, err := askPage(t, who, name, query)
	gametest.Check(t, err)
	raw, err := json.Marshal(answer)
	gametest.Check(t, err)
	gametest.Check(t, json.Unmarshal(raw, &data))
	return data
}

// askPage returns the answer to a person's request for the data called name.
func askPage(t *testing.T, who *bare.Person, name, query string) (answer any, err error) {
	t.Helper()
	q, err := url.ParseQuery(query)
	gametest.Check(t, err)
	return who.Bot.Pages()[name](t.Context(), who.Event(), q)
}

// wantRefused fails the test unless a request for the data called name is refused with the sentence of a key.
func wantRefused(t *testing.T, who *bare.Person, name, query, key string) {
	t.Helper()
	answer, err := askPage(t, who, name, query)
	if r, refused := games.Refused(err); !refused || r.Key != key {
		t.Errorf("%s is answered by %+v, %v", query, answer, err)
	}
}

// String returns the line as "Anna 6 2* → closed 6 + 2"; dice with a star are kept.
func (m pageMove) String() string {
	text := m.Name
	for _, d := range m.Dice {
		text += fmt.Sprint(" ", d.Face) + map[bool]string{true: "*"}[d.Kept]
	}
	return strings.Join(append([]string{text + " → " + m.Said}, m.More...), " | ")
}

// withSets returns all games and all sets of score sheets.
func withSets(all ...games.Game) []games.Game {
	for _, set := range sets.All() {
		all = append(all, set)
	}
	return all
}

// standing returns the moves of a table that were not undone, by the table's turn number after each.
func standing(history []store.Move) map[int64]store.Move {
	moves := map[int64]store.Move{}
	var turns []int64
	for i, m := range history {
		if m.Move == "!undo" {
			delete(moves, turns[len(turns)-1])
			turns = turns[:len(turns)-1]
			continue
		}
		turns = append(turns, int64(i)+1)
		moves[turns[len(turns)-1]] = m
	}
	return moves
}

// checkLog checks the log l of a table against its history: each move without dice has its line, and each roll the line
// of the choice after it or, if it left no choice, its own.
func checkLog(t *testing.T, l pageData, history []store.Move) {
	t.Helper()
	moves := standing(history)
	if l.Count != len(moves) || l.Turn != int64(len(history)) {
		t.Fatalf("the log counts %d moves at turn %d, stored are %d of %d", l.Count, l.Turn, len(moves), len(history))
	}
	seat := -1
	for i, m := range l.Moves {
		if m.End {
			continue
		}
		made, stands := moves[m.Turn]
		if !stands || made.Seat != m.Seat || m.Said == "" || strings.Contains(m.Said, ".log.") {
			t.Fatalf("line %d is %v of move %d, turn %d: %+v", i, m, m.Move, m.Turn, made)
		}
		if m.Seat != seat && !m.Begins {
			t.Errorf("line %d, %v, begins no turn", i, m)
		}
		seat = m.Seat
		if m.Open != (i == len(l.Moves)-1 && m.Said == "choosing …") {
			t.Errorf("line %d, %v, is open: %v", i, m, m.Open)
		}
	}
	for turn, made := range moves {
		lines := slices.DeleteFunc(slices.Clone(l.Moves), func(m pageMove) bool {
			if len(made.Dice) == 0 {
				return m.Turn != turn
			}
			return m.Turn < turn || m.Seat != made.Seat || !slices.ContainsFunc(m.Dice, func(d chat.Die) bool {
				return d.Face == made.Dice[0]
			})
		})
		if len(lines) == 0 {
			t.Errorf("no line tells of turn %d, %+v", turn, made)
		}
	}
}

// playMove plays a legal move of the running table: the least risky one, or another after every third.
func playMove(people []*bare.Person, n int) {
	h := people[0].House
	h.T.Helper()
	table := people[0].Table()
	_, match, err := h.Bot.Match(table)
	gametest.Check(h.T, err)
	seat := match.Turn()[0]
	moves := match.Moves(seat)
	move := moves[0]
	if n%3 == 2 {
		move = moves[n%len(moves)]
	}
	for _, p := range people {
		if table.Seats[seat].Player == "test:"+p.Name {
			if r := p.Sends(fmt.Sprintf("1:%d:%d:%s", table.ID, table.Turn, move)); r.Refused {
				h.T.Fatalf("%s plays %s: %s", p.Name, move, r.Toast)
			}
		}
	}
}

// The log holds every move of a game that was not undone, while it is played and after it, and any of them can be seen.
func TestTheLogHoldsEveryMove(t *testing.T) {
	bare.Beside(t)
	for _, line := range []string{
		"/shutbox 10", "/shutbox 10 match=rounds:3", "/shutbox variant=canoga", "/shutbox variant=lucky-seven",
		"/wuerfelpoker", "/zehntausend target=2000", "/kniffel variant=yahtzee", "/yamb", "/balut", "/generala",
		"/coin",
	} {
		t.Run(line, func(t *testing.T) {
			h := bare.New(t, withSets(shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})...)
			people := h.Gather(line, "Anna", "Ben")
			people[0].Presses("▶ Start")
			id := people[0].Table().ID
			query := fmt.Sprint("table=", id)
			for n := 0; people[0].Table().State == store.Playing; n++ {
				playMove(people, n)
				if undo := people[0].Table(); n%5 == 0 && undo.State == store.Playing {
					for _, p := range people { // refused unless the person has just made a choice
						p.Sends(fmt.Sprintf("1:%d:%d:!undo", id, undo.Turn))
					}
				}
				checkLog(t, readPage[pageData](t, people[1], "log", query), h.Moves(id))
			}
			l := readPage[pageData](t, people[0], "log", query)
			end := l.Moves[len(l.Moves)-1]
			if !l.Over || !end.End || end.Move != l.Count || end.Said == "" {
				t.Errorf("over: %v, and the log ends with %+v", l.Over, end)
			}
			people[1].Locale = "de"
			for count := 0; count <= l.Count; count += 1 + l.Count/40 {
				at := readPage[chat.Message](t, people[1], "at", fmt.Sprintf("%s&move=%d", query, count))
				if at.Lang != "de" || at.Head == "" || len(at.People) != 2 || len(at.Buttons) > 0 || at.Pick != nil {
					t.Fatalf("after %d moves: %+v", count, at)
				}
			}
			late := readPage[pageData](t, people[1], "log", query+"&since="+fmt.Sprint(l.Count-1))
			if n := len(late.Moves); n < 2 || n > 3 || late.Count != l.Count {
				t.Errorf("since the move before the last: %+v", late)
			}
		})
	}
}

// Lines of the log name the dice, the kept ones, and the result.
func TestLinesOfTheLog(t *testing.T) {
	h := bare.New(t, withSets(shutbox.Game{}, zehntausend.Game{})...)
	var said []string
	for _, line := range []string{"/shutbox 10 match=rounds:1", "/kniffel", "/zehntausend target=1000"} {
		l := readPage[pageData](t, h.Person("Anna"), "log", fmt.Sprint("table=", playedGame(h, line)))
		for _, m := range l.Moves {
			said = append(said, m.String())
		}
	}
	for _, want := range []string{
		"Anna 6 6 → closed 7 + 3 + 2", "Anna 4 1 → nothing fits: 23 points", "Ben → declared victory with 18 points",
		"Anna 3* 2* 4* 4 3 → kept 2 3 4", "Ben 1 6 4 3 6 → rolled all again", "Ben 1 1 2 4 5 → 0 in Sixes",
		"Ben 6 2 5 4 2 → crossed out Kniffel",
		"Ben 2 4* 4* 4* 4* 4* → banked 1600", "Anna 2 4 1* 5* 2 6 → banked 150",
	} {
		if !slices.Contains(said, want) {
			t.Errorf("no line is %q:\n%s", want, strings.Join(said, "\n"))
		}
	}
	if !strings.Contains(fmt.Sprint(said), "4 4 → 0 in Twos | ") {
		t.Error("no line tells of a bonus that was missed")
	}
}

// Who asks for a table of another chat, or for none, is refused.
func TestPagesOfOtherTables(t *testing.T) {
	h := bare.New(t)
	anna, stranger := h.Person("Anna"), h.Person("Zoe")
	stranger.Chat, stranger.Place = "test:2", "test:2/1"
	anna.Writes("/coin 10")
	if l := readPage[pageData](t, anna, "log", "table=1"); l.Over || len(l.Moves) > 0 || l.Game != "coin" {
		t.Errorf("the log of a lobby is %+v", l)
	}
	wantRefused(t, anna, "at", "table=1&move=0", "bot.history.no-game")
	for _, p := range []string{"log", "at", "review"} {
		wantRefused(t, stranger, p, "table=1", "bot.no-table")
		for _, query := range []string{"table=2", "table=x", ""} {
			wantRefused(t, anna, p, query, "bot.no-table")
		}
	}
}

// playedGame plays a game of Anna and Ben to its end, and returns its number.
func playedGame(h *bare.House, line string) int64 {
	h.T.Helper()
	people := h.Gather(line, "Anna", "Ben")
	people[0].Presses("▶ Start")
	for n := 0; people[0].Table().State == store.Playing; n++ {
		playMove(people, n)
	}
	return people[0].Table().ID
}

// checkReview checks that the luck and the costs of the moves add up to those of the seats, and that the series lead
// from move to move.
func checkReview(t *testing.T, r, log pageData) {
	t.Helper()
	luck, costs := make([]float64, len(r.Seats)), make([]float64, len(r.Seats))
	if len(r.Moves) != len(log.Moves)-1 {
		t.Fatalf("%d lines of a log of %d", len(r.Moves), len(log.Moves))
	}
	for i, m := range r.Moves {
		if m.String() != log.Moves[i].String() || m.Title == "" || m.Text == "" {
			t.Errorf("line %d is %+v, in the log %v", i, m, log.Moves[i])
		}
		luck[m.Seat] += m.Luck
		costs[m.Seat] += m.Cost
		mistake := m.Cost > 0
		if mistake != (m.CostText != "") || mistake != (m.Better != "") || m.Better != "" && m.Better == m.Played ||
			mistake && !strings.Contains(m.Title, m.Better) {
			t.Errorf("the mistake of line %d is %+v", i, m)
		}
		if mistake && m.Cost > r.Moves[r.Costliest].Cost {
			t.Errorf("line %d costs more than line %d", i, r.Costliest)
		}
	}
	for i, s := range r.Seats {
		near := 0.05 + 0.01*float64(len(r.Moves))
		if s.Seat != i || s.Place < 1 || math.Abs(luck[i]-s.Luck) > near || math.Abs(costs[i]+s.Mistakes) > near {
			t.Errorf("seat %d is %+v; its moves have the luck %.2f, the cost %.2f", i, s, luck[i], costs[i])
		}
		if n := len(r.Series[i].Values); r.Series[i].Seat != i || n != log.Count+1 {
			t.Errorf("seat %d has %d values after %d moves", i, n, log.Count)
		}
	}
}

// Reviews on pages agree with themselves and with the log. The lesson is about the viewer.
func TestReviewsOnPages(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for _, line := range []string{"/shutbox 10", "/shutbox 0", "/wuerfelpoker"} {
		id := playedGame(h, line)
		query := fmt.Sprint("table=", id)
		anna, zoe := h.Person("Anna"), h.Person("Zoe")
		early := readPage[pageData](t, anna, "review", query)
		if early.Ready || !early.Soon || early.Note == "" || early.Lesson != nil || early.Table != id {
			t.Errorf("%s: before it is computed: %+v", line, early)
		}
		gametest.Check(t, h.Bot.AwaitReview(t.Context(), id))
		log := readPage[pageData](t, anna, "log", query)
		r := readPage[pageData](t, anna, "review", query)
		if !r.Ready || r.Unit == "" || len(r.Seats) != 2 {
			t.Fatalf("%s: %+v", line, r)
		}
		checkReview(t, r, log)
		for i, s := range r.Seats {
			if s.You != (s.Name == "Anna") || s.House || (s.Amount == "") != (line == "/shutbox 0") {
				t.Errorf("%s: seat %d is %+v", line, i, s)
			}
			if s.You && (r.Lesson.Seat != i || !strings.Contains(r.Lesson.Said, s.LuckText)) {
				t.Errorf("%s: the lesson of %+v is %+v", line, s, r.Lesson)
			}
		}
		other := readPage[pageData](t, zoe, "review", query)
		if worst := other.Moves[other.Costliest]; other.Lesson.Seat != worst.Seat || other.Lesson.Move != worst.Move ||
			!strings.Contains(other.Lesson.Said, worst.Better) {
			t.Errorf("%s: the lesson of others is %+v, not of %+v", line, other.Lesson, worst)
		}
	}
}

// A mistake is marked on the board before it, and a puzzle does not ask for one that has been read of.
func TestMistakesOnPages(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	id := playedGame(h, "/shutbox 10")
	gametest.Check(t, h.Bot.AwaitReview(t.Context(), id))
	anna := h.Person("Anna")
	r := readPage[pageData](t, anna, "review", fmt.Sprint("table=", id))
	closes := func(m pageMove) bool { return m.Cost > 0 && m.PlayedOn != nil && m.BetterOn != nil }
	m := r.Moves[slices.IndexFunc(r.Moves, closes)]
	before := readPage[chat.Message](t, anna, "at", fmt.Sprintf("table=%d&move=%d", id, m.Move-1))
	sum := 0
	for _, d := range before.Dice {
		sum += d.Face
	}
	for _, on := range [][]int{m.PlayedOn.Tiles, m.BetterOn.Tiles} {
		for _, tile := range on {
			sum -= tile
			if !before.Tiles[m.PlayedOn.Row].Tiles[tile-1].Open {
				t.Errorf("tile %d of %+v is not open on %+v", tile, m, before.Tiles)
			}
		}
		if sum != 0 {
			t.Errorf("%v does not fit %v", on, before.Dice)
		}
		for _, d := range before.Dice {
			sum += d.Face
		}
	}
	read := bare.Stored(h, func(tx *store.Tx) (store.Review, error) { return tx.Reviews.Review(id) })
	if !strings.Contains(string(read.Choices), `"asked":1`) {
		t.Errorf("nobody has read of %s", read.Choices)
	}
}

// A move that fills a cell of a sheet names the cell.
func TestFilledCellsOnPages(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	id := playedGame(h, "/wuerfelpoker")
	gametest.Check(t, h.Bot.AwaitReview(t.Context(), id))
	anna, filled := h.Person("Anna"), 0
	r := readPage[pageData](t, anna, "review", fmt.Sprint("table=", id))
	for _, m := range r.Moves {
		if m.PlayedOn == nil || m.PlayedOn.Cell == nil {
			continue
		}
		filled++
		for i, open := range []bool{true, false} {
			at := readPage[chat.Message](t, anna, "at", fmt.Sprintf("table=%d&move=%d", id, m.Move-1+i))
			if cell := at.Sheet.Rows[m.PlayedOn.Row].Cells[*m.PlayedOn.Cell]; (cell.Mark == "open") != open {
				t.Errorf("the cell of %+v is %+v after %d moves", m, cell, m.Move-1+i)
			}
		}
	}
	if filled < 10 {
		t.Errorf("only %d moves fill a cell", filled)
	}
}

// A page gets the reason why a game has no review.
func TestGamesWithoutAReview(t *testing.T) {
	h := bare.New(t, zehntausend.Game{})
	anna := h.Person("Anna")
	r := readPage[pageData](t, anna, "review", fmt.Sprint("table=", playedGame(h, "/zehntausend target=1000")))
	if r.Ready || r.Soon || r.Note != anna.Writes("/review").Toast || len(r.Moves) > 0 {
		t.Errorf("a game that cannot be solved: %+v", r)
	}
	anna.Writes("/coin 10")
	wantRefused(t, anna, "review", fmt.Sprint("table=", anna.Table().ID), "bot.review.not-over")
}
