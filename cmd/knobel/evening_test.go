package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // for tests that open the database themselves

	"knobel/bot/chat"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/store"
)

// The people of an evening. What they call themselves is their own business.
const (
	anna chat.User = "telegram:11"
	ben  chat.User = "telegram:12"
	cleo chat.User = "discord:13"
)

var called = map[chat.User]string{anna: "Anna <b>&amp;", ben: "Ben @everyone", cleo: "Cléo 🎲"}

// evening fills a database with what an evening leaves behind: evening FILE.
// Table 1 is over, in a Telegram group; table 2 is over, in a Discord server;
// table 3 was ended before its time; table 4 goes on in the group.
func evening(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: evening FILE")
	}
	ctx := context.Background()
	ts.Check(playing(ctx, named(ts, args[0]), func(b *wiring.Bot) error {
		group := &gathering{bot: b, chat: "telegram:-1001", place: "telegram:-1001"}
		server := &gathering{bot: b, chat: "discord:77", place: "discord:77/1"}
		group.open(ctx, "7", anna, ben)
		group.play(ctx, 1000)
		server.counts(ctx, cleo)
		server.open(ctx, "5 golf tiles=4", cleo)
		server.play(ctx, 1000)
		group.open(ctx, "3 golf", ben, anna)
		group.play(ctx, 2)
		group.do(ctx, chat.Event{User: ben, Command: "abandon"})
		group.do(ctx, chat.Event{User: anna, Press: group.button(ctx, "!vote yes")})
		group.open(ctx, "4 golf tiles=12", anna, ben)
		group.play(ctx, 1)
		return errors.Join(group.err, server.err)
	}))
}

// named is the name of a database: an address, or a file in the folder of a script.
func named(ts *testscript.TestScript, said string) string {
	if store.IsFile(said) {
		return ts.MkAbs(said)
	}
	return said
}

// playing opens a database for a bot and closes it after use.
func playing(ctx context.Context, file string, use func(*wiring.Bot) error) (err error) {
	st, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return use(b)
}

// gathering is people in one place. The first thing that goes wrong ends it.
type gathering struct {
	bot   *wiring.Bot
	chat  chat.Chat
	place chat.Place
	table int64
	err   error
}

// do handles an event, which must not be refused.
func (g *gathering) do(ctx context.Context, e chat.Event) {
	if g.err != nil {
		return
	}
	e.Chat, e.Place, e.Name, e.Typed = g.chat, g.place, called[e.User], true // so that no press is a double tap
	reply := g.bot.Handle(ctx, e)
	if reply.Refused {
		g.err = fmt.Errorf("%s%s: %s", e.Command, e.Press, reply.Toast)
	}
	if reply.Board != 0 {
		g.table = reply.Board
	}
}

// counts has what one person plays with the house count in the chat.
func (g *gathering) counts(ctx context.Context, admin chat.User) {
	may := func(context.Context) bool { return true }
	g.do(ctx, chat.Event{User: admin, Admin: may, Command: "settings", Text: "alone=counts"})
}

// open opens a table, seats people and the house, and starts.
func (g *gathering) open(ctx context.Context, text string, people ...chat.User) {
	g.do(ctx, chat.Event{User: people[0], Command: "shutbox", Text: text})
	for _, u := range people[1:] {
		g.do(ctx, chat.Event{User: u, Press: chat.LobbyPress(chat.Message{Table: g.table}, "join")})
	}
	g.do(ctx, chat.Event{User: people[0], Press: chat.LobbyPress(chat.Message{Table: g.table}, "house fewest")})
	g.do(ctx, chat.Event{User: people[0], Press: chat.LobbyPress(chat.Message{Table: g.table}, "start")})
}

// play presses the first button so often, or until the game is over.
func (g *gathering) play(ctx context.Context, presses int) {
	for range presses {
		m := g.board(ctx)
		at := -1
		for i, p := range m.People {
			if p.State == games.ToMove {
				at = i
			}
		}
		if g.err != nil || at < 0 {
			return
		}
		g.do(ctx, chat.Event{User: m.People[at].User, Press: m.Buttons[0][0].Press})
	}
}

// button is the first button that asks for something.
func (g *gathering) button(ctx context.Context, what string) string {
	for _, b := range slices.Concat(g.board(ctx).Buttons...) {
		if strings.HasSuffix(b.Press, ":"+what) {
			return b.Press
		}
	}
	return ""
}

// board is the newest board of the table.
func (g *gathering) board(ctx context.Context) (board chat.Message) {
	err := g.bot.Draw(ctx, g.table, false, func(_ context.Context, m chat.Message, _ chat.Ref) (chat.Ref, error) {
		board = m
		return chat.Ref(g.place) + "/1", nil
	})
	g.err = errors.Join(g.err, err)
	return board
}

// tamper changes a database behind everybody's back: tamper FILE SQL.
func tamper(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tamper FILE SQL")
	}
	name, driver := named(ts, args[0]), "sqlite"
	if !store.IsFile(name) {
		driver = "pgx"
	}
	db, err := sql.Open(driver, name)
	ts.Check(err)
	defer db.Close()
	done, err := db.Exec(args[1])
	ts.Check(err)
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		ts.Fatalf("%s changes nothing (%v)", args[1], err)
	}
}
