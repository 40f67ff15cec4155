package books_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/review"
	"knobel/games"
	debts "knobel/games/gametest/owing"
	"knobel/games/money"
	"knobel/store"
)

// Games without a pool in which the seats pay each other: the last pays, or each by their own points.

// debtors are people of one language at a table of such a game that is in the lobby.
func debtors(t *testing.T, lang, line string, names ...string) (*bare.House, []*bare.Person) {
	t.Helper()
	h := bare.New(t, debts.Loser(), debts.Lids())
	h.Regulars("Dora")
	h.Seeds = bare.Constant(2)
	h.Restart()
	var people []*bare.Person
	for i, name := range names {
		p := h.Person(name)
		p.Locale = lang
		if people = append(people, p); i == 0 {
			p.Writes(line)
		} else {
			p.Sends(fmt.Sprintf("1:%d:0:!join", p.Table().ID))
		}
		if r := p.Writes("/luck fox"); r.Refused {
			t.Fatal(r.Toast)
		}
	}
	return h, people
}

func TestTheLastPaysEachOfTheOthers(t *testing.T) {
	h, people := debtors(t, "en", "/loser 10", "Anna", "Ben", "Clara")
	anna := people[0]
	bare.Want(t, anna.Board(), `
Anna opens a table: Loser for 10 chips.
Anna
Ben
Clara
Whoever is last pays everybody else 10 chips.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
	anna.Presses("▶ Start")
	h.Balance("player:test:Anna", 0)
	bare.ThrowOut(people)
	bare.Want(t, anna.Board(), `
Clara pays everybody else 10 chips.
Clara threw 2.
Anna 5 (+10)
Ben 5 (+10)
Clara 2 (−20)
[↻ Rematch][Dice ✓]`)
	h.Sound()
	bare.Want(t, anna.Asks("/settle"), `
2 payments bring everybody to zero.
Balances in chips: Anna +10 · Ben +10 · Clara −20
Clara → Anna 10 · Clara → Ben 10
[Paid: Clara → Anna 10][Paid: Clara → Ben 10]
[Why?][Payments]`)
	bare.Want(t, anna.Asks("/settle why"), `
Anna is owed 10 chips.
14 November · table 1, Loser: +10
[Why Ben?][Why Clara?]
[Back]`)
	bare.Want(t, anna.Asks("/leaderboard"), `
Settled in chips, November: 1 game.
1. Anna +10 · 1 of 1 won ← you
1. Ben +10 · 1 of 1 won
3. Clara −20 · 0 of 1 won
[All time][Pools]
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`)
	if text := bare.Show(anna.Asks("/stats")); !strings.Contains(text, "Chips won and lost: +10.\n") {
		t.Errorf("the statistics say\n%s", text)
	}
	bare.Want(t, anna.Asks("/history"), `
The last game here.
#1 · 14 November · Loser: Anna +10 · Ben +10 · Clara −20
[#1]`)
}

func TestEachPaysByTheirOwnPoints(t *testing.T) {
	h, people := debtors(t, "de", "/lids 5", "Anna", "Ben", "Clara")
	anna := people[0]
	bare.Want(t, anna.Board(), `
Anna macht einen Tisch auf: Deckel um 5 Chips.
Anna
Ben
Clara
Alle zahlen allen anderen für jeden eigenen Punkt 5 Chips.
[Mitspielen][Aufstehen]
[▶ Los][+ Haus][⚙ Regeln]`)
	anna.Presses("▶ Los")
	bare.Want(t, anna.Board(), `
Anna ist am Wurf.
Anna
Ben
Clara
[Werfen]`)
	bare.ThrowOut(people)
	bare.Want(t, anna.Board(), `
Clara wirft 2.
Anna 5 (−15)
Ben 5 (−15)
Clara 2 (+30)
Alle zahlen allen anderen für jeden eigenen Punkt 5 Chips.
[↻ Revanche][Würfel ✓]`)
	h.Sound()
	bare.Want(t, anna.Asks("/settle"), `
2 Zahlungen bringen alle auf null.
Kontostände in Chips: Clara +30 · Anna −15 · Ben −15
Anna → Clara 15 · Ben → Clara 15
[Bezahlt: Anna → Clara 15][Bezahlt: Ben → Clara 15]
[Warum?][Zahlungen]`)
	bare.Want(t, anna.Asks("/leaderboard"), `
Abgerechnet in Chips, November: 1 Partie.
1. Clara +30 · 1 von 1 gewonnen
2. Anna −15 · 0 von 1 gewonnen ← du
2. Ben −15 · 0 von 1 gewonnen
[Gesamt][Töpfe]
[Wertung…][Wann…][Spiel…]
[Gegen…][Mich ausblenden]
[📈 Verlauf][Statistik]`)
	if text := bare.Show(anna.Asks("/stats")); !strings.Contains(text, "Chips, gewonnen und verloren: −15.\n") {
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
				people[0].Writes("/loser 10")
				people[1].Sends(fmt.Sprintf("1:%d:0:!join", game))
				people[2].Sends(fmt.Sprintf("1:%d:0:!join", game))
			}
			people[0].Sends(fmt.Sprintf("1:%d:0:!start", game))
			bare.ThrowOut(people)
			faces, last := people[0].FacesOf(), 0
			for _, face := range faces {
				if face == slices.Min(faces) {
					last++
				}
			}
			met[last] = true
			if m := people[0].Board(); !strings.HasSuffix(m.Head, says[last-1]) &&
				!slices.Contains(m.Lines, says[last-1]) {
				t.Errorf("%v: the board says\n%s", faces, bare.Show(m))
			}
		}
		if met != [4]bool{false, true, true, true} {
			t.Errorf("%s: only %v came up", lang, met)
		}
		h.Sound()
	}
}

