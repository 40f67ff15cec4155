package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/review"
	"knobel/games"
	debts "knobel/games/gametest/owing"
	"knobel/games/money"
	"knobel/store"
)

// Games without a pool in which the seats pay each other: the last pays, or each by their own points.

// debtors are people of one language at a table of such a game that is in the lobby.
func debtors(t *testing.T, lang, line string, names ...string) (*house, []*person) {
	t.Helper()
	h := newHouse(t, debts.Loser(), debts.Lids())
	h.regulars("Dora")
	h.seeds = constant(2)
	h.restart()
	var people []*person
	for i, name := range names {
		p := h.person(name)
		p.locale = lang
		if people = append(people, p); i == 0 {
			p.writes(line)
		} else {
			p.sends(fmt.Sprintf("1:%d:0:!join", p.table().ID))
		}
		if r := p.writes("/luck fox"); r.Refused {
			t.Fatal(r.Toast)
		}
	}
	return h, people
}

// throwOut has everybody throw in turn until the game is over.
func throwOut(people []*person) {
	for people[0].table().State == store.Playing {
		table := people[0].table()
		for i, s := range table.Seats {
			if s.Player != "" && i == people[0].board().Accent {
				for _, p := range people {
					if s.Player == "test:"+p.name {
						p.sends(fmt.Sprintf("1:%d:%d:throw", table.ID, table.Turn))
					}
				}
			}
		}
	}
}

// facesOf are what the seats of the newest table have thrown.
func (p *person) facesOf() []int {
	var faces []int
	for _, m := range p.moves(p.table().ID) {
		faces = append(faces, m.Dice...)
	}
	return faces
}

