package books_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/gametest/either"
	"knobel/games/record"
	"knobel/games/sheet/sets"
	"knobel/store"
)

// Games in which it follows from the rules of a table how it is settled.

// TestAStakeImpliesThePool: what is said to open a table, and which rules and stake it has then.
func TestAStakeImpliesThePool(t *testing.T) {
	bare.Beside(t)
	pool, double := games.Rules{"settle": "pool"}, games.Rules{"settle": "pool", "dice": "2"}
	const none = "There is no stake by these rules: take settle=pool."
	for line, c := range map[string]struct {
		rules   games.Rules
		stake   int64
		refusal string
	}{
		"/either":                            {games.Rules{}, 0, ""},
		"/either 10":                         {pool, 10, ""},
		"/either stake:7":                    {pool, 7, ""},
		"/either settle=pool":                {pool, 10, ""},
		"/either pool 20":                    {pool, 20, ""},
		"/either pool 0":                     {pool, 0, ""},
		"/either 0":                          {games.Rules{}, 0, ""},
		"/either 0 settle=difference":        {games.Rules{}, 0, ""},
		"/either double 5":                   {double, 5, ""},
		"/either point=5":                    {games.Rules{"point": "5"}, 0, ""},
		"/either settle=difference stake=10": {nil, 0, none},
		"/either 10 settle=difference":       {nil, 0, none},
		"/either 10 point=5":                 {nil, 0, "A pool has no points: take point=0, or settle=difference."},
		"/either absent=out":                 {nil, 0, "Only a stake can be lost: play for one first."},
		"/either 10 absent=out":              {pool, 10, ""},
	} {
		t.Run(line, func(t *testing.T) {
			h := bare.New(t, either.Game{})
			anna := h.Person("Anna")
			if c.refusal != "" {
				bare.Refused(t, anna.Writes(line), c.refusal)
				return
			}
			anna.Writes(line)
			if table := anna.Table(); !maps.Equal(table.Rules, c.rules) || table.Stake != c.stake {
				t.Errorf("the rules are %v, the stake is %d", table.Rules, table.Stake)
			}
			staked := c.rules["settle"] == "pool"
			anna.Presses("⚙ Rules")
			if text := bare.Show(anna.Board()); strings.Contains(text, "Stake") != staked {
				t.Errorf("the board says\n%s", text)
			}
		})
	}
}

// TestTheStakeGoesWithThePool: whoever sits agrees anew when the settlement changes, either way, and a game in which
// nobody is charged begins without a stake.
func TestTheStakeGoesWithThePool(t *testing.T) {
	for name, c := range map[string]struct {
		opens  string
		change func(*bare.Person)
		stake  int64
		head   string
	}{
		"to differences, by a button": {"/either 20", func(p *bare.Person) {
			p.Presses("⚙ Rules")
			p.Presses("settlement: pool")
			p.Presses("differences")
		}, 0, "Anna opens a table: Either."},
		"to differences, by command": {"/either 20", func(p *bare.Person) { p.Writes("/either settle=difference") }, 0,
			"Anna opens a table: Either."},
		"to a pool, by a button": {"/either", func(p *bare.Person) {
			p.Presses("⚙ Rules")
			p.Presses("settlement: differences")
			p.Presses("pool")
		}, 10, "Anna opens a table: Either for 10 chips."},
		"from points to a pool, by a button": {"/either point=5", func(p *bare.Person) {
			p.Presses("⚙ Rules")
			p.Presses("settlement: differences")
			p.Presses("pool")
		}, 10, "Anna opens a table: Either for 10 chips."},
		"from points to a pool, in a menu": {"/either point=5", func(p *bare.Person) {
			page := p.Chooses("", "1:1:0:!page rules").Private
			if !slices.Contains(bare.Chosen(page), "settlement: differences") {
				p.T.Errorf("the page offers %q", bare.Chosen(page))
			}
			p.Chooses("", "1:1:0:!set settle=pool")
		}, 10, "Anna opens a table: Either for 10 chips."},
		"to a pool, by a stake": {"/either", func(p *bare.Person) { p.Writes("/either 7") }, 7,
			"Anna opens a table: Either for 7 chips."},
		"to a pool, for nothing": {"/either", func(p *bare.Person) { p.Writes("/either pool 0") }, 0,
			"Anna opens a table: Either, for nothing but fun."},
		"another variant": {"/either 20", func(p *bare.Person) {
			p.Presses("⚙ Rules")
			p.Presses("Rules: classic")
			p.Presses("double")
		}, 20, "Anna opens a table: Either for 20 chips."},
	} {
		t.Run(name, func(t *testing.T) {
			h := bare.New(t, either.Game{})
			anna, ben := h.Person("Anna"), h.Person("Ben")
			anna.Writes(c.opens)
			join, start := ben.Button("Sit down").Press, ben.Button("▶ Start").Press
			ben.Sends(join)
			c.change(anna)
			if table := anna.Table(); table.Stake != c.stake || anna.Board().Head != c.head {
				t.Errorf("the stake is %d, the board says %q", table.Stake, anna.Board().Head)
			}
			bare.Refused(t, anna.Sends(start), bare.BenIsToSay)
			bare.Refused(t, ben.Sends(join), bare.HaveChanged)
			bare.Told(t, ben.Presses("Agree"), "You agree to what the board says.")
			anna.Sends(start)
			h.Balance("player:test:Ben", -c.stake)
			h.Sound()
		})
	}
}

