package main

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/games"
	"knobel/store"
)

// TestTheActivityAtTwoReplicas plays in the activity's pages of two people, who sign in at one replica each and play at
// the other. The replica with Anna's stream is killed, and she goes on at the one where she signed in.
func TestTheActivityAtTwoReplicas(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2)
	defer f.end()
	server, env := startActivities(t)
	f.env = append(f.env, append(env, "KNOBEL_PUBLIC_URL=https://dice.example.org")...)
	f.start(f.all...)
	f.until("Discord is listened to", server.Listening)
	began, guild := time.Now(), server.Guild("The Dice")
	hall, anna, ben := guild.Channel("table"), server.Person("Anna", "en-GB"), server.Person("Ben", "de")
	running := hall.Activity(anna)
	opening := func(p *discordtest.Person) any {
		return map[string]string{"code": server.Code(p), "instance": running.ID}
	}
	annas := f.signIn(f.all[0], "discord", opening(anna))
	cut := annas.watch(f.all[0], f.all[1])
	running.Join(ben) // Discord has told both replicas of Anna only
	bens := f.signIn(f.all[1], "discord", opening(ben))
	bens.watch(f.all[1], f.all[0])
	annas.opens(t, "/shutbox 5 tiles=3")
	bens.act("join", ":!join")
	f.until("Anna's page shows Ben", func() bool { return len(annas.newest().People) == 2 })
	annas.act("start", ":!start")
	f.moveIn(annas, bens)
	f.all[1].kill()
	<-cut
	annas.watch(f.all[0], f.all[0])
	for f.moveIn(annas, bens) {
	}
	f.until("the channel shows the end", func() bool {
		m, _ := hall.Last()
		return strings.Contains(m.Text(), "Dice seal")
	})
	examine(t, f.program, f.db)
	if n := verifyAll(t, f.db); n != 1 {
		t.Errorf("%d games have ended", n)
	}
	f.checkPaid("discord:"+guild.ID, annas.newest().People)
	asked := 0
	for _, r := range server.Requests("GET /applications") {
		if strings.Contains(r.Path, "/activity-instances/") {
			asked++
		}
	}
	if most := 2 * (2 + int(time.Since(began)/time.Minute)); asked > most { // twice each until Ben has come
		t.Errorf("Discord is asked %d times who is in the activity, want at most %d", asked, most)
	}
	f.checkOrderly()
}

// moveIn lets the mover press a button in their page, once both pages show the same turn. It returns false if both show
// that the game has ended.
func (f *fleet) moveIn(pages ...*framed) (more bool) {
	f.t.Helper()
	mover := -1
	f.until("both pages show who is to move, or the end", func() bool {
		first, second := pages[0].newest(), pages[1].newest()
		mover = slices.IndexFunc(first.People, func(p chat.Person) bool { return p.State == games.ToMove })
		return first.Turn == second.Turn && first.Record == second.Record && (mover >= 0 || first.Record != 0)
	})
	if mover < 0 {
		return false
	}
	turn := pages[mover].newest().Turn
	pages[mover].act(fmt.Sprint("move-", turn), "")
	f.until("both pages show the move", func() bool {
		return pages[0].newest().Turn > turn && pages[1].newest().Turn > turn
	})
	return true
}

// checkPaid fails unless the books of a chat have the amounts that the final board shows for people.
func (f *fleet) checkPaid(in string, people []chat.Person) {
	f.t.Helper()
	viewDatabase(f.t, f.db, func(tx *store.Tx) error {
		all, err := tx.Books.Parties(in, "chips")
		for _, p := range people {
			won, _ := strconv.ParseInt(strings.Replace(p.Amount, "−", "-", 1), 10, 64)
			if !slices.ContainsFunc(all, func(of store.Party) bool { return of.Name == p.Name && of.Balance == won }) {
				f.t.Errorf("%s has got %q, and the books are %+v", p.Name, p.Amount, all)
			}
		}
		return err
	})
}

// framed is an embedded page. Its requests have a bearer, the one for the stream has a ticket.
type framed struct {
	*visitor
	fleet  *fleet
	bearer string
}

// RoundTrip sends a request of the page.
func (p *framed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if p.bearer != "" && !strings.HasSuffix(r.URL.Path, "/events") {
		r.Header.Set("Authorization", "Bearer "+p.bearer)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// at makes the page send its further requests to a replica.
func (p *framed) at(replica *peer) { p.base = "http://" + replica.listen + "/embed" }

// signIn returns the page of a person who signs in at a replica, by what the client of a door gives the page.
func (f *fleet) signIn(at *peer, door string, signed any) *framed {
	f.t.Helper()
	p := &framed{fleet: f, visitor: &visitor{news: make(chan struct{}, 1)}}
	p.client = &http.Client{Transport: p}
	p.at(at)
	var in struct{ Bearer string }
	p.postJSON(f.t, "/"+door, signed, &in)
	p.bearer = in.Bearer
	return p
}

// watch gets a ticket at one replica and follows the stream at another, which then gets the page's requests, until
// that replica ends. over is then closed.
func (p *framed) watch(at, to *peer) (over <-chan struct{}) {
	t := p.fleet.t
	t.Helper()
	p.at(at)
	var got struct{ Ticket string }
	p.postJSON(t, "/ticket", struct{}{}, &got)
	p.query = "?ticket=" + got.Ticket
	p.at(to)
	p.news = make(chan struct{}, 1) // without what an earlier stream has brought
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.follow(t.Context())
	}()
	select {
	case <-p.news:
	case <-ended:
		t.Fatal("the stream has ended")
	}
	return ended
}

// act presses the first button of the newest board whose data ends with suffix; "": the first one that moves.
func (p *framed) act(id, suffix string) {
	t := p.fleet.t
	t.Helper()
	data := ""
	p.fleet.until("there is a button "+suffix, func() bool {
		for _, b := range slices.Concat(p.newest().Buttons...) {
			_, _, _, moves := parse(b.Press)
			if data == "" && strings.HasSuffix(b.Press, suffix) && (moves || suffix != "") {
				data = b.Press
			}
		}
		return data != ""
	})
	<-time.After(leisure) // to read the board
	if a, err := p.press(id, data); err != nil || a.Refused {
		t.Fatalf("%s is answered %+v %v", data, a, err)
	}
}
