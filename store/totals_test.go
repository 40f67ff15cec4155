package store_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// addEnded adds a table of Anna and Ben without a stake that ended on an evening with these rows, and returns its id.
func addEnded(t testing.TB, s *store.Store, chat string, evening store.Day, rows ...store.Result) int64 {
	t.Helper()
	table := lobby(chat)
	table.Chat, table.Stake, table.Seats, table.State, table.Match = chat, 0, table.Seats[:2], store.Playing,
		[]byte("match")
	update(t, s, func(tx *store.Tx) (err error) {
		table.ID, err = tx.Tables.AddTable(table)
		table.State = store.Over
		return errors.Join(err, tx.Tables.SaveTable(table), tx.Tables.Finish(table.ID, int64(evening)*1000, evening,
			rows))
	})
	return table.ID
}

// scoreRows returns the result rows of two seats with these scores.
func scoreRows(anna, ben int64) []store.Result {
	rows := []store.Result{{Seat: 0, Score: anna, Threw: true, Place: 1}, {Seat: 1, Score: ben, Threw: true, Place: 1}}
	if anna < ben {
		rows[1].Place = 2
	} else if ben < anna {
		rows[0].Place = 2
	}
	return rows
}

// standings returns, as text, the standings of people that w selects.
func standings(t testing.TB, s *store.Store, w store.Wanted) string {
	t.Helper()
	var told []string
	view(t, s, func(tx *store.Tx) error {
		all, err := tx.Scores.Standings(w)
		for _, one := range all {
			told = append(told, fmt.Sprintf("%s %d/%d %d..%d %d %d", strings.TrimPrefix(one.Player, "test:"), one.Won,
				one.Games, one.Low, one.High, one.Points, one.Pool))
		}
		return err
	})
	return strings.Join(told, ", ")
}

// TestAGameStandsInItsPeriods checks in which evenings and seasons a finished game counts.
func TestAGameStandsInItsPeriods(t *testing.T) {
	s := openNew(t)
	table := addFinished(t, s, "test:place")
	const want = "anna 1/1 3..3 3 20, ben 0/1 12..12 12 -10"
	for name, p := range map[string]store.Period{
		"all time": store.AllTime(), "zero": {}, "before the seasons": store.OfSeason(0),
		"the evening": store.Evenings(3, 3), "the week": store.Evenings(0, 6),
	} {
		if got := standings(t, s, store.Wanted{Chat: table.Chat, Period: p}); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, w := range map[string]store.Wanted{
		"another evening": {Chat: table.Chat, Period: store.Evenings(4, 9)},
		"a season":        {Chat: table.Chat, Period: store.OfSeason(1)},
		"another chat":    {Chat: "test:other"}, "another game": {Chat: table.Chat, Game: "wuerfelpoker"},
		"another unit": {Chat: table.Chat, Unit: "coffees"},
	} {
		if got := standings(t, s, w); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	wantNoFaults(t, s)
}

// TestAGameCountsOnce checks that a game counts once if it is changed after its end, and not if its end is rolled back.
func TestAGameCountsOnce(t *testing.T) {
	s := openNew(t)
	table := addPlaying(t, s, "test:place")
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		over := table
		over.State = store.Over
		return errors.Join(tx.Tables.SaveTable(over), tx.Tables.Finish(table.ID, 5, 3, result()))
	})
	if !errors.Is(err, store.ErrUnbalanced) {
		t.Fatal(err)
	}
	if got := standings(t, s, store.Wanted{Chat: table.Chat}); got != "" {
		t.Error(got)
	}
	update(t, s, func(tx *store.Tx) (err error) { table, err = finish(tx, table); return err })
	once := standings(t, s, store.Wanted{Chat: table.Chat})
	update(t, s, func(tx *store.Tx) error { table.Version++; return tx.Tables.SaveTable(table) })
	if got := standings(t, s, store.Wanted{Chat: table.Chat}); got != once || got == "" {
		t.Errorf("%s, then %s", once, got)
	}
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.Tables.Table(table.ID)
		if got.Ending.Ended != 5 || got.Ending.Evening != 3 || got.Ending.Season != 0 {
			t.Errorf("it ended at %d in evening %d of season %d", got.Ending.Ended, got.Ending.Evening,
				got.Ending.Season)
		}
		return err
	})
	wantNoFaults(t, s)
}