// TestWhatIsOwedIsBooked plays both games with people and houses, for a stake and for fun, and looks at the books
// after each; the box of the pools stays as it was.
func TestWhatIsOwedIsBooked(t *testing.T) {
	h := bare.New(t, debts.Loser(), debts.Lids())
	people := []*bare.Person{h.Person("Anna"), h.Person("Ben"), h.Person("Clara")}
	books := map[string]int64{}
	for round, g := range []debts.Game{debts.Loser(), debts.Lids(), debts.Loser(), debts.Lids(), debts.Loser(),
		debts.Lids()} {
		stake := []int64{7, 3, 0}[round/2]
		people[0].Writes(fmt.Sprint("/", g.Name(), " ", stake))
		table := people[0].Table()
		for range 2 { // both play alike, and share an account
			people[0].Sends(fmt.Sprintf("1:%d:0:!house left", table.ID))
		}
		for _, p := range people[1:] {
			p.Presses("Sit down")
		}
		people[0].Sends(fmt.Sprintf("1:%d:0:!start", table.ID))
		bare.ThrowOut(people)
		table = people[0].Table()
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
			h.Balance(account, amount)
		}
		h.Balance("box", 0)
		h.Sound()
	}
	if lines := h.Export(review.Wanted{}); len(lines) != 6 ||
		!strings.Contains(lines[0], `"shape":"last-pays","stake":7`) ||
		!strings.Contains(lines[5], `"shape":"own-points","stake":0`) {
		t.Errorf("%q", lines)
	}
}

