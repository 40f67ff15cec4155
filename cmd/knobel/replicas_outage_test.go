package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/bot/telegram/telegramtest"
)

// Leases that let a single replica receive events.
const (
	polling    = "telegram polling"
	connecting = "discord shard of 1"
)

// lobbies is a test with two replicas and three tables in the lobby: on Telegram, on Discord and in browsers.
type lobbies struct {
	*fleet
	delivers bool // Telegram and Discord deliver by webhook, instead of polling and gateway
	telegram *telegramtest.Server
	discord  *discordtest.Server
	group    *telegramtest.Chat
	hall     *discordtest.Channel
	guests   []*guest
	table    int64 // the table in browsers
	people   int64
}

// TestPressesWhileTheDatabaseIsAway stops the database server for longer than leases last. Presses on Telegram, on
// Discord and in a browser are answered with an error message, and have no effect, not even later. The processes of
// replicas are healthy, but not ready. When the server is back, everything works again.
func TestPressesWhileTheDatabaseIsAway(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	for _, way := range []string{"polled", "delivered"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := &lobbies{fleet: newFleet(t, 2), delivers: way == "delivered",
				telegram: telegramtest.Start(t, telegramtest.Options{Token: telegramToken}),
				discord: discordtest.Start(t, discordtest.Options{Token: discordToken, Within: fakes.Patience,
					Repeats: true})}
			defer p.end()
			defer func() {
				if t.Failed() {
					t.Log(p.log())
				}
			}()
			p.open()
			p.stopDatabase()
			p.checkSeats(2, 2) // including the opener
			p.checkOrderly()
		})
	}
}

// stopDatabase stops the database for a while, during which people press. Afterwards one person joins each table.
func (p *lobbies) stopDatabase() {
	t := p.t
	p.away.turn(true)
	p.server.Crash(t)
	p.until("nobody is sure of a lease", func() bool { return p.holds(0, "chats") < 0 && p.holds(1, "chats") < 0 })
	var refused []func()
	for range 4 {
		refused = append(refused, p.press(true))
	}
	for _, told := range refused {
		told()
	}
	for i, r := range p.all {
		status, body, err := get(t.Context(), r.listen, "/readyz", webSecret)
		if err != nil || status != http.StatusServiceUnavailable || !strings.Contains(body, wrongDatabase) {
			t.Errorf("replica %d does not say why it is not ready: %v %d %s", i, err, status, body)
		}
		// Service managers ask this, and must not restart a program because of the database.
		if status, body, err := get(t.Context(), r.listen, "/healthz?database=off", ""); status != http.StatusOK {
			t.Errorf("replica %d is to be started anew while the database is away: %v %d %s", i, err, status, body)
		}
		p.joinInBrowser(i, true)
	}
	p.server.Restart(t)
	p.away.turn(false)
	p.until("the leases are held", func() bool {
		return p.onlyHolder(connecting) >= 0 && (p.delivers || p.onlyHolder(polling) >= 0)
	})
	p.until("one is connected", func() bool { return p.discord.Listening() && p.discord.Sockets() == 1 })
	p.checkSeats(1, 1)
	p.press(false)()
	p.joinInBrowser(1, false)
	p.checkSeats(2, 2)
}

// joinInBrowser lets a guest of a replica join the table in browsers. sorry means that it must fail.
func (p *lobbies) joinInBrowser(index int, sorry bool) {
	p.t.Helper()
	g := p.guests[index]
	a, err := g.post("/press", map[string]any{"id": fmt.Sprint("joins-", index, sorry), "as": 0,
		"press": fmt.Sprintf("1:%d:0:!join", p.table)})
	if err != nil || a.Refused != sorry || strings.HasPrefix(a.Toast, refusal) != sorry {
		p.t.Errorf("in a browser, where the sentence is to be read: %v, it is %+v %v", sorry, a, err)
	}
}

// wrongDatabase is the beginning of the line in /readyz about an unavailable database.
const wrongDatabase = "FAIL   database: not writable: "