// TestPointsBeyondAllNumbers adds many scores of eighteen digits: each game must be able to end, and totals must still
// equal the sums of their results.
func TestPointsBeyondAllNumbers(t *testing.T) {
	s := openNew(t)
	const great = 900_000_000_000_000_000
	for i := range 12 {
		addEnded(t, s, "test:chat", store.Day(i), scoreRows(great+int64(i), -great)...)
	}
	view(t, s, func(tx *store.Tx) error {
		all, err := tx.Scores.Standings(store.Wanted{Chat: "test:chat"})
		if err != nil || len(all) != 2 || all[0].Points != math.MaxInt64 || all[1].Points != math.MinInt64 ||
			all[0].High != great+11 || all[0].Scored != 12 {
			t.Errorf("%+v", all)
		}
		few, err2 := tx.Scores.Standings(store.Wanted{Chat: "test:chat", Period: store.Evenings(0, 9)})
		if err2 == nil && (few[0].Points != 10*great+45 || few[1].Points != -10*great) {
			t.Errorf("%+v", few)
		}
		sum := few[0]
		sum.Add(few[0])
		low := few[1]
		low.Add(few[1])
		if sum.Points != math.MaxInt64 || low.Points != math.MinInt64 || sum.Games != 20 || sum.Low != great {
			t.Errorf("%+v, %+v", sum, low)
		}
		return errors.Join(err, err2)
	})
	wantNoFaults(t, s)
}

func TestStandingsAreAdded(t *testing.T) {
	none := store.Standing{Player: "a", Games: 1}
	some := store.Standing{Player: "b", Games: 2, Parts: 9, Won: 1, Turns: 3, Shut: 1, Scored: 2, Points: 30, Low: 10,
		High: 20, Pool: -5, Shares: 7, Settled: 2}
	sum := none
	sum.Add(some)
	want := some
	want.Player, want.Games = "a", 3
	if sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
	sum.Add(none)
	want.Games = 4
	if sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
	sum.Add(store.Standing{Scored: 1, Low: 5, High: 25, Points: 5})
	if sum.Low != 5 || sum.High != 25 || sum.Points != 35 {
		t.Errorf("%+v", sum)
	}
}

func TestDays(t *testing.T) {
	for _, date := range []string{"1969-12-30", "1969-12-31", "1970-01-01", "1970-01-02", "2000-02-29", "2026-11-21"} {
		day, err := time.Parse(time.DateOnly, date)
		check(t, err)
		if got := store.DayOf(day.Add(23*time.Hour + 59*time.Minute)); got.Time() != day ||
			store.DayOf(got.Time()) != got {
			t.Errorf("%s is day %d, which is %v", date, got, got.Time())
		}
	}
	west := time.FixedZone("west", -9*60*60)
	if got := store.DayOf(time.Date(2026, 11, 21, 23, 0, 0, 0,
		west)); got.Time().Format(time.DateOnly) != "2026-11-21" {
		t.Errorf("a day of its own zone is %v", got.Time())
	}
}

// TestTotalsMoveWithTheirChat checks that totals move with a chat, also into a chat that has totals.
func TestTotalsMoveWithTheirChat(t *testing.T) {
	for _, known := range []bool{false, true} {
		s := openNew(t)
		addEnded(t, s, "test:old", 1, scoreRows(1, 2)...)
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.Chats.StartSeason(store.Season{Chat: "test:old", Name: "Old", Starter: "test:anna",
				Started: 5})
			return errors.Join(err, tx.Chats.Hide("test:old", "test:anna", true), tx.Chats.Leave("test:old",
				"test:ben", true))
		})
		addEnded(t, s, "test:old", 2, scoreRows(1, 2)...)
		want := "anna 2/2 1..1 2 0, ben 0/2 2..2 4 0"
		if known {
			addEnded(t, s, "test:new", 1, scoreRows(7, 3)...)
			update(t, s, func(tx *store.Tx) error {
				_, err := tx.Chats.StartSeason(store.Season{Chat: "test:new", Name: "New", Starter: "test:ben",
					Started: 4})
				return errors.Join(err, tx.Chats.Hide("test:new", "test:ben", true))
			})
			want = "anna 2/3 1..7 9 0, ben 1/3 2..3 7 0"
		}
		update(t, s, func(tx *store.Tx) error {
			return tx.Upkeep.Migrate("test:old", "test:new", func(place string) string { return "test:new" })
		})
		if got := standings(t, s, store.Wanted{Chat: "test:new"}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := standings(t, s, store.Wanted{Chat: "test:old"}); got != "" {
			t.Errorf("%s stayed behind", got)
		}
		view(t, s, func(tx *store.Tx) error {
			present, err := tx.Chats.PresentSeason("test:new")
			unlisted, err2 := tx.Chats.Unlisted("test:new")
			want := map[string]store.Unlisted{"test:anna": {Hidden: true}, "test:ben": {Gone: true}}
			if known {
				want["test:ben"] = store.Unlisted{Hidden: true}
			}
			if present.Name != "Old" || !reflect.DeepEqual(unlisted, want) {
				t.Errorf("known %v: %+v, %+v", known, present, unlisted)
			}
			return errors.Join(err, err2)
		})
		wantNoFaults(t, s)
	}
}