// TestWhatIsOwedLeavesTheBoxAlone: what stays in it, and who holds it.
func TestWhatIsOwedLeavesTheBoxAlone(t *testing.T) {
	h := bare.New(t, debts.Loser(), bare.Pile{})
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Writes("/pile 1")
	ben.Presses("Sit down")
	clara.Presses("Sit down")
	anna.Presses("▶ Start")
	anna.Sends("1:1:0:take 6+2")
	ben.Sends("1:1:1:take 5+3")
	clara.Sends("1:1:2:take 4+1")
	h.Balance("box", 1)
	ben.Writes("/loser 10")
	clara.Presses("Sit down")
	if text := bare.Show(ben.Board()); strings.Contains(text, "box") || strings.Contains(text, "Pool") {
		t.Errorf("the lobby says\n%s", text)
	}
	ben.Presses("▶ Start")
	bare.ThrowOut([]*bare.Person{ben, clara})
	if text := bare.Show(ben.Board()); strings.Contains(text, "box") || strings.Contains(text, "ool") {
		t.Errorf("the board says\n%s", text)
	}
	h.Balance("box", 1)
	err := h.Store.View(context.Background(), func(tx *store.Tx) error {
		box, err := tx.Box("test:1", "chips")
		if box.Holder != "test:Anna" || box.Times != 1 {
			t.Errorf("the box is %+v", box)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	h.Sound()
}

// TestNothingIsOwedBeforeTheEnd: a table that is ended gives nothing back, and a seat that is handed over takes its
// debt along.
func TestNothingIsOwedBeforeTheEnd(t *testing.T) {
	h, people := debtors(t, "en", "/loser 10", "Anna", "Ben")
	anna, ben, dora := people[0], people[1], h.Person("Dora")
	anna.Presses("▶ Start")
	bare.Told(t, anna.Writes("/handover"), "Offered for a minute, or until the turn is over.")
	dora.Sends("1:1:0:!take 0")
	bare.Told(t, ben.Presses("Dora may sit there"), "Agreed: the seat has changed hands.")
	if table := ben.Table(); table.Seats[0].Player != "test:Dora" {
		t.Fatalf("the seats are %+v", table.Seats)
	}
	for _, name := range []string{"Anna", "Ben", "Dora"} {
		h.Balance("player:test:"+name, 0)
	}
	h.Sound()
	dora.Admin = true
	dora.Sends("1:1:0:throw")
	ben.Writes("/abandon")
	dora.Writes("/abandon")
	for _, p := range []*bare.Person{ben, dora} {
		p.Sends("1:1:1:!vote yes")
	}
	if table := ben.Table(); table.State != store.Abandoned {
		t.Fatalf("the table is %s:\n%s", table.State, bare.Show(ben.Board()))
	}
	bare.Want(t, ben.Board(), `
The table was closed before its time.
Dora 5
Ben
[↻ Rematch][Dice ✓]`)
	h.Sound()
}

func TestWhoIsOutPaysAndIsPaidNothing(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		for _, g := range []debts.Game{debts.Loser(), debts.Lids()} {
			for seed := range 4 {
				h := bare.New(t, debts.Loser(), debts.Lids())
				h.Seeds = bare.Constant(byte(seed))
				h.Restart()
				c := &bare.Clocked{House: h, Stage: bare.NewStage(),
					People: h.Gather("/"+g.Name()+" 10 turn=1m absent=out",
						"Anna", "Ben", "Clara")}
				if text := bare.Show(c.People[0].Board()); !strings.Contains(text,
					"Who takes longer is out: the seat pays and is paid nothing,") {
					t.Errorf("the lobby says\n%s", text)
				}
				c.People[0].Presses("▶ Start")
				stop := c.OnStage(c.Stage)
				c.Lasts()
				if d := c.People[0].Board().Deadline; d == nil ||
					!strings.HasSuffix(d.String(), ": the seat pays and is paid nothing.") {
					t.Errorf("the board says %v", d)
				}
				c.Misses()
				bare.Refused(t, c.People[0].Sends("1:1:1:!back"),
					"Your seat is out: it took too long. Join the next table.")
				bare.ThrowOut(c.People[1:])
				table := c.People[0].Table()
				if table.State != store.Over || table.Seats[0].Absence != store.Out {
					t.Fatalf("the table is %s, the seats are %+v", table.State, table.Seats)
				}
				faces := c.People[0].FacesOf()
				rows := c.Results(table.ID)
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
				if text := bare.Show(c.People[0].Board()); !strings.Contains(text, "Out, and so paid nothing: Anna.") {
					t.Errorf("the board says\n%s", text)
				}
				c.Verified()
				stop()
			}
		}
	})
}

// TestOnlyOnePlaysForPractice: alone nobody owes anything.
func TestOnlyOnePlaysForPractice(t *testing.T) {
	h, people := debtors(t, "en", "/lids 10", "Anna")
	people[0].Presses("▶ Start")
	bare.ThrowOut(people)
	h.Balance("player:test:Anna", 0)
	h.Sound()
	if text := bare.Show(people[0].Board()); strings.Contains(text, "chip") {
		t.Errorf("the board says\n%s", text)
	}
}