// TestAStakeOfBeforeIsRefused: by the button of a board, or of a page of one's own, that showed a pool.
func TestAStakeOfBeforeIsRefused(t *testing.T) {
	h := bare.New(t, either.Game{})
	anna := h.Person("Anna")
	anna.Writes("/either 10 absent=out")
	stakes := func() bool {
		page := anna.Chooses("", "1:1:0:!page rules").Private
		return slices.ContainsFunc(bare.Chosen(page), func(said string) bool {
			return strings.HasPrefix(said,
				"Stake")
		})
	}
	if !stakes() {
		t.Error("the page offers no stake for the pool")
	}
	anna.Writes("/either settle=difference")
	if stakes() {
		t.Error("the page offers a stake where there is none")
	}
	if table := anna.Table(); table.Absent != store.PlaysHouse {
		t.Errorf("without a stake, whoever is absent is %s", table.Absent)
	}
	for _, press := range []string{"1:1:0:!stake more", "1:1:0:!stake 50"} {
		bare.Refused(t, anna.Sends(press), "There is no stake by these rules: take settle=pool.")
	}
	if table := anna.Table(); table.Stake != 0 {
		t.Errorf("the stake is %d", table.Stake)
	}
}

// TestHouseRulesSayHowToSettle: those that name a pool have one, and the others none, until a stake is said: they keep
// their name then.
func TestHouseRulesSayHowToSettle(t *testing.T) {
	h := bare.New(t, either.Game{})
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/either double settle=pool")
	anna.Writes("/house save pot")
	anna.Writes("/either settle=difference dice=2")
	anna.Writes("/house save school")
	for _, c := range []struct {
		line  string
		stake int64
		named bool
	}{
		{"/either pot", 10, true}, {"/either school", 0, true}, {"/either pot 3", 3, true},
		{"/either school 3", 3, true}, {"/either 7", 7, true}, {"/either pot", 7, true},
		{"/either settle=difference", 0, false}, {"/either school dice=1", 0, false},
	} {
		anna.Writes(c.line)
		if table := anna.Table(); table.Stake != c.stake || (table.HouseRules > 0) != c.named {
			t.Errorf("%s: the stake is %d, the rules are %v, number %d", c.line, table.Stake, table.Rules,
				table.HouseRules)
		}
	}
}

