package web

import (
	"context"
	"log/slog"
	"math/rand/v2"
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
		Listen: listen, Key: make([]byte, 32), Log: log,
		Store: db,
		Words: said, Listening: func(url string) { at <- url },
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

// next returns the first button that advances the game.
const next = `(() => {
	const board = [...document.querySelectorAll(".board:not(.over)")].at(-1);
	const buttons = [...board.querySelectorAll(".buttons button")];
	return buttons.find((b) => b.className === "primary") ?? buttons.find((b) => !b.textContent.includes("✓"));
})()`