// open starts the replicas and opens the tables.
func (p *lobbies) open() {
	p.t.Helper()
	p.connect(p.telegram, p.discord, p.delivers, p.all...)
	for i := range p.all {
		p.guests = append(p.guests, p.guest(i))
	}
	p.table = p.guests[0].opens(p.t, "/shutbox 7")
	p.group, p.hall = p.telegram.Supergroup("Friends", false), p.discord.Guild("The Dice").Channel("table")
	p.group.Say(telegramtest.Person{ID: 100, First: "Anna", Language: "en"}, "/shutbox 3")
	i := p.hall.Slash(p.discord.Person("Anna", "en-GB"), "shutbox", discordtest.Option{Name: "stake", Value: 3})
	if _, err := i.Answer(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	p.until("both boards are there", func() bool {
		return p.number(`SELECT COUNT(*) FROM boards WHERE message <> '' AND table_id <> $1`, p.table) == 2
	})
}

// lobbyBoard returns the message of the board on Telegram, and the data of its Join button.
func (p *lobbies) lobbyBoard() (message int64, data string) {
	for _, m := range slices.Backward(p.group.Messages()) {
		for _, b := range slices.Concat(m.Keyboard...) {
			if strings.HasSuffix(b.Data, ":!join") {
				return m.ID, b.Data
			}
		}
	}
	return 0, ""
}

// refusal is the beginning of the reply to a press that failed because of the bot.
const refusal = "Something broke on our side"

// press lets a new person join the tables on Telegram and Discord. told checks the replies: if sorry, refusals.
func (p *lobbies) press(sorry bool) (told func()) {
	p.t.Helper()
	p.people++
	message, data := p.lobbyBoard()
	at, _ := p.hall.Last()
	button := ""
	for _, b := range at.Buttons() {
		if strings.HasSuffix(b.CustomID, ":!join") {
			button = b.CustomID
		}
	}
	name := fmt.Sprint("P", p.people)
	query := p.group.PressData(telegramtest.Person{ID: 100 + p.people, First: name, Language: "en"}, message, data)
	i := p.hall.Press(p.discord.Person(name, "en-GB"), at.ID, button)
	return func() {
		p.t.Helper()
		p.until("a press on Telegram is answered", func() bool {
			q, _ := p.telegram.Query(query)
			return len(q.Answers) > 0
		})
		q, _ := p.telegram.Query(query)
		a, err := i.Answer(p.t.Context())
		check(p.t, err)
		refused := strings.HasPrefix(q.Answers[0].Text, refusal)
		said := a.Message.Text()
		if refused != sorry || strings.HasPrefix(said, refusal) != sorry || len(q.Answers) != 1 {
			p.t.Errorf("%s, who is to read the sentence: %v, reads %+v and %q", name, sorry, q.Answers, said)
		}
	}
}

// checkSeats fails unless the tables have these numbers of players.
func (p *lobbies) checkSeats(telegram, discord int) {
	p.t.Helper()
	for platform, want := range map[string]int{"telegram": telegram, "discord": discord} {
		n := p.number(`SELECT COUNT(*) FROM seats s JOIN tables t ON t.id = s.table_id WHERE t.chat LIKE $1 || ':%'`,
			platform)
		if n != want {
			p.t.Errorf("%d sit at the table on %s, want %d\n%+v", n, platform, want, p.group.Messages())
		}
	}
}

// onlyHolder returns the only replica that holds leases of a kind, or -1.
func (p *lobbies) onlyHolder(kind string) int {
	for i := range p.all {
		if p.holds(i, kind) > 0 && p.holds(1-i, kind) <= 0 {
			return i
		}
	}
	return -1
}

// holds returns the number of leases of a kind that a replica reports, or -1 if it reports none of that kind.
func (p *lobbies) holds(index int, kind string) int {
	_, body, err := get(p.t.Context(), p.all[index].listen, "/metrics", webSecret)
	n := -1
	if _, of, found := strings.Cut(body, `knobel_leases_held{kind="`+kind+`"} `); err == nil && found {
		_, _ = fmt.Sscan(of, &n)
	}
	return n
}
