package web

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

// timeLeft is the part of a board that counts.
const timeLeft = `document.querySelector(".board .deadline time")`

// runsOut lets somebody's turn run out, by the clock that their bot keeps, and
// little by little: a bot that is woken late believes that it was away. It goes on
// no longer than the page says: else a page that is slow would have the next turn
// run out, too.
func runsOut(tab *tab, clock *fakes.Clock, name string) {
	tab.t.Helper()
	tab.until(mover + ` === ` + quoted(name) + ` && Boolean(` + timeLeft + `) && ` + rested)
	still := `new Promise((done) => requestAnimationFrame(() => done(` + mover + ` === ` + quoted(name) + ` ? Number(` +
		timeLeft + `?.dataset.at ?? 1) : 0)))`
	for late := time.Now().Add(fakes.Patience); time.Now().Before(late); {
		at := ask[int64](tab, still) // in seconds, rounded down
		if at == 0 {
			return
		}
		if clock.Now().Unix() <= at {
			clock.Advance(2 * time.Second)
		}
	}
	tab.t.Fatalf("the turn of %s does not run out:\n%s", name, ask[string](tab, `document.body.innerText`))
}

// Two at one screen, with two minutes for each turn: the time that is left counts,
// the house plays for who lets it run out, and who has missed two turns is away
// until they say that they are back.
func absentAndBack(t *testing.T, tab *tab) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New())
	clock := fakes.NewClockAt(time.Now(), false)
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, clock)
	twoBegin(tab, url, "/shutbox 10 turn=2m match=rounds:9")

	// not quite two minutes
	tab.until(`Boolean(` + timeLeft + `) && ` + timeLeft + `.textContent.endsWith("seconds") && ` + rested)
	line := ask[string](tab, `document.querySelector(".board .deadline").textContent`)
	if !strings.HasPrefix(line, "Anna plays, or the house in ") || !strings.HasSuffix(line, " seconds.") {
		t.Errorf("the time left is told as %q", line)
	}
	tab.until(timeLeft + `.textContent !== ` + quoted(ask[string](tab, timeLeft+`.textContent`))) // by itself
	seen(t, tab, "time-left")

	for _, name := range []string{"Anna", "Ben", "Anna"} {
		runsOut(tab, clock, name)
	}
	tab.until(mover + ` === "Ben" && ` + rested)
	if text := ask[string](tab, `document.querySelector(".board").innerText`); !strings.Contains(text, "away") ||
		!strings.Contains(text, "missed a turn") {
		t.Errorf("who has missed one turn, and who two, is not told:\n%s", text)
	}
	seen(t, tab, "away")
	tab.press(labelled("I'm back"))
	tab.until(`!Boolean(` + labelled("I'm back") + `) && ` + rested)
	for ask[string](tab, mover) == "Ben" {
		before := ask[string](tab, `document.querySelector(".board").innerText`)
		clock.Advance(time.Second) // nobody taps twice
		tab.press(next)
		tab.until(`document.querySelector(".board").innerText !== ` + quoted(before) + ` && ` + rested)
	}
	tab.until(mover + ` === "Anna" && Boolean(` + timeLeft + `)`) // nobody plays for her any more
}
