package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/cmd/wiring"
	"knobel/store"
	"knobel/store/storetest"
)

// What people ask of a bot like this one, a row for each wish, as they would
// see it come true: on Discord's and on Telegram's local server alike.
var wishes = []struct {
	row   int
	name  string
	comes func(*company)
}{
	{1, "who is absent is played for, as agreed, and the time is seen", absentIsPlayedFor},
	{2, "stakes come back and add up", stakesComeBack},
	{3, "the dice can be proved", diceAreProved},
	{4, "a dead game is ended by those who may", deadGameIsEnded},
	{5, "a restart loses nothing", restartLosesNothing},
	{6, "leaderboards of every time", leaderboardsOfEveryTime},
	{7, "one message for one table", oneMessage},
	{8, "places do not know each other", placesApart},
	{9, "a rematch by one press", rematchByOnePress},
	{10, "a choice is taken back", choiceIsTakenBack},
	{11, "a group may grow", groupMayGrow},
	{12, "a call, and no call for who wants none", callsAreChosen},
	{13, "settling up says why", settlingSaysWhy},
	{14, "privacy", privacyIsKept},
	{15, "a missing permission has its name", permissionIsNamed},
	{16, "the house fills a seat", houseFillsASeat},
	{17, "house rules have names", houseRulesHaveNames},
	{18, "a seat is handed over, never dealt anew", seatIsHandedOver},
	{19, "two presses are one move", twoPressesOneMove},
	{20, "the language of the group", languageOfTheGroup},
	{21, "one file at home keeps everything", oneFileAtHome},
	{22, "readable by everybody", readableByEverybody},
	{23, "luck and decisions at the end", luckAtTheEnd},
}

func TestUsers(t *testing.T) {
	for _, platform := range []struct {
		name string
		open func(*testing.T, *company) venue
	}{{"Discord", onDiscord}, {"Telegram", onTelegram}} {
		t.Run(platform.name, func(t *testing.T) {
			for _, w := range wishes {
				t.Run(fmt.Sprintf("%d %s", w.row, w.name), func(t *testing.T) {
					t.Parallel()
					c := &company{T: t, kept: storetest.Empty(t), clock: &leap{}}
					c.venue = platform.open(t, c)
					c.begin()
					t.Cleanup(func() { c.end() })
					w.comes(c)
				})
			}
		})
	}
}

// Every wish keeps its number, so that none is lost unseen.
func TestEveryWishHasItsNumber(t *testing.T) {
	for i, w := range wishes {
		if w.row != i+1 {
			t.Errorf("wish %d is the %d. of the list", w.row, i+1)
		}
	}
	if len(wishes) < 23 {
		t.Errorf("%d wishes are left of 23", len(wishes))
	}
}

// leap is the system's clock, some time ahead. Whoever waits looks often.
type leap struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (l *leap) Now() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Add(l.ahead)
}

func (l *leap) After(d time.Duration) <-chan time.Time {
	return time.After(min(d, 100*time.Millisecond))
}

func (l *leap) advance(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ahead += d
}

// venue is a platform as those see it who play there: 0 is Anna, an admin; 1 is
// Ben; 2 is Clara.
type venue interface {
	platform() chat.Platform
	// alike is an empty place of the same kind, with the real time, and the
	// environment of a bot that has nothing but a token there.
	alike() (there venue, env []string)
	listens()
	// write sends a command and returns what is told.
	write(who int, command string) string
	// press presses the newest button that carries this at its end, and returns
	// what is told; "" where the board alone changes.
	press(who int, ends string) string
	// attempt is press where the button is there, else it does nothing.
	attempt(who int, ends string) string
	// heard reports whether a message that stands there says something.
	heard(part string) bool
	// lacks has the bot say what it may not do, to Anna alone.
	lacks()
	// twice has two press the same button at once, and returns what each is told.
	twice(one, other int, ends string) [2]string
	// calls is how many messages that stand there notify somebody.
	calls(who int) int
	// id is somebody's, as the bot spells it.
	id(who int) string
	// file is the newest file that somebody has been given alone.
	file(who int) []byte
	// alone is what somebody has been told alone.
	alone(who int) string
	// carried is what the newest button carries that ends so; "" where none is.
	carried(ends string) string
	// board is the newest message with buttons, and how many messages stand there.
	board() (text string, messages int)
	until(what string, holds func() bool)
	elsewhere() venue
	deny()
}