func TestTheLastPaysEachOfTheOthers(t *testing.T) {
	h, people := debtors(t, "en", "/loser 10", "Anna", "Ben", "Clara")
	anna := people[0]
	want(t, anna.board(), `
Anna opens a table: Loser for 10 chips.
Anna
Ben
Clara
Whoever is last pays everybody else 10 chips.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
	anna.presses("▶ Start")
	h.balance("player:test:Anna", 0)
	throwOut(people)
	want(t, anna.board(), `
Clara pays everybody else 10 chips.
Clara threw 2.
Anna 5 (+10)
Ben 5 (+10)
Clara 2 (−20)
[↻ Rematch][Dice ✓]`)
	h.sound()
	want(t, anna.asks("/settle"), `
2 payments bring everybody to zero.
Balances in chips: Anna +10 · Ben +10 · Clara −20
Clara → Anna 10 · Clara → Ben 10
[Paid: Clara → Anna 10][Paid: Clara → Ben 10]
[Why?][Payments]`)
	want(t, anna.asks("/settle why"), `
Anna is owed 10 chips.
14 November · table 1, Loser: +10
[Why Ben?][Why Clara?]
[Back]`)
	want(t, anna.asks("/leaderboard"), `
Settled in chips, November: 1 game.
1. Anna +10 · 1 of 1 won ← you
1. Ben +10 · 1 of 1 won
3. Clara −20 · 0 of 1 won
[All time][Pools]
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`)
	if text := show(anna.asks("/stats")); !strings.Contains(text, "Chips won and lost: +10.\n") {
		t.Errorf("the statistics say\n%s", text)
	}
	want(t, anna.asks("/history"), `
The last game here.
#1 · 14 November · Loser: Anna +10 · Ben +10 · Clara −20
[#1]`)
}

func TestEachPaysByTheirOwnPoints(t *testing.T) {
	h, people := debtors(t, "de", "/lids 5", "Anna", "Ben", "Clara")
	anna := people[0]
	want(t, anna.board(), `
Anna macht einen Tisch auf: Deckel um 5 Chips.
Anna
Ben
Clara
Alle zahlen allen anderen für jeden eigenen Punkt 5 Chips.
[Mitspielen][Aufstehen]
[▶ Los][+ Haus][⚙ Regeln]`)
	anna.presses("▶ Los")
	want(t, anna.board(), `
Anna ist am Wurf.
Anna
Ben
Clara
[Werfen]`)
	throwOut(people)
	want(t, anna.board(), `
Clara wirft 2.
Anna 5 (−15)
Ben 5 (−15)
Clara 2 (+30)
Alle zahlen allen anderen für jeden eigenen Punkt 5 Chips.
[↻ Revanche][Würfel ✓]`)
	h.sound()
	want(t, anna.asks("/settle"), `
2 Zahlungen bringen alle auf null.
Kontostände in Chips: Clara +30 · Anna −15 · Ben −15
Anna → Clara 15 · Ben → Clara 15
[Bezahlt: Anna → Clara 15][Bezahlt: Ben → Clara 15]
[Warum?][Zahlungen]`)
	want(t, anna.asks("/leaderboard"), `
Abgerechnet in Chips, November: 1 Partie.
1. Clara +30 · 1 von 1 gewonnen
2. Anna −15 · 0 von 1 gewonnen ← du
2. Ben −15 · 0 von 1 gewonnen
[Gesamt][Töpfe]
[Wertung…][Wann…][Spiel…]
[Gegen…][Mich ausblenden]
[📈 Verlauf][Statistik]`)
	if text := show(anna.asks("/stats")); !strings.Contains(text, "Chips, gewonnen und verloren: −15.\n") {
		t.Errorf("the statistics say\n%s", text)
	}
}

// TestWhoPaysIsSaid: one, several, and how it goes where all are equal and nobody pays, in both languages.
func TestWhoPaysIsSaid(t *testing.T) {
	for lang, says := range map[string][3]string{
		"en": {" pays everybody else 10 chips.", " pay everybody else 10 chips.",
			"Whoever is last pays everybody else 10 chips."},
		"de": {" zahlt allen anderen je 10 Chips.", " zahlen allen anderen je 10 Chips.",
			"Wer hinten liegt, zahlt allen anderen je 10 Chips."},
	} {
		h, people := debtors(t, lang, "/loser 10", "Anna", "Ben", "Clara")
		met := [4]bool{} // by how many were last
		for game := 1; met != [4]bool{false, true, true, true} && game < 200; game++ {
			if game > 1 {
				people[0].writes("/loser 10")
				people[1].sends(fmt.Sprintf("1:%d:0:!join", game))
				people[2].sends(fmt.Sprintf("1:%d:0:!join", game))
			}
			people[0].sends(fmt.Sprintf("1:%d:0:!start", game))
			throwOut(people)
			faces, last := people[0].facesOf(), 0
			for _, face := range faces {
				if face == slices.Min(faces) {
					last++
				}
			}
			met[last] = true
			if m := people[0].board(); !strings.HasSuffix(m.Head, says[last-1]) &&
				!slices.Contains(m.Lines, says[last-1]) {
				t.Errorf("%v: the board says\n%s", faces, show(m))
			}
		}
		if met != [4]bool{false, true, true, true} {
			t.Errorf("%s: only %v came up", lang, met)
		}
		h.sound()
	}
}

// TestWhatIsOwedIsBooked plays both games with people and houses, for a stake and for fun, and looks at the books
// after each; the box of the pools stays as it was.
func TestWhatIsOwedIsBooked(t *testing.T) {
	h := newHouse(t, debts.Loser(), debts.Lids())
	people := []*person{h.person("Anna"), h.person("Ben"), h.person("Clara")}
	books := map[string]int64{}
	for round, g := range []debts.Game{debts.Loser(), debts.Lids(), debts.Loser(), debts.Lids(), debts.Loser(),
		debts.Lids()} {
		stake := []int64{7, 3, 0}[round/2]
		people[0].writes(fmt.Sprint("/", g.Name(), " ", stake))
		table := people[0].table()
		for range 2 { // both play alike, and share an account
			people[0].sends(fmt.Sprintf("1:%d:0:!house left", table.ID))
		}
		for _, p := range people[1:] {
			p.presses("Sit down")
		}
		people[0].sends(fmt.Sprintf("1:%d:0:!start", table.ID))
		throwOut(people)
		table = people[0].table()
		if table.State != store.Over || len(table.Seats) != 5 {
			t.Fatalf("the table is %s with %d seats", table.State, len(table.Seats))
		}
		m, err := g.Load(nil, table.Match)
		if err != nil {
			t.Fatal(err)
		}
		result, _ := m.Result()
		settled, err := money.Owe(g.Shape(nil), stake, result, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range table.Seats {
			account := "player:" + s.Player
			if s.House != "" {
				account = "house:" + s.House
			}
			books[account] += settled.Amounts[i]
		}
		for account, amount := range books {
			h.balance(account, amount)
		}
		h.balance("box", 0)
		h.sound()
	}
	if lines := h.export(review.Wanted{}); len(lines) != 6 ||
		!strings.Contains(lines[0], `"shape":"last-pays","stake":7`) ||
		!strings.Contains(lines[5], `"shape":"own-points","stake":0`) {
		t.Errorf("%q", lines)
	}
}

// TestWhatIsOwedLeavesTheBoxAlone: what stays in it, and who holds it.
func TestWhatIsOwedLeavesTheBoxAlone(t *testing.T) {
	h := newHouse(t, debts.Loser(), pile{})
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.writes("/pile 1")
	ben.presses("Sit down")
	clara.presses("Sit down")
	anna.presses("▶ Start")
	anna.sends("1:1:0:take 6+2")
	ben.sends("1:1:1:take 5+3")
	clara.sends("1:1:2:take 4+1")
	h.balance("box", 1)
	ben.writes("/loser 10")
	clara.presses("Sit down")
	if text := show(ben.board()); strings.Contains(text, "box") || strings.Contains(text, "Pool") {
		t.Errorf("the lobby says\n%s", text)
	}
	ben.presses("▶ Start")
	throwOut([]*person{ben, clara})
	if text := show(ben.board()); strings.Contains(text, "box") || strings.Contains(text, "ool") {
		t.Errorf("the board says\n%s", text)
	}
	h.balance("box", 1)
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		box, err := tx.Box("test:1", "chips")
		if box.Holder != "test:Anna" || box.Times != 1 {
			t.Errorf("the box is %+v", box)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	h.sound()
}

// TestNothingIsOwedBeforeTheEnd: a table that is ended gives nothing back, and a seat that is handed over takes its
// debt along.
func TestNothingIsOwedBeforeTheEnd(t *testing.T) {
	h, people := debtors(t, "en", "/loser 10", "Anna", "Ben")
	anna, ben, dora := people[0], people[1], h.person("Dora")
	anna.presses("▶ Start")
	told(t, anna.writes("/handover"), "Offered for a minute, or until the turn is over.")
	dora.sends("1:1:0:!take 0")
	told(t, ben.presses("Dora may sit there"), "Agreed: the seat has changed hands.")
	if table := ben.table(); table.Seats[0].Player != "test:Dora" {
		t.Fatalf("the seats are %+v", table.Seats)
	}
	for _, name := range []string{"Anna", "Ben", "Dora"} {
		h.balance("player:test:"+name, 0)
	}
	h.sound()
	dora.admin = true
	dora.sends("1:1:0:throw")
	ben.writes("/abandon")
	dora.writes("/abandon")
	for _, p := range []*person{ben, dora} {
		p.sends("1:1:1:!vote yes")
	}
	if table := ben.table(); table.State != store.Abandoned {
		t.Fatalf("the table is %s:\n%s", table.State, show(ben.board()))
	}
	want(t, ben.board(), `
The table was closed before its time.
Dora 5
Ben
[↻ Rematch][Dice ✓]`)
	h.sound()
}

func TestWhoIsOutPaysAndIsPaidNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, g := range []debts.Game{debts.Loser(), debts.Lids()} {
			for seed := range 4 {
				h := newHouse(t, debts.Loser(), debts.Lids())
				h.seeds = constant(byte(seed))
				h.restart()
				c := &clocked{house: h, stage: newStage(), people: h.gather("/"+g.Name()+" 10 turn=1m absent=out",
					"Anna", "Ben", "Clara")}
				if text := show(c.people[0].board()); !strings.Contains(text,
					"Who takes longer is out: the seat pays and is paid nothing,") {
					t.Errorf("the lobby says\n%s", text)
				}
				c.people[0].presses("▶ Start")
				stop := c.onStage(c.stage)
				c.lasts()
				if d := c.people[0].board().Deadline; d == nil ||
					!strings.HasSuffix(d.String(), ": the seat pays and is paid nothing.") {
					t.Errorf("the board says %v", d)
				}
				c.misses()
				refused(t, c.people[0].sends("1:1:1:!back"), "Your seat is out: it took too long. Join the next table.")
				throwOut(c.people[1:])
				table := c.people[0].table()
				if table.State != store.Over || table.Seats[0].Absence != store.Out {
					t.Fatalf("the table is %s, the seats are %+v", table.State, table.Seats)
				}
				faces := c.people[0].facesOf()
				rows := c.results(table.ID)
				expect := []int64{-20, 10, 10}
				if g.Shape(nil) == games.ShapeOwnPoints {
					a, b, c := int64(faces[0]), int64(faces[1]), int64(faces[2])
					expect = []int64{-20 * a, 10 * (a + c - b), 10 * (a + b - c)}
				}
				for i, row := range rows {
					if row.Units() != expect[i] || row.Pool != 0 {
						t.Errorf("%s, seed %d: seat %d of %v has %+v, want %d", g.Name(), seed, i, faces, row,
							expect[i])
					}
				}
				if rows[0].Place != 3 {
					t.Errorf("who is out has place %d", rows[0].Place)
				}
				if text := show(c.people[0].board()); !strings.Contains(text, "Out, and so paid nothing: Anna.") {
					t.Errorf("the board says\n%s", text)
				}
				c.verified()
				stop()
			}
		}
	})
}

// TestOnlyOnePlaysForPractice: alone nobody owes anything.
func TestOnlyOnePlaysForPractice(t *testing.T) {
	h, people := debtors(t, "en", "/lids 10", "Anna")
	people[0].presses("▶ Start")
	throwOut(people)
	h.balance("player:test:Anna", 0)
	h.sound()
	if text := show(people[0].board()); strings.Contains(text, "chip") {
		t.Errorf("the board says\n%s", text)
	}
}

// TestLeaderboardsOfWhatIsOwed: beside pools it has a list of its own.
func TestLeaderboardsOfWhatIsOwed(t *testing.T) {
	h, people := debtors(t, "en", "/loser 10", "Anna", "Ben", "Clara")
	anna := people[0]
	refused(t, anna.writes("/leaderboard rank=pool game=loser"), "Loser knows no such ranking. Take “settled”.")
	anna.presses("▶ Start")
	throwOut(people)
	sum := int64(0)
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		all, err := tx.Standings(store.Wanted{Chat: "test:1", Period: store.AllTime()})
		for _, one := range all {
			sum += one.Settled
			if one.Settled == 0 || one.Pool != 0 || one.Shares != 0 {
				t.Errorf("%+v", one)
			}
		}
		return err
	})
	if err != nil || sum != 0 {
		t.Errorf("%d, %v", sum, err)
	}
	for line, head := range map[string]string{
		"/leaderboard":                         "Settled in chips, ",
		"/leaderboard game=loser":              "Settled in chips, Loser, ",
		"/leaderboard rank=won":                "Games won, ",
		"/leaderboard rank=mean game=loser":    "Mean score, Loser, ",
		"/leaderboard rank=settled unit=chips": "Settled in chips, ",
	} {
		if got := anna.asks(line).Head; !strings.HasPrefix(got, head) {
			t.Errorf("%s begins with %q", line, got)
		}
	}
}
