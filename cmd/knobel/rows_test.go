package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

func absentIsPlayedFor(c *company) {
	c.sit("/shutbox stake=5 turn=1m")
	before := c.carried(":throw 2")
	c.later("Anna is played for", time.Hour, func() bool { return c.carried(":throw 2") != before })
}

func stakesComeBack(c *company) {
	c.sit("/shutbox stake=5")
	c.write(0, "/abandon")
	c.press(0, ":!end yes")
	c.says(c.shows("+5"), "Anna", "Ben")
}

func diceAreProved(c *company) {
	c.says(c.write(0, quick), "Dice seal")
	c.press(1, ":!join")
	c.shows("Ben")
	c.press(0, ":!start")
	c.until("the game has begun", func() bool { return c.carried(":throw 2") != "" })
	c.says(c.write(1, "/fair"), "Seal", "secret until the game is over")
	c.write(0, "/table")
	c.finish()
	c.says(c.write(1, "/fair"), "Seed:", "ask whoever runs this bot for the record")
}

func deadGameIsEnded(c *company) {
	c.sit("/shutbox stake=5")
	c.says(c.write(2, "/abandon"), "Ask Anna, an admin or most of those seated to end it.")
	c.write(1, "/abandon") // he sits there, and did not open it
	c.says(c.shows("To end this table: Ben, 1 of 2 votes."), "Ended now, everybody gets 5 chips back.")
	if c.carried(":throw 2") == "" {
		c.Error("who goes on playing cannot")
	}
	c.press(0, ":!vote yes")
	c.shows("Everybody has their 5 chips again.")

	c.sit("/shutbox stake=7")
	c.write(0, "/abandon") // she opened it
	c.says(c.shows("End this table?"), "Ended now, everybody gets 7 chips back.")
	c.press(0, ":!end yes")
	c.shows("Everybody has their 7 chips again.")
	if balances := c.balances(); slices.ContainsFunc(balances, func(n int64) bool { return n != 0 }) {
		c.Errorf("the books say %v", balances)
	}
}

func restartLosesNothing(c *company) {
	c.sit("/shutbox stake=5")
	old := c.carried(":throw 2")
	c.end()
	c.begin()
	c.press(0, ":throw 2")
	c.until("the old button counts", func() bool { return c.carried(":throw 2") != old })
}

func leaderboardsOfEveryTime(c *company) {
	c.sit(quick)
	c.finish()
	for _, period := range []string{"week", "month", "all", "evening"} {
		c.says(c.write(2, "/leaderboard period="+period), "Anna", "Ben", "1 game")
	}
	c.says(c.write(1, "/season"), "There is no season yet")
}

func oneMessage(c *company) {
	c.sit(quick)
	c.finish()
	if _, messages := c.board(); messages != 1 {
		c.Errorf("one table has left %d messages", messages)
	}
}

func placesApart(c *company) {
	c.sit("/shutbox stake=5")
	here := c.venue
	c.venue = here.elsewhere()
	c.sit(quick)
	c.finish()
	if here.carried(":throw 2") == "" {
		c.Error("what is played in one place has moved the table of another")
	}
}

func rematchByOnePress(c *company) {
	c.sit(quick)
	c.finish()
	c.twice(0, 0, ":!rematch")
	c.says(c.shows("reserved"), "Anna", "Ben", "5 chips") // he has not said that he plays
	c.press(1, ":!join")
	c.until("Ben sits there", func() bool { text, _ := c.board(); return !strings.Contains(text, "reserved") })
	c.press(0, ":!start")
	c.until("the game has begun", func() bool { return c.carried(":throw 2") != "" })
	c.until("the game of before offers no rematch any more", func() bool { return c.carried(":!rematch") == "" })
	c.finish()
	c.twice(0, 1, ":!rematch")
	c.says(c.shows("opens a table"), "Anna", "Ben")
	c.until("both sit there", func() bool { text, _ := c.board(); return !strings.Contains(text, "reserved") })
	if n := c.tables(); n != 3 {
		c.Errorf("two presses at once, twice, have made of one table %d", n)
	}
}

func choiceIsTakenBack(c *company) {
	c.sit("/wuerfelpoker order=free")
	c.press(0, ":throw")
	c.press(0, ":!show write")
	c.until("rows are shown", func() bool { return c.carried(":write chance") != "" })
	c.press(0, ":write chance")
	c.shows("Chance")
	c.press(0, ":!undo")
	c.until("it is taken back", func() bool { text, _ := c.board(); return !strings.Contains(text, "wrote Chance") })
}