// TestSeasonsFollowEachOther checks which season is due, that a season which began late gets the tables that ended
// since its start, and that a chat which moves into another leaves one season due.
func TestSeasonsFollowEachOther(t *testing.T) {
	s := openNew(t)
	season := func(chat, name string, started, due int64) store.Season {
		n := store.Season{Chat: chat, Name: name, Starter: "test:anna", Started: started, Due: due, Final: 4,
			Cadence: store.Monthly}
		n.ID = updateResult(t, s, func(tx *store.Tx) (int64, error) { return tx.Chats.StartSeason(n) })
		return n
	}
	due := func(now int64) (said string) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			rows, err := tx.Chats.DueSeasons(now, 9)
			next, err2 := tx.Chats.NextSeason(now)
			for _, r := range rows {
				said += fmt.Sprint(r.Chat, " ", r.ID, " at ", r.Due, ", ")
			}
			said += fmt.Sprint("then ", next)
			return errors.Join(err, err2)
		})
		return said
	}
	old := season("test:old", "October", 1, 30_000)
	addEnded(t, s, "test:old", 29, scoreRows(1, 2)...)
	addEnded(t, s, "test:old", 30, scoreRows(1, 2)...)
	if got, want := due(29_999), "then 30000"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := due(30_000), fmt.Sprintf("test:old %d at 30000, then 0", old.ID); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	next := season("test:old", "November", 30_000, 60_000)
	update(t, s, func(tx *store.Tx) error { return tx.Chats.StartedLate(next) })
	const want = "anna 1/1 1..1 1 0, ben 0/1 2..2 2 0"
	for _, id := range []int64{old.ID, next.ID} {
		if got := standings(t, s, store.Wanted{Chat: "test:old", Period: store.OfSeason(id)}); got != want {
			t.Errorf("season %d: %s, want %s", id, got, want)
		}
	}
	next.Champion, next.Crowned, next.Due = "test:anna", 3, 61_000
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveSeason(next) })
	season("test:new", "Cup", 20_000, 50_000)
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Upkeep.Forget("test:anna")
		return errors.Join(err, tx.Upkeep.Migrate("test:old", "test:new", func(string) string { return "test:new" }))
	})
	if got, want := due(70_000), fmt.Sprintf("test:new %d at 61000, then 0", next.ID); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	view(t, s, func(tx *store.Tx) error {
		n, err := tx.Chats.Season(next.ID)
		if store.Forgotten(n.Champion) != 1 || n.Crowned != 3 {
			t.Errorf("the champion is %+v", n)
		}
		return err
	})
	wantNoFaults(t, s)
}

func TestTotalsAreMended(t *testing.T) {
	s := openNew(t)
	table := addFinished(t, s, "test:place")
	right := standings(t, s, store.Wanted{Chat: table.Chat})
	mended := func(want ...store.Fault) {
		t.Helper()
		wrong, err := s.MendTotals(t.Context(), nil)
		if err != nil || !slices.Equal(wrong, want) {
			t.Errorf("%v, %v", wrong, err)
		}
		if got := standings(t, s, store.Wanted{Chat: table.Chat}); got != right {
			t.Errorf("%s, want %s", got, right)
		}
		wantNoFaults(t, s)
	}
	mended()
	tamper(t, s, "UPDATE totals SET won = won + 1 WHERE kind = 'season'",
		"DELETE FROM totals WHERE kind = 'evening' AND player = 'test:anna'")
	mended(store.Fault{Where: "totals of test:chat", What: "3 differ from the sums of the results"})
	mended()
}