// company is some people with a bot at a venue.
type company struct {
	*testing.T
	venue
	kept  string // the file of the database
	clock *leap
	store *store.Store
	end   func()
}

func (c *company) begin() {
	c.Helper()
	st, err := store.Open(context.Background(), c.kept)
	if err != nil {
		c.Fatal(err)
	}
	said, err := sentences()
	if err != nil {
		c.Fatal(err)
	}
	c.store = st
	log := slog.New(slog.DiscardHandler)
	b := wiring.New(bot.Config{Store: st, Games: played(), Words: said, Log: log, Clock: c.clock, Zone: time.UTC, Sweep: time.Second})
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { b.Run(ctx, c.platform()) })
	c.end = sync.OnceFunc(func() {
		stop()
		running.Wait()
		if faults, err := st.Check(context.Background()); err != nil || len(faults) > 0 {
			c.Errorf("the books: %v, %v", faults, err)
		}
		if err := st.Close(); err != nil {
			c.Error(err)
		}
	})
	c.listens()
}

// says fails where what is told lacks a part.
func (c *company) says(told string, parts ...string) {
	c.Helper()
	for _, part := range parts {
		if !strings.Contains(told, part) {
			c.Errorf("%q is not in:\n%s", part, told)
		}
	}
}

// shows waits until the newest board says something.
func (c *company) shows(part string) string {
	c.Helper()
	c.until("the board says "+part, func() bool { text, _ := c.board(); return strings.Contains(text, part) })
	text, _ := c.board()
	return text
}

// sit opens a table, seats Ben and starts.
func (c *company) sit(command string) {
	c.Helper()
	c.write(0, command)
	c.press(1, ":!join")
	c.shows("Ben")
	c.press(0, ":!start")
	c.until("the game has begun", func() bool { return c.carried(":throw") != "" || c.carried(":throw 2") != "" })
}

// later lets so much time go by, at most, until something holds: never beyond the
// end of a turn before the bot has seen it, so that a busy machine does not have
// the next one run out, too.
func (c *company) later(what string, most time.Duration, holds func() bool) {
	c.Helper()
	const step = 10 * time.Second
	tick, late := time.NewTicker(20*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for !holds() {
		if due := c.table().Due; most >= step && (due == 0 || c.clock.Now().UnixMilli() < due) {
			c.clock.advance(step)
			most -= step
		}
		select {
		case <-tick.C:
		case <-late:
			text, _ := c.board()
			c.Fatalf("never: %s\n%s", what, text)
		}
	}
}

// quick is a game of one throw for each.
const quick = "/shutbox stake=5 tiles=7-7 one-die=never"

// finish plays a quick game to its end.
func (c *company) finish() {
	c.Helper()
	for range 12 {
		if c.carried(":!rematch") != "" {
			return
		}
		for _, move := range []string{":throw 2", ":shut 7"} {
			if data := c.carried(move); data != "" {
				for who := range 2 {
					c.attempt(who, move)
				}
				c.until("something moves", func() bool { return c.carried(move) != data })
			}
		}
	}
	c.until("the game is over", func() bool { return c.carried(":!rematch") != "" })
}

// holds reports whether a text stands in the file of the database or in its log.
func (c *company) holds(text string) bool {
	c.Helper()
	for _, name := range []string{c.kept, c.kept + "-wal"} {
		raw, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.Fatal(err)
		}
		if bytes.Contains(raw, []byte(text)) {
			return true
		}
	}
	return false
}