func groupMayGrow(c *company) {
	v, ok := c.venue.(*inGroup)
	if !ok {
		return // a Discord server never becomes another
	}
	v.group = v.server.Group("Friends")
	c.sit("/shutbox stake=5")
	old := c.carried(":throw 2")
	v.group = v.group.Upgrade(telegramtest.OldFirst)
	c.until("the table is there", func() bool { return c.carried(":throw 2") != "" })
	c.press(0, ":throw 2")
	c.until("the game goes on", func() bool { return c.carried(":throw 2") != old })
}

func callsAreChosen(c *company) {
	c.says(c.write(1, "/notify"), "call")
	c.sit("/shutbox stake=5 turn=10m match=rounds:2")
	c.later("Anna is called", 4*time.Minute, func() bool { return c.calls(0) == 1 })
	c.press(0, ":throw 2")
	c.until("the call is gone, and the board that changes calls nobody", func() bool { return c.calls(0)+c.calls(1) == 0 })
	c.later("the rest of Anna's turn is played for her", time.Hour, func() bool { return c.table().Seats[0].Missed == 1 })
	c.later("so is Ben's", time.Hour, func() bool { return c.table().Seats[1].Missed == 1 })
	c.later("Anna is called again", 4*time.Minute, func() bool { return c.calls(0) == 1 })
	c.write(0, "/notify calls=off")
	c.until("the call is gone", func() bool { return c.calls(0) == 0 })
	c.later("Anna is away", 2*time.Hour, func() bool { // for the second time she has not played
		if c.calls(0) > 0 {
			c.Fatal("Anna is called who wants none")
		}
		return c.table().Seats[0].Absence == store.Gone
	})
	c.clock.advance(time.Minute) // of the ten that Ben has
	c.until("Ben is called, who wants it, and nobody else", func() bool { return c.calls(1) == 1 && c.calls(0) == 0 })
}

// table is the first table.
func (c *company) table() (t store.Table) {
	c.Helper()
	c.reads(func(tx *store.Tx) (err error) {
		t, err = tx.Table(1)
		return err
	})
	return t
}

func settlingSaysWhy(c *company) {
	c.sit(quick)
	c.finish()
	if told := c.write(0, "/settle"); strings.Contains(told, "→") {
		c.says(told, "1 payment brings everybody to zero", "Anna", "Ben")
		c.says(c.write(0, "/settle what=why_Ben"), "table 1", "Shut the Box")
	} else {
		c.says(told, "Nobody owes")
	}
}

func privacyIsKept(c *company) {
	c.sit(quick)
	c.finish()
	c.says(c.write(1, "/privacy"), "What I keep of you", "/forget")
	c.write(1, "/leaderboard me=hide")
	if told := c.write(0, "/leaderboard"); strings.Contains(told, "Ben") {
		c.Errorf("Ben is hidden, and on the list:\n%s", told)
	}
	c.write(1, "/leaderboard me=show")

	c.write(1, "/mydata")
	c.until("Ben has his file", func() bool { return c.file(1) != nil })
	c.says(string(c.file(1)), `"name": "Ben"`, c.id(1))
	if told := c.alone(0) + string(c.file(0)); strings.Contains(told, c.id(1)) {
		c.Errorf("Anna reads of Ben\n%s", told)
	}
	if !c.holds("Ben") || !c.holds(c.id(1)) {
		c.Error("what is to be forgotten cannot be found before")
	}
	before := c.balances()
	c.write(1, "/forget")
	own := fnv.New32a()
	own.Write([]byte(c.id(1)))
	c.press(1, fmt.Sprintf("/forget yes %08x", own.Sum32()))
	c.later("name and id are gone from the file", 2*time.Hour, func() bool { return !c.holds("Ben") && !c.holds(c.id(1)) })
	if after := c.balances(); !slices.Equal(after, before) || len(after) < 2 {
		c.Errorf("the balances were %v and are %v", before, after)
	}
	told := c.write(0, "/leaderboard")
	c.says(told, "Anna", "1 game")
	if strings.Contains(told, "Ben") {
		c.Errorf("Ben is forgotten, and on the list:\n%s", told)
	}
}

func permissionIsNamed(c *company) {
	c.sit("/shutbox stake=5")
	c.deny()
	c.lacks()
}

func houseFillsASeat(c *company) {
	c.write(0, quick)
	c.press(0, ":!page houses")
	c.press(0, ":!house fewest")
	c.shows("House")
}

func houseRulesHaveNames(c *company) {
	c.write(0, "/shutbox stake=5 tiles=10")
	c.says(c.write(0, "/house what=save_Friday"), "Friday")
	c.says(c.write(1, "/house"), "Friday")
}

