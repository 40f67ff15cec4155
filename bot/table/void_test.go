package table_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
)

// Games that are taken off the standings.

// agreesToVoid has a person press "Void it" on the message about a game.
func agreesToVoid(p *bare.Person, game int64) chat.Reply {
	return p.Sends(chat.Press{What: fmt.Sprint("/void agree ", game)}.String())
}

// overseen is a platform that knows who may change a chat.
type overseen struct {
	*bare.Stage
	admins []chat.User
}

func (o overseen) OtherAdmin(_ context.Context, _ chat.Chat, besides chat.User) (bool, error) {
	return slices.ContainsFunc(o.admins, func(who chat.User) bool { return who != besides }), nil
}

// For people who have left a second admin speaks. Where the platform knows of none, another who sat does or, once all
// of these have left, the one who asked.
func TestWhoSpeaksForPeopleWhoHaveLeft(t *testing.T) {
	for _, of := range []struct {
		admins         []chat.User
		hosted, equals bool
	}{
		{admins: []chat.User{"test:Anna"}}, {admins: []chat.User{"test:Anna", "test:Dora"}},
		{admins: []chat.User{"test:Anna"}, hosted: true}, {equals: true},
	} {
		h := bare.New(t, bare.Pile{})
		stop := h.OnStage(overseen{bare.NewStage(), of.admins})
		anna, ben, dora, emil := h.Person("Anna"), h.Person("Ben"), h.Person("Dora"), h.Person("Emil")
		clara, second := h.Person("Clara"), len(of.admins) > 1
		for _, p := range []*bare.Person{anna, ben, clara, dora, emil} {
			p.Hosted, p.Equals = of.hosted, of.equals
			p.Admin = slices.Contains(of.admins, p.Event().User)
		}
		h.Game("/pile 5", []string{"Anna", "Ben", "Clara"}, "Anna take 6+5", "Ben take 2+1", "Clara take 4+3")
		h.Game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
		h.Game("/pile 5", []string{"Ben", "Clara"}, "Ben take 6+5", "Clara take 2+1", "Ben take 4+3")
		voided := func(game int64, want bool) {
			t.Helper()
			if got := h.TableOf(game).Ending.Voided; got != want {
				t.Errorf("%+v: game %d is voided: %v, want %v", of, game, got, want)
			}
		}
		left := func(game int64, r chat.Reply) { // a second admin is waited for, or no person
			t.Helper()
			if got := bare.Said(t, r); strings.Contains(got, " left the chat: a second admin agrees") != second {
				t.Errorf("%+v: got\n%s", of, got)
			}
			voided(game, !second)
			if second {
				bare.Refused(t, agreesToVoid(emil, game), "Only players of that game decide. Ask one of them.")
				agreesToVoid(dora, game)
				voided(game, true)
			}
		}
		h.Leave(clara)
		if got := bare.Said(t, anna.Writes("/void 1")); !strings.Contains(got, "Clara left the chat: a second admin ") {
			t.Errorf("%+v: got\n%s", of, got)
		}
		agreesToVoid(anna, 1)
		voided(1, false)
		left(1, agreesToVoid(ben, 1))
		anna.Writes("/void 2")
		h.Leave(ben)
		left(2, agreesToVoid(anna, 2))
		if !of.equals {
			left(3, anna.Writes("/void 3"))
		}
		stop()
		if line := h.Export(review.Wanted{})[0]; !strings.Contains(line, `"voided":true`) {
			t.Errorf("%+v: the record is %s", of, line)
		}
		h.Sound()
	}
}
