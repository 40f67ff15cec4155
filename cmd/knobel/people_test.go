package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
	"knobel/store/storetest"
)

// absent is the name of a friend who never makes a move.
const absent = "Sleepyhead"

// talk is a player's chat on a platform.
type talk interface {
	place() string  // as stored in the database
	friend() string // the friend's id
	wait(ctx context.Context, holds func() bool) error
	opens() // opens a table by a command
	messages() []post
	// press presses button in the message with id on. answer returns the replies so far; good: they confirm the press.
	press(byFriend bool, on, button string) (answer func() (said []string, good bool))
}

// post is a message of the bot.
type post struct {
	id      string
	edits   int
	text    string
	buttons []string
	calls   bool // the message is a reminder
}

// onTelegram is a talk in a private chat or a group.
type onTelegram struct {
	server *telegramtest.Server
	chat   *telegramtest.Chat
	people [2]telegramtest.Person // the player and the friend
}

func (c onTelegram) place() string  { return fmt.Sprintf("telegram:%d:0", c.chat.ID()) }
func (c onTelegram) friend() string { return fmt.Sprint(c.people[1].ID) }
func (c onTelegram) opens()         { c.chat.Say(c.people[0], "/shutbox 3 tiles=3") }

func (c onTelegram) wait(ctx context.Context, holds func() bool) error {
	return c.server.Wait(ctx, holds)
}

func (c onTelegram) messages() (all []post) {
	for _, m := range c.chat.Messages() {
		at := post{id: fmt.Sprint(m.ID), edits: m.Edits, text: m.Text}
		for _, b := range slices.Concat(m.Keyboard...) {
			at.buttons = append(at.buttons, b.Data)
		}
		at.calls = strings.Contains(m.HTML, `tg://user?id=`+c.friend()+`"`) ||
			len(at.buttons) > 0 && strings.Contains(at.buttons[0], ":/notify")
		all = append(all, at)
	}
	return all
}

// sorry holds the replies to a press that failed because the database was unavailable.
var sorry = []string{"Something broke on our side", "Bei uns klemmt es"}

// press implements talk. A press is confirmed by a reply, unless that says that nothing was done or that it is the
// absent friend's turn. A repeated delivery has an empty reply.
func (c onTelegram) press(byFriend bool, on, button string) func() ([]string, bool) {
	who := c.people[0]
	if byFriend {
		who = c.people[1]
	}
	id, _ := strconv.ParseInt(on, 10, 64)
	query := c.chat.PressData(who, id, button)
	return func() (said []string, good bool) {
		q, _ := c.server.Query(query)
		for _, a := range q.Answers {
			said = append(said, a.Text)
			good = good || !strings.HasPrefix(a.Text, sorry[0]) && !strings.HasPrefix(a.Text, sorry[1])
		}
		return said, good && !strings.Contains(strings.Join(said, ""), absent)
	}
}

// onDiscord is a talk in a separate channel.
type onDiscord struct {
	server *discordtest.Server
	guild  *discordtest.Guild
	hall   *discordtest.Channel
	people [2]*discordtest.Person
}

func (c onDiscord) place() string  { return "discord:" + c.guild.ID + ":" + c.hall.ID }
func (c onDiscord) friend() string { return c.people[1].ID }

func (c onDiscord) wait(ctx context.Context, holds func() bool) error {
	return c.server.Wait(ctx, holds)
}

func (c onDiscord) opens() { // opens a table by a command
	c.hall.Slash(c.people[0], "shutbox", discordtest.Option{Name: "stake", Value: 3},
		discordtest.Option{Name: "tiles", Value: "3"})
}

func (c onDiscord) messages() (all []post) {
	for _, m := range c.hall.Messages() {
		at := post{id: m.ID, edits: m.Edits, text: m.Text(), calls: len(m.Called) > 0}
		for _, b := range m.Buttons() {
			at.buttons = append(at.buttons, b.CustomID)
		}
		all = append(all, at)
	}
	return all
}

// answersWithBoard is the type of reply that edits the board of the pressed button. Only successful presses have it.
const answersWithBoard = 7

func (c onDiscord) press(byFriend bool, on, button string) func() ([]string, bool) { // implements talk.press
	who := c.people[0]
	if byFriend {
		who = c.people[1]
	}
	i := c.hall.Press(who, on, button)
	return func() ([]string, bool) {
		ended, stop := context.WithCancel(context.Background()) // after the end no reply comes
		stop()
		a, err := i.Answer(ended)
		if err != nil {
			return nil, false
		}
		return []string{a.Message.Text()}, a.Type == answersWithBoard
	}
}