// TestHouseRulesForAStake: what is played by them for a pool goes by their name on boards, in records and on
// leaderboards.
func TestHouseRulesForAStake(t *testing.T) {
	h := bare.New(t, either.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	anna.Writes("/either dice=2")
	anna.Writes("/house save school")
	anna.Writes("/either school 3")
	ben.Presses("Sit down")
	for _, p := range []*bare.Person{anna, ben} {
		p.Writes("/luck " + p.Name)
	}
	if m := anna.Board(); !strings.Contains(fmt.Sprint(m.Lines, m.Small), "school and settlement: pool") {
		t.Errorf("the board says %q, %q", m.Lines, m.Small)
	}
	anna.Presses("▶ Start")
	bare.ThrowOut([]*bare.Person{anna, ben})
	r := h.RecordOf(1)
	if faults := record.Verify(r, h.Games); r.HouseRules == nil || r.HouseRules.Name != "school" || len(faults) > 0 {
		t.Errorf("the record tells %+v, and %q", r.HouseRules, faults)
	}
	if m := anna.Asks("/leaderboard school"); !strings.Contains(m.Head, "school, November: 1 game") {
		t.Errorf("the leaderboard is %q", m.Head)
	}
	m := anna.Asks("/leaderboard")
	menu := anna.Sends(bare.PressOn(t, chat.Reply{Private: &m}, "Game…")).Private
	if !strings.Contains(fmt.Sprint(menu.Buttons), "school") {
		t.Errorf("other leaderboards are %v", menu.Buttons)
	}
	h.Sound()

	anna.Writes("/either pot dice=2") // the same with the pool as a rule of their own
	anna.Writes("/house save pot")
	for of, want := range map[string]bool{"school": false, "pot": true} {
		if m := anna.Asks("/leaderboard " + of); strings.Contains(m.Head, of+", November: 1 game") != want {
			t.Errorf("where %s says how to settle, the leaderboard of %s is %q", "pot", of, m.Head)
		}
	}
	menu = anna.Sends(bare.PressOn(t, chat.Reply{Private: &m}, "Game…")).Private
	if text := fmt.Sprint(menu.Buttons); strings.Contains(text, "school") || !strings.Contains(text, "pot") {
		t.Errorf("other leaderboards are %v", menu.Buttons)
	}
}

// What is agreed on about the settlement of a lobby stays where other rules are chosen by a name.
func TestRulesWithANameLeaveTheSettlement(t *testing.T) {
	h := bare.New(t, sets.Kniffel())
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/kniffel further=50")
	anna.Writes("/house save Friday")
	anna.Writes("/kniffel point=2")
	anna.Writes("/house save Points")
	for _, c := range []struct {
		line  string
		want  string
		named bool
		stake int64
	}{
		{"/kniffel Friday 5", "map[further:50 settle:pool]", true, 5},
		{"/kniffel Friday", "map[further:50 settle:pool]", true, 5},
		{"/yahtzee", "map[further:100 joker:forced settle:pool]", false, 5},
		{"/kniffel Points", "map[further:50 point:2]", true, 0}, // with which no pool goes
		{"/yahtzee", "map[further:100 joker:forced point:2]", false, 0},
		{"/kniffel Friday", "map[further:50]", true, 0}, // what was agreed on was for other rules
		{"/kniffel Friday settle=pool", "map[further:50 settle:pool]", true, 10},
		{"/kniffel Friday settle=difference", "map[further:50]", true, 0},
	} {
		r := anna.Writes(c.line)
		at := anna.Table()
		if got := fmt.Sprint(at.Rules); got != c.want || at.HouseRules > 0 != c.named || at.Stake != c.stake {
			t.Errorf("%s: %q, rules %s, of house rules %d, stake %d", c.line, r.Toast, got, at.HouseRules, at.Stake)
		}
	}
}

// bothWays is a house in which games of both settlements were played: for 10 chips, for fun, for a point of 5 and for
// points alone, by Anna, Ben and Clara.
func bothWays(t *testing.T) (*bare.House, []*bare.Person) {
	h := bare.New(t, either.Game{})
	h.Seeds = bare.Constant(3)
	h.Restart()
	people := []*bare.Person{h.Person("Anna"), h.Person("Ben"), h.Person("Clara")}
	for i, line := range []string{"/either 10", "/either pool 0", "/either point=5", "/either"} {
		people[0].Writes(line)
		people[1].Presses("Sit down")
		people[2].Presses("Sit down")
		for _, p := range people {
			p.Writes(fmt.Sprintf("/luck %s%d", p.Name, i))
		}
		people[0].Sends(fmt.Sprintf("1:%d:0:!start", i+1))
		bare.ThrowOut(people)
		if table := people[0].Table(); table.State != store.Over {
			t.Fatalf("%s: the table is %s", line, table.State)
		}
		h.Sound()
	}
	return h, people
}

func TestBothSettlementsAreBooked(t *testing.T) {
	h, people := bothWays(t)
	sums := map[string]int64{}
	for i, line := range h.Export(review.Wanted{}) {
		r, err := record.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if faults := record.Verify(r, []games.Game{either.Game{}}); len(faults) > 0 {
			t.Errorf("%q", faults)
		}
		want := [...]string{`"pool":`, `"pool":0}`, `"settlement":`, `"difference":`}[i]
		if !strings.Contains(line, want) || !strings.Contains(line, `"total":`) || strings.Contains(line, `"score":`) ||
			strings.Contains(line, `"stake":`) != (i < 2) || strings.Contains(line, `"rounding":"turned"`) != (i == 2) {
			t.Errorf("game %d is recorded as %s", i+1, line)
		}
		for seat, row := range r.Result {
			sums[r.Seats[seat].Name] += row.Amount()
		}
	}
	for _, p := range people {
		h.Balance("player:test:"+p.Name, sums[p.Name])
	}
	h.Balance("box", -sums["Anna"]-sums["Ben"]-sums["Clara"])
}

// TestTheRulesOfAResultAreNotExchanged: what is stored of a pool does not pass for differences, nor the other way
// round.
func TestTheRulesOfAResultAreNotExchanged(t *testing.T) {
	for statement, want := range map[string]string{
		`UPDATE tables SET rules = '{}' WHERE id = 1`:                                    "it settles differences, not a pool",
		`UPDATE tables SET rules = '{"settle":"pool"}' WHERE id = 4`:                     "it is played for a pool",
		`UPDATE results SET difference_n = NULL, difference_d = NULL WHERE table_id = 4`: "it settles differences",
		`UPDATE tables SET turned = TRUE WHERE id = 4`:                                   "it cannot be rounded",
	} {
		h, _ := bothWays(t)
		h.Tamper(statement)
		faults, err := h.Bot.Check(context.Background(), nil)
		if err != nil || !strings.Contains(strings.Join(faults, "\n"), want) {
			t.Errorf("%s: %q, %v", statement, faults, err)
		}
	}
}

func TestLeaderboardsOfBothSettlements(t *testing.T) {
	_, people := bothWays(t)
	anna := people[0]
	const below = `
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`
	for line, transcript := range map[string]string{
		"/leaderboard": `
Pools in chips, November: 2 games.
1. Ben +20 · 1 of 2 won
2. Anna −10 · 1 of 2 won ← you
2. Clara −10 · 0 of 2 won
[All time][Either]`,
		"/leaderboard rank=difference": `
Difference to the average, November: 2 games.
1. Ben +4 · 2 of 2 won
2. Clara −1 · 0 of 2 won
3. Anna −3 · 0 of 2 won ← you
[All time][Pools]`,
		"/leaderboard rank=settled": `
Differences settled in chips, November: 1 game.
1. Ben +9 · 1 of 1 won
2. Clara −2 · 0 of 1 won
3. Anna −7 · 0 of 1 won ← you
[All time][Pools]`,
		"/leaderboard rank=won": `
Games won, November: 4 games.
1. Ben 3 · 4 games
2. Anna 1 · 4 games ← you
3. Clara 0 · 4 games
[All time][Pools]`,
		"/leaderboard rank=best": `
Best score, Either classic, November: 4 games.
1. Ben 6 · 4 games
2. Anna 3 · 4 games ← you
2. Clara 3 · 4 games
[All time][Pools]`,
	} {
		bare.Want(t, anna.Asks(line), transcript+below)
	}
	text := bare.Show(anna.Asks("/stats"))
	for _, line := range []string{"Chips won and lost: −17.\n", "Difference to the average: −3.\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("the statistics do not say %q:\n%s", line, text)
		}
	}
	if text := bare.Show(anna.Asks("/history")); !strings.Contains(text, "Either: Ben 5 · Clara 3 · Anna 2\n") ||
		!strings.Contains(text, "Either: Ben +20 · Anna −10 · Clara −10\n") {
		t.Errorf("the history says\n%s", text)
	}
}

