package web

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/review"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// open serves the browser table with a real bot on a real database. What it
// returns closes both and gives the file, to be opened again.
func open(t *testing.T, file string, listen string) (url string, closeAll func()) {
	t.Helper()
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New())
	return openIn(t, file, listen, said)
}

// openIn is open with words of other languages.
func openIn(t *testing.T, file string, listen string, said *words.Words) (url string, closeAll func()) {
	t.Helper()
	return openAt(t, file, listen, said, &fakes.Restless{})
}

// openAt is openIn with a clock for the bot, and with more games.
func openAt(t *testing.T, file string, listen string, said *words.Words, clock chat.Clock,
	more ...games.Game) (url string, closeAll func()) {
	t.Helper()
	db, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	all := append([]games.Game{shutbox.Game{}, wuerfelpoker.New()}, more...)
	log := slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	alike := rand.NewChaCha8([32]byte{1}) // the dice fall alike in every run
	b := wiring.New(bot.Config{Store: db, Games: all, Words: said, Log: log, Clock: clock, Same: Same, Rand: alike})
	at := make(chan string, 1)
	w := New(Config{
		Listen: listen, Key: make([]byte, 32), Log: log, Words: said, Listening: func(url string) { at <- url },
		Record: func(ctx context.Context, chat chat.Chat, table int64) (line []byte, err error) {
			err = b.Export(ctx, review.Wanted{Chat: chat, Table: table}, func(r record.Record) error {
				line, err = r.Encode()
				return err
			})
			return line, err
		},
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { b.Run(ctx, w) })
	closeAll = sync.OnceFunc(func() {
		stop()
		running.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(closeAll)
	return <-at, closeAll
}

// testLog writes a log to a test's.
type testLog struct{ t *testing.T }

func (l testLog) Write(line []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(line)))
	return len(line), nil
}

// next is the button that somebody presses who always takes the first way on.
const next = `(() => {
	const board = [...document.querySelectorAll(".board:not(.over)")].at(-1);
	const buttons = [...board.querySelectorAll(".buttons button")];
	return buttons.find((b) => b.className === "primary") ?? buttons.find((b) => !b.textContent.includes("✓"));
})()`

// A stranger who reads nothing opens a table, sits two people down, adds the
// house, plays to the end, sees the pool paid, checks the dice, and finds it
// all there after a restart.
func strangerPlays(t *testing.T, tab *tab) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	url, closeAll := open(t, file, "127.0.0.1:0")
	annaComes(tab, url)
	got := ask[string](tab, `document.querySelector("label.stake").firstChild.textContent`)
	if got != "Stake (Shut the Box)" {
		t.Errorf("%q stands beside a game without a stake, too", got)
	}
	tab.press(labelled("New table of Shut the Box"))
	tab.until(`document.querySelector(".seat .name")?.textContent.includes("Anna")`)

	benSitsDown(tab)
	tab.press(labelled("+ House …"))
	tab.press(`[...document.querySelectorAll(".buttons button")].find((b) => b.textContent.startsWith("+ "))`)
	tab.until(`document.querySelectorAll(".seat").length === 3`)
	tab.press(labelled("⚙ Rules"))
	tab.press(labelled("Stake +"))
	tab.until(`document.querySelector(".board").textContent.includes("for 20 chips")`) // presses in flight are in no order
	tab.press(labelled("Back"))
	tab.until(`[...document.querySelectorAll(".seat")].some((s) => s.textContent.includes("to agree"))`)
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		tab.picture(fmt.Sprintf("lobby-%d-%s", width, theme))
	})
	tab.press(labelled("Agree")) // which is for Ben, whoever is chosen
	tab.until(`![...document.querySelectorAll(".seat")].some((s) => s.textContent.includes("to agree"))`)
	tab.press(labelled("▶ Start"))
	playOn(t, tab)

	text := ask[string](tab, `document.querySelector(".board.over").innerText`)
	paid := 0
	for _, sign := range []string{"(+", "(−"} {
		paid += strings.Count(text, sign)
	}
	if paid != 3 || !strings.Contains(text, "chips") {
		t.Errorf("the pool is not seen paid:\n%s", text)
	}
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		tab.picture(fmt.Sprintf("over-%d-%s", width, theme))
	})

	leaderboardIsRead(t, tab)
	tab.look(390, "light")
	tab.press(labelled("Check the dice"))
	tab.until(`document.querySelector(".judged.right")?.textContent.includes("As sealed")`)
	tab.picture("fair-390-light")

	tab.press(labelled("Back to the room"))
	tab.until(`document.querySelector(".board.over")`)
	closeAll()
	tab.until(`document.getElementById("away").checkVisibility()`)
	open(t, file, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	tab.until(`!document.getElementById("away").checkVisibility() && document.querySelectorAll(".board.over").length === 1`)
	tab.press(labelled("↻ Rematch"))
	tab.until(`[...document.querySelectorAll(".board")].at(-1).textContent.includes("Sit down")`)
	privacyIsRead(t, tab, "Ben")
}

// playOn presses the first way on until the game is over, with a picture of
// a board with dice.
func playOn(t *testing.T, tab *tab) {
	t.Helper()
	pictured := false
	for range 200 {
		before := ask[string](tab, `[...document.querySelectorAll(".board")].at(-1).innerText`)
		tab.press(next)
		// Where the house brings the end, there is nothing to press until it is shown.
		tab.until(`document.querySelector(".board.over") || Boolean(` + next + `) &&
			[...document.querySelectorAll(".board")].at(-1).innerText !== ` + quoted(before))
		if ask[bool](tab, `Boolean(document.querySelector(".board.over"))`) {
			return
		}
		if !pictured && ask[bool](tab,
			`document.querySelectorAll(".board .tile[data-state=shut]").length > 1 && document.querySelectorAll(".board .die").length > 0`) {
			pictured = true
			everyLook(func(width int64, theme string) {
				tab.look(width, theme)
				tab.picture(fmt.Sprintf("play-%d-%s", width, theme))
			})
			tab.look(390, "light")
		}
	}
	t.Fatal("the game does not end")
}