// player is a simulated user who plays against a computer player, or with a friend who never makes a move.
type player struct {
	talk
	discord bool // nothing is delivered twice, and a reply with the board confirms its move
	waiting bool // plays with the absent friend
	chance  *rand.Rand
	presses []pressed     // only presses with a move
	houses  map[int64]int // presses that add a computer player, by table
}

// pressed is a press that contains a move.
type pressed struct {
	answer func() (said []string, good bool)
	at     turn
	move   string
}

// turn is one turn of a table.
type turn struct {
	table  int64
	number int
}

// newPlayer returns a player in the chat where. waiting: they play with the absent friend. n seeds random choices.
func newPlayer(n int64, waiting bool, where talk) *player {
	_, discord := where.(onDiscord)
	return &player{talk: where, discord: discord, waiting: waiting, chance: rand.New(rand.NewPCG(2026, uint64(n))),
		houses: map[int64]int{}}
}

// onTelegram returns a player with this user id in a private chat or group. waiting: they play with the absent friend.
func (p *party) onTelegram(id int64, group, waiting bool) *player {
	who := telegramtest.Person{ID: id, First: fmt.Sprintf("<b>P%d&", id), Language: []string{"en", "de"}[id%2]}
	c := onTelegram{server: p.telegram,
		people: [2]telegramtest.Person{who, {ID: id + 1000, First: absent, Language: "en"}}}
	if group {
		c.chat = p.telegram.Supergroup(fmt.Sprint("Group ", id), false)
	} else {
		c.chat = p.telegram.Private(who)
	}
	return newPlayer(id, waiting, c)
}

// onDiscord returns player number n in a separate channel. waiting: they play with the absent friend.
func (p *party) onDiscord(n int64, waiting bool) *player {
	return newPlayer(n, waiting, onDiscord{server: p.discord, guild: p.guild,
		hall: p.guild.Channel(fmt.Sprint("table-", n)),
		people: [2]*discordtest.Person{p.discord.Person(fmt.Sprint("P", n), []string{"en-GB", "de"}[n%2]),
			p.discord.Person(absent, "en-GB")}})
}

// board returns the latest message that is not a reminder. On Telegram it skips messages without buttons.
func (c *player) board() post {
	for _, m := range slices.Backward(c.messages()) {
		if !m.calls && (c.discord || len(m.buttons) > 0) {
			return m
		}
	}
	return post{}
}

// leading holds the presses that lead from a lobby to a game, and from one game to the next.
var leading = []string{"!page houses", "!house fewest", "!house random", "!page", "!start", "!rematch", "!join",
	"!agree"}

// nextButton returns a random button that continues the game, "" if there is none.
func (c *player) nextButton(at post) string {
	useful := slices.DeleteFunc(slices.Clone(at.buttons), func(button string) bool {
		what := button[strings.LastIndex(button, ":")+1:]
		return what == "" || strings.ContainsAny(what[:1], "!/") && !slices.Contains(leading, what)
	})
	if len(useful) == 0 {
		return ""
	}
	return useful[c.chance.IntN(len(useful))]
}

// waits reports whether it is the absent friend's turn: they got a reminder, or a reply said so, possibly late.
func (c *player) waits() bool {
	return c.waiting && (slices.ContainsFunc(c.messages(), func(m post) bool { return m.calls }) ||
		slices.ContainsFunc(c.presses, func(a pressed) bool {
			said, _ := a.answer()
			return strings.Contains(strings.Join(said, ""), absent)
		}))
}

// play presses buttons of the latest board, on Telegram sometimes twice, until ctx is done or it is the absent friend's
// turn. It counts moves that were answered with a board. On Discord it sometimes opens another table.
func (c *player) play(ctx context.Context, p *party) {
	for ctx.Err() == nil {
		var at post
		var button string
		err := c.wait(ctx, func() bool {
			at = c.board()
			button = c.nextButton(at)
			return button != "" || c.waits()
		})
		rematch := strings.HasSuffix(button, ":!rematch")
		if err != nil || c.waits() || c.waiting && rematch {
			return // it is the friend's turn, or the game ended before the friend had one
		}
		select { // time to read the board
		case <-time.After(leisure):
		case <-ctx.Done():
			return
		}
		if c.discord && rematch && c.chance.IntN(2) == 0 {
			c.opens()
			c.waitForBoard(ctx, at, nil)
			continue
		}
		answer := c.tapButton(at, button)
		_, _, _, moves := parse(button)
		if c.waitForBoard(ctx, at, answer) && moves {
			p.answered.Add(1)
		}
	}
}

