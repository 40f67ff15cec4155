package standings

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// rankingNamed returns the ranking called name.
func rankingNamed(t testing.TB, name string) ranking {
	t.Helper()
	for _, r := range rankings {
		if r.name == name {
			return r
		}
	}
	t.Fatalf("no ranking %s", name)
	return ranking{}
}

// english returns a function that formats numbers in English.
func english(t *testing.T) func(games.Number) string {
	w, err := words.New()
	if err != nil {
		t.Fatal(err)
	}
	return func(n games.Number) string { return w.Number("en", n) }
}

func TestRank(t *testing.T) {
	all := []store.Standing{
		{Player: "1", Name: "Ben", Games: 20, Won: 17, Pool: 120, Settled: 2, Shut: 3, Shares: 2520, Scored: 20,
			Points: 200, Low: 0, High: 45},
		{Player: "2", Name: "Anna", Games: 20, Won: 12, Pool: 35, Shares: -840, Scored: 20, Points: 200, Low: 3,
			High: 30},
		{Player: "3", Name: "Clara", Games: 3, Won: 1, Pool: -155, Settled: -2, Shares: -1680, Scored: 3, Points: 31,
			Low: 3, High: 40},
		{Player: "4", Name: "Dora", Games: 5, Won: 1, Pool: 35, Scored: 0},
	}
	for _, c := range []struct {
		by    string
		low   bool
		least int64
		want  string
	}{
		{"pool", false, 1, "1 Ben +120, 2 Anna +35, 2 Dora +35, 4 Clara −155"},
		{"pool", false, 4, "1 Ben +120, 2 Anna +35, 2 Dora +35"},
		{"pool", false, 99, ""},
		{"difference", false, 1, "1 Ben +1, 2 Dora 0, 3 Anna −1/3, 4 Clara −2/3"},
		{"settled", false, 1, "1 Ben +2, 2 Anna 0, 2 Dora 0, 4 Clara −2"},
		{"average", false, 1, "1 Ben +0.05, 2 Dora 0.00, 3 Anna −0.02, 4 Clara −0.22"},
		{"won", false, 1, "1 Ben 17, 2 Anna 12, 3 Clara 1, 3 Dora 1"},
		{"shut", false, 1, "1 Ben 3, 2 Anna 0, 2 Clara 0, 2 Dora 0"},
		{"best", true, 1, "1 Ben 0, 2 Anna 3, 2 Clara 3"},
		{"best", false, 1, "1 Ben 45, 2 Clara 40, 3 Anna 30"},
		{"mean", true, 1, "1 Anna 10.00, 1 Ben 10.00, 3 Clara 10.33"},
		{"mean", false, 1, "1 Clara 10.33, 2 Anna 10.00, 2 Ben 10.00"},
	} {
		var said []string
		for _, r := range rank(all, rankingNamed(t, c.by), c.low, c.least) {
			said = append(said, fmt.Sprint(r.place, " ", r.Name, " ",
				english(t)(valueText(r.value, rankingNamed(t, c.by).shown))))
		}
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("%s, low %v, at least %d: %s, want %s", c.by, c.low, c.least, got, c.want)
		}
	}
}

func TestPagesOfTen(t *testing.T) {
	for _, c := range []struct {
		people, page, asker int
		want                string
	}{
		{0, 0, 0, "0 of 0:"},
		{1, 0, 0, "0 of 0: 0"},
		{10, 1, 3, "0 of 0: 0 1 2 3 4 5 6 7 8 9"},
		{11, 0, 10, "0 of 1: 0 1 2 3 4 5 6 7 8 9, below 10"},
		{11, 1, 10, "1 of 1: 10"},
		{11, 1, 0, "1 of 1: 10, above 0"},
		{25, 99, 12, "2 of 2: 20 21 22 23 24, above 12"},
		{25, -1, 99, "0 of 2: 0 1 2 3 4 5 6 7 8 9"},
	} {
		var list []ranked
		for i := range c.people {
			list = append(list, ranked{Standing: store.Standing{Player: fmt.Sprint(i)}})
		}
		p := selectPage(list, c.page, fmt.Sprint(c.asker))
		got := fmt.Sprintf("%d of %d:", p.number, p.last)
		for _, r := range p.rows {
			got += " " + r.Player
		}
		if p.mine != nil {
			got += map[bool]string{true: ", above ", false: ", below "}[p.above] + p.mine.Player
		}
		if got != c.want {
			t.Errorf("page %d of %d: %s, want %s", c.page, c.people, got, c.want)
		}
	}
}

