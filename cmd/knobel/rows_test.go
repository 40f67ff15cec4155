package main

import (
	"strings"
	"sync"
	"unicode/utf8"

	"knobel/bot/telegram/telegramtest"
)

func absentIsPlayedFor(c *company) {
	c.sit("/shutbox stake=5 turn=1m")
	before := c.carried(":throw 2")
	c.later("Anna is played for", func() bool { return c.carried(":throw 2") != before })
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
	c.says(c.write(1, "/fair"), "Seed:", "knobel verify")
}

func deadGameIsEnded(c *company) {
	c.sit("/shutbox stake=5")
	if told := c.write(2, "/abandon"); !strings.Contains(told, "Anna") {
		c.Errorf("Clara, who does not sit there, reads %q", told)
	}
	c.write(0, "/abandon")
	c.press(0, ":!end yes")
	c.shows("before its time")
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
	c.press(0, ":!rematch")
	c.says(c.shows("reserved"), "Anna", "Ben", "5 chips")
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
	c.sit("/shutbox stake=5 turn=10m")
	c.later("Anna is called", func() bool { return c.heard("it is your turn") })
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
	c.says(c.shows("Clara"), "Anna")
	c.press(0, ":throw 2")
	c.until("the same game goes on", func() bool { return c.carried(":throw 2") == "" || c.heard("Anna threw") })
}

func twoPressesOneMove(c *company) {
	c.sit("/shutbox stake=5")
	data := c.carried(":throw 2")
	var told [2]string
	var both sync.WaitGroup
	for i := range told {
		both.Go(func() { told[i] = c.attempt(0, data) })
	}
	both.Wait()
	late := 0
	for _, text := range told {
		if strings.Contains(text, "moved on") {
			late++
		}
	}
	c.until("the board moves on", func() bool { return c.carried(data) == "" })
	if late != 1 && told[0] != "" && told[1] != "" {
		c.Errorf("two presses at once are answered %q", told)
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
	c.until("the review is there", func() bool { text, _ := c.board(); return strings.Contains(text, "dice ") })
}
