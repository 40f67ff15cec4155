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

// The kinds of leases by which one replica hears people.
const (
	polling    = "telegram polling"
	connecting = "discord shard of 1"
)

// lobbies are a table in the lobby on Telegram, another on Discord and a third in browsers, with two replicas.
type lobbies struct {
	*fleet
	delivers bool // Telegram and Discord deliver over HTTP, in place of being listened to
	telegram *telegramtest.Server
	discord  *discordtest.Server
	group    *telegramtest.Chat
	hall     *discordtest.Channel
	guests   []*guest
	table    int64 // in browsers
	people   int64
}

// TestPressesWhileTheDatabaseIsAway stops the server for longer than leases last: people who press on Telegram, on
// Discord and in a browser reads the sentence, and nothing is done then or later; the replicas are well, and not ready.
// All goes on when the server is back.
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
			p.loses()
			p.seated(2, 2) // with who has opened the table
			p.orderly()
		})
	}
}

// loses has the database be away for a while, with people pressing. One sits down at each table when it is back.
func (p *lobbies) loses() {
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
		status, body, err := ask(t.Context(), r.listen, "/readyz", webSecret)
		if err != nil || status != http.StatusServiceUnavailable || !strings.Contains(body, wrongDatabase) {
			t.Errorf("replica %d does not say why it is not ready: %v %d %s", i, err, status, body)
		}
		// The platform that runs it asks this, and is not to start anew what a start does not mend.
		if status, body, err := ask(t.Context(), r.listen, "/healthz?database=off", ""); status != http.StatusOK {
			t.Errorf("replica %d is to be started anew while the database is away: %v %d %s", i, err, status, body)
		}
		p.joins(i, true)
	}
	p.server.Restart(t)
	p.away.turn(false)
	p.until("the leases are held", func() bool {
		return p.one(connecting) >= 0 && (p.delivers || p.one(polling) >= 0)
	})
	p.until("one is connected", func() bool { return p.discord.Listening() && p.discord.Sockets() == 1 })
	p.seated(1, 1)
	p.press(false)()
	p.joins(1, false)
	p.seated(2, 2)
}

// joins has a guest of a replica sit down at a table in the browser.
func (p *lobbies) joins(at int, sorry bool) {
	p.t.Helper()
	g := p.guests[at]
	a, err := g.post("/press", map[string]any{"id": fmt.Sprint("joins-", at, sorry), "as": 0,
		"press": fmt.Sprintf("1:%d:0:!join", p.table)})
	if err != nil || a.Refused != sorry || strings.HasPrefix(a.Toast, refusal) != sorry {
		p.t.Errorf("in a browser, where the sentence is to be read: %v, it is %+v %v", sorry, a, err)
	}
}

// wrongDatabase is what /readyz says of a database that is away.
const wrongDatabase = "WRONG  database: nothing can be written: "

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

// lobby is the board on Telegram, and the data of its button for joining.
func (p *lobbies) lobby() (message int64, data string) {
	for _, m := range slices.Backward(p.group.Messages()) {
		for _, b := range slices.Concat(m.Keyboard...) {
			if strings.HasSuffix(b.Data, ":!join") {
				return m.ID, b.Data
			}
		}
	}
	return 0, ""
}

// refusal is what the sentence begins with that is for what is broken on our side.
const refusal = "Something broke on our side"

// press has a new person join both tables. It returns a function that checks the answers.
func (p *lobbies) press(sorry bool) (told func()) {
	p.t.Helper()
	p.people++
	message, data := p.lobby()
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

// seated checks how many sit at each table.
func (p *lobbies) seated(telegram, discord int) {
	p.t.Helper()
	for platform, want := range map[string]int{"telegram": telegram, "discord": discord} {
		n := p.number(`SELECT COUNT(*) FROM seats s JOIN tables t ON t.id = s.table_id WHERE t.chat LIKE $1 || ':%'`,
			platform)
		if n != want {
			p.t.Errorf("%d sit at the table on %s, want %d\n%+v", n, platform, want, p.group.Messages())
		}
	}
}

// one returns the replica that alone holds leases of a kind, or -1.
func (p *lobbies) one(kind string) int {
	for i := range p.all {
		if p.holds(i, kind) > 0 && p.holds(1-i, kind) <= 0 {
			return i
		}
	}
	return -1
}

// holds returns how many leases of a kind a replica reports, or -1 if it is sure of none.
func (p *lobbies) holds(at int, kind string) int {
	_, body, err := ask(p.t.Context(), p.all[at].listen, "/metrics", webSecret)
	n := -1
	if _, of, found := strings.Cut(body, `knobel_leases_held{kind="`+kind+`"} `); err == nil && found {
		_, _ = fmt.Sscan(of, &n)
	}
	return n
}