// TestTheUsualRankingIsOneOfWhatWasPlayed: where only differences were settled, a leaderboard of the game is of those.
func TestTheUsualRankingIsOneOfWhatWasPlayed(t *testing.T) {
	for line, head := range map[string]string{
		"/either": "Difference to the average, ", "/either 5": "Pools in chips, ",
	} {
		h := bare.New(t, either.Game{})
		h.Seeds = bare.Constant(3)
		h.Restart()
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Writes(line)
		ben.Presses("Sit down")
		anna.Writes("/luck swan")
		ben.Writes("/luck goose")
		anna.Presses("▶ Start")
		bare.ThrowOut([]*bare.Person{anna, ben})
		if faces := anna.FacesOf(); faces[0] == faces[1] {
			t.Fatalf("both have thrown %d", faces[0])
		}
		for _, asks := range []string{"/leaderboard", "/leaderboard game=either"} {
			if got := anna.Asks(asks).Head; !strings.HasPrefix(got, head) {
				t.Errorf("%s, %s: %q", line, asks, got)
			}
		}
	}
}

// TestBoardsOfBothSettlements: what the lobby, the match and its end say, and what a rematch is about.
func TestBoardsOfBothSettlements(t *testing.T) {
	for _, c := range []struct{ opens, lobby, ends, again string }{
		{"/either 10", `
Anna opens a table: Either for 10 chips.
Anna
Ben
Pool 20 chips
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`, `
Anna wins and takes 20 chips.
Ben threw 4.
Anna 6 (+10)
Ben 4 (−10)
📦 Anna holds the box.
[↻ Rematch][Dice ✓]`, "Ben opens a table: Either for 10 chips."},
		{"/either point=5", `
Anna opens a table: Either.
Anna
Ben
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`, `
Anna wins.
Ben threw 4.
Anna 6 (+1, +5 chips)
Ben 4 (−1, −5 chips)
In brackets: the difference to the average.
[↻ Rematch][Dice ✓]`, "Ben opens a table: Either."},
	} {
		h := bare.New(t, either.Game{})
		h.Seeds = bare.Constant(3)
		h.Restart()
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Writes(c.opens)
		ben.Presses("Sit down")
		anna.Writes("/luck swan")
		ben.Writes("/luck goose")
		bare.Want(t, anna.Board(), c.lobby)
		anna.Presses("▶ Start")
		bare.ThrowOut([]*bare.Person{anna, ben})
		bare.Want(t, anna.Board(), c.ends)
		ben.Presses("↻ Rematch")
		if got := anna.Board().Head; got != c.again {
			t.Errorf("the rematch is about %q", got)
		}
	}
}

// TestWhoIsOutLosesTheStakeOfThePool: where the rules have a pool, out is what it is in other games with one.
func TestWhoIsOutLosesTheStakeOfThePool(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t, either.Game{})
		c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather("/either 10 turn=1m absent=out", "Anna",
			"Ben",
			"Clara")}
		c.People[0].Presses("▶ Start")
		stop := c.OnStage(c.Stage)
		synctest.Wait()
		c.Misses()
		bare.ThrowOut(c.People[1:])
		table := c.People[0].Table()
		if table.State != store.Over || table.Seats[0].Absence != store.Out {
			t.Fatalf("the table is %s, the seats are %+v", table.State, table.Seats)
		}
		if rows := c.Results(table.ID); rows[0].Pool != -10 || rows[0].Place != 3 || rows[0].Difference.D != 0 {
			t.Errorf("who is out has %+v", rows[0])
		}
		c.Verified()
		stop()
	})
}