// tapButton presses a button, on Telegram sometimes twice, and returns the last answer.
func (c *player) tapButton(on post, button string) (answer func() (said []string, good bool)) {
	times := 1
	if !c.discord {
		times += c.chance.IntN(2)
	}
	for range times {
		answer = c.press(false, on.id, button)
		if table, number, move, ok := parse(button); ok {
			c.presses = append(c.presses, pressed{answer, turn{table, number}, move})
		}
		if p, ok := chat.ParsePress(button); ok && strings.HasPrefix(p.What, "!house ") {
			c.houses[p.Table]++
		}
	}
	return answer
}

// waitForBoard waits until the board differs from at or, on Discord, answer has a reply. It reports whether that reply
// edits the board; on Telegram always false. It stops after some seconds: a refused or lost press changes nothing.
func (c *player) waitForBoard(ctx context.Context, at post, answer func() ([]string, bool)) bool {
	ctx, stop := context.WithTimeout(ctx, 4*time.Second)
	defer stop()
	var said []string
	var good bool
	_ = c.wait(ctx, func() bool {
		now := c.board()
		if answer == nil { // a table was opened
			return now.id != at.id
		}
		said, good = answer()
		return c.discord && said != nil || now.id != at.id || now.edits != at.edits
	})
	return c.discord && good
}

// seatFriend lets the friend join the open table and starts the game.
func (c *player) seatFriend(p *party) {
	p.t.Helper()
	for _, step := range []struct {
		byFriend bool
		what     string
	}{{true, ":!join"}, {false, ":!start"}} {
		var at post
		button := ""
		p.until(step.what+" is there to be pressed", func() bool {
			at = c.board()
			for _, b := range at.buttons {
				if strings.HasSuffix(b, step.what) {
					button = b
				}
			}
			return button != ""
		})
		answer := c.press(step.byFriend, at.id, button)
		p.until("that is answered", func() bool { said, _ := answer(); return said != nil })
	}
}

// checkMoves fails unless every turn with a confirmed move (or, if all is set, with any requested move) has a stored
// move: the confirmed one on Discord, elsewhere one of those requested, because a press that failed may have counted.
// It returns the number of these turns.
func (c *player) checkMoves(t *testing.T, now kept, all bool) (turns int) {
	t.Helper()
	held, moves := map[turn]bool{}, map[turn][]string{}
	for _, a := range c.presses {
		_, good := a.answer()
		if good || all && !c.discord {
			held[a.at] = true
		}
		if good || !c.discord {
			moves[a.at] = append(moves[a.at], a.move)
		}
	}
	for at := range held {
		if !slices.ContainsFunc(moves[at], func(move string) bool { return now.has(at.table, at.number, move) }) {
			t.Errorf("%s: one of %q was promised in turn %d of table %d, which has %d moves", c.place(), moves[at],
				at.number, at.table, len(now[at.table]))
		}
	}
	return len(held)
}

// The bot knows which players share a browser, so none of them takes a seat from another.
func TestNobodyTakesASeatFromTheirSecondSelfAtOneBrowser(t *testing.T) {
	st := storetest.Open(t)
	b := quietBot(t, st)
	var last chat.Reply
	for i, step := range []struct {
		user          chat.User
		command, what string
	}{
		{"web:aa:0", "shutbox", "10"}, {"web:bb:0", "", "1:1:0:!join"}, {"web:aa:0", "", "1:1:0:!start"},
		{"web:aa:0", "handover", ""}, {"web:aa:1", "", "1:1:0:!take 0"},
	} {
		ev := chat.Event{ID: fmt.Sprint("web:", i), Chat: "web:room", Place: "web:room", User: step.user,
			Name: string(step.user), Locale: "en"}
		if ev.Command, ev.Text = step.command, step.what; step.command == "" {
			ev.Press, ev.Text = step.what, ""
		}
		last = b.Handle(t.Context(), ev)
	}
	if last.Toast != "Not to a player in the same browser. Others can take it." {
		t.Errorf("told %q", last.Toast)
	}
}