func seatIsHandedOver(c *company) {
	c.sit("/shutbox stake=5")
	c.write(1, "/handover")
	c.press(2, ":!take 1")
	c.press(0, " 1") // to let Clara sit there
	c.says(c.shows("Clara"), "Anna")
	c.press(0, ":throw 2")
	c.until("the same game goes on", func() bool { return c.carried(":throw 2") == "" || c.heard("Anna threw") })
}

func twoPressesOneMove(c *company) {
	c.sit("/shutbox stake=5")
	data := c.carried(":throw 2")
	told := c.twice(0, 0, ":throw 2")
	c.until("the board moves on", func() bool { return c.carried(data) == "" })
	for _, text := range told {
		if text != "" && !strings.Contains(text, "Anna threw") && text != "The table has moved on. Look at the newest board." {
			c.Errorf("one of two presses at once is answered %q", text)
		}
	}
	if told[0] == told[1] && strings.Contains(told[0], "moved on") {
		c.Error("both presses are refused")
	}
	moves, _ := c.first()
	if len(moves) != 1 || len(moves[0].Dice) != 2 {
		c.Errorf("two presses at once are the moves %+v", moves)
	}
}

func languageOfTheGroup(c *company) {
	c.write(0, "/shutbox stake=5")
	c.says(c.write(0, "/language language=Deutsch"), "Deutsch")
	c.write(0, "/table")
	c.shows("macht einen Tisch auf")
}

func oneFileAtHome(c *company) {
	c.sit(quick)
	c.finish()
	c.end()
	c.begin()
	c.says(c.write(1, "/leaderboard"), "Anna", "Ben", "1 game")
	fromNothing(c)
}

// fromNothing has the program serve a place from an empty folder.
func fromNothing(c *company) {
	c.Helper()
	folder := c.TempDir()
	there, env := c.alike()
	program := launchIn(c.T, folder, "knobel", env)
	c.venue = there
	c.listens()
	c.write(0, quick)
	c.press(1, ":!join")
	c.shows("Ben")
	program.leave()
	if _, err := os.Stat(filepath.Join(folder, "knobel.db")); err != nil {
		c.Errorf("what it keeps is not in its folder: %v", err)
	}
}

func readableByEverybody(c *company) {
	c.sit("/shutbox stake=5")
	text, _ := c.board()
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	c.says(first, "Anna is to throw")
	if n := utf8.RuneCountInString(text); n > 500 {
		c.Errorf("a board of %d characters:\n%s", n, text)
	}
}

func luckAtTheEnd(c *company) {
	c.sit(quick)
	c.finish()
	c.until("the review is there", func() bool { text, _ := c.board(); return strings.Contains(text, "decisions ") })
	text, _ := c.board()
	_, results := c.first()
	number := regexp.MustCompile(`[+−]?\d+(\.\d)?`)
	for seat, name := range []string{"Anna", "Ben"} {
		line := regexp.MustCompile(`(?m)^` + name + `: .*dice.*$`).FindString(strings.ReplaceAll(text, `\`, ""))
		sum := 0.0
		for _, n := range number.FindAllString(line, -1) {
			part, err := strconv.ParseFloat(strings.ReplaceAll(n, "−", "-"), 64)
			if err != nil {
				c.Fatal(err)
			}
			sum += part
		}
		if pool := float64(results[seat].Pool); line == "" || math.Abs(sum-pool) > 1e-9 {
			c.Errorf("%s has won %v, and %q adds up to %v:\n%s", name, pool, line, sum, text)
		}
	}
}

// balances are those of everybody in the books, the lowest first.
func (c *company) balances() (all []int64) {
	c.Helper()
	c.reads(func(tx *store.Tx) error {
		t, err := tx.Table(1)
		if err != nil {
			return err
		}
		parties, err := tx.Parties(t.Chat, t.Unit)
		all = nil
		for _, p := range parties {
			all = append(all, p.Balance)
		}
		return err
	})
	slices.Sort(all)
	return all
}

// tables is how many there have ever been.
func (c *company) tables() (n int) {
	c.Helper()
	c.reads(func(tx *store.Tx) error {
		return tx.Tables(func(int64) error {
			n++
			return nil
		})
	})
	return n
}

// first are the moves and results of the first table.
func (c *company) first() (moves []store.Move, results []store.Result) {
	c.Helper()
	c.reads(func(tx *store.Tx) (err error) {
		if moves, err = tx.Moves(1); err != nil {
			return err
		}
		results, err = tx.Results(1)
		return err
	})
	return moves, results
}

func (c *company) reads(read func(*store.Tx) error) {
	c.Helper()
	if err := c.store.View(context.Background(), read); err != nil {
		c.Fatal(err)
	}
}