// TestRanksAreThoseOfACount checks that each place is one more than the number of better players.
func TestRanksAreThoseOfACount(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var all []store.Standing
		for i := range rapid.IntRange(0, 30).Draw(r, "people") {
			n := func(name string, least, most int64) int64 { return rapid.Int64Range(least, most).Draw(r, name) }
			all = append(all, store.Standing{
				Player: fmt.Sprint(i), Games: n("games", 1, 4), Won: n("won", 0, 4), Pool: n("pool", -3, 3),
				Shares: 420 * n("shares", -4, 4),
				Scored: n("scored", 0, 2), Points: n("points", 0, 5), Low: n("low", 0, 3), High: n("high", 0, 3),
			})
		}
		by := rapid.SampledFrom(rankings).Draw(r, "by")
		low := rapid.Bool().Draw(r, "low")
		list := rank(all, by, low, 2)
		for i, one := range list {
			better := 0
			for _, other := range list {
				order := other.value.Cmp(one.value)
				if by.score && low {
					order = -order
				}
				if order > 0 {
					better++
				}
			}
			if one.place != better+1 || one.Games < 2 || i > 0 && list[i-1].place > one.place {
				r.Fatalf("%d are better than %+v", better, one)
			}
		}
	})
}

func TestEveningsAndPeriods(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at, evening, month, week string
		zone                     *time.Location
	}{
		{"2026-11-20T19:00:00Z", "2026-11-20", "2026-11", "2026-w47", time.UTC},
		{"2026-11-21T05:59:59Z", "2026-11-20", "2026-11", "2026-w47", time.UTC},
		{"2026-11-21T06:00:00Z", "2026-11-21", "2026-11", "2026-w47", time.UTC},
		{"2026-11-21T05:00:00Z", "2026-11-21", "2026-11", "2026-w47", berlin},
		{"2026-11-01T04:59:59Z", "2026-10-31", "2026-10", "2026-w44", berlin},
		{"2027-01-01T05:00:00Z", "2026-12-31", "2026-12", "2026-w53", time.UTC},
		{"2026-03-29T03:59:59Z", "2026-03-28", "2026-03", "2026-w13", berlin}, // summer time begins: 2:00 becomes 3:00
		{"2026-03-29T04:00:00Z", "2026-03-29", "2026-03", "2026-w13", berlin},
		{"2026-10-25T04:59:59Z", "2026-10-24", "2026-10", "2026-w43", berlin}, // summer time ends
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		day := bot.EveningOf(at, c.zone)
		for k, want := range map[kind]string{anEvening: c.evening, month: c.month, week: c.week} {
			p := periodOf(k, day)
			if got := p.String(); got != want {
				t.Errorf("%s belongs to %s, want %s", c.at, got, want)
			}
			if back, ok := parsePeriod(p.String()); !ok || back != p {
				t.Errorf("%s is read as %v", p, back)
			}
			if on := day.Time(); on.Before(p.first) || !on.Before(p.end()) {
				t.Errorf("%s is not in %s", on, p)
			}
		}
	}
	for _, bad := range []string{"", "al", "season-", "season-x", "season-1x", "season--1 ", "2026", "2026-13",
		"2026-w54", "2026-w00", "2026-w1", "2026-02-30", "20261120"} {
		if p, ok := parsePeriod(bad); ok {
			t.Errorf("%q is read as %s", bad, p)
		}
	}
}

func TestQueriesFitIntoPresses(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := query{
			by: rapid.SampledFrom(rankings).Draw(r, "by"),
			when: rapid.SampledFrom([]Period{{kind: allTime}, {kind: season, season: 99999}, periodOf(week, 0),
				periodOf(anEvening, 0)}).Draw(r, "when"),
			of:      rapid.SampledFrom([]string{"", "wuerfelpoker", "unlucky-seven", "three-hundred"}).Draw(r, "of"),
			unit:    rapid.SampledFrom([]string{"", unitTag("chips")}).Draw(r, "unit"),
			least:   rapid.Int64Range(1, maxLeast).Draw(r, "least"),
			against: rapid.SampledFrom([]string{"", personTag("test:Ben")}).Draw(r, "against"),
			page:    rapid.IntRange(0, 999).Draw(r, "page"),
			menu:    rapid.SampledFrom([]menu{menuMain, menuFriend}).Draw(r, "menu"),
		}
		l.houses = l.against == "" && rapid.Bool().Draw(r, "houses")
		if said := l.press(); len(said) > chat.MaxPress {
			r.Fatalf("%q is too long", said)
		}
		p, ok := chat.ParsePress(l.press())
		if !ok {
			r.Fatalf("%q is no press", l.press())
		}
		_, text, _ := p.Command()
		back, ok := parseQuery(text)
		back.by.valueOf, l.by.valueOf = nil, nil
		if !ok || fmt.Sprint(back) != fmt.Sprint(l) {
			r.Fatalf("%q is read as %v, not %v", l, back, l)
		}
	})
}

func FuzzParseQuery(f *testing.F) {
	f.Add("p.all......")
	f.Add("d.season-2.golf.AbC.4.AbCd.3.r")
	f.Add("p.all.....+..")
	f.Fuzz(func(t *testing.T, text string) {
		l, ok := parseQuery(text)
		if ok && (l.least < 1 || l.page < 0 || l.by.valueOf == nil) {
			t.Errorf("%q is read as %+v", text, l)
		}
	})
}
