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
	"knobel/games/record"
	"knobel/store"
)

// Games that are taken off the standings.

// agreesToVoid has a person press "Void it" on the message about a game.
func agreesToVoid(p *bare.Person, game int64) chat.Reply {
	return p.Sends(chat.Press{What: fmt.Sprint("/void agree ", game)}.String())
}

func TestAGameIsVoidedByAllWhoSat(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	h.Game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	bare.Refused(t, anna.Writes("/void 1"), "Only an admin may ask for that. Ask one of them.")
	bare.Refused(t, clara.Writes("/void"), "Name a finished game: /void 7. /history lists them.")
	closed := func(p *bare.Person, says string) { // a message whose question is answered elsewhere
		t.Helper()
		r := agreesToVoid(p, 1)
		if got := bare.Said(t, r); !r.Instead || !strings.Contains(got, says) || strings.Contains(got, "[") {
			t.Errorf("got %+v", r)
		}
	}
	closed(ben, "Nobody asks for that any more: /void 1 does.")
	clara.Admin = true
	bare.Refused(t, clara.Writes("/void 9"), "No game 9 has ended here. /history lists them.")
	asks := clara.Writes("/void 1")
	if got := bare.Said(t, asks); !asks.Public ||
		!strings.Contains(got, "Still to agree: Anna and Ben.\n[Void it][Keep it]") {
		t.Errorf("got\n%s", got)
	}
	emil := h.Person("Emil")
	emil.Admin = true
	if r := emil.Writes("/void 1"); !r.Public || bare.Said(t, r) != bare.Said(t, asks) {
		t.Errorf("another admin who asks is shown\n%s", bare.Said(t, r))
	}
	bare.Refused(t, agreesToVoid(emil, 1), "Only players of that game decide. Ask one of them.")
	if r := agreesToVoid(anna, 1); !r.Public || !r.Instead || !strings.Contains(bare.Said(t, r),
		"Still to agree: Ben.") {
		t.Errorf("got %+v", r)
	}
	bare.Refused(t, agreesToVoid(h.Person("Dora"), 1), "Only players of that game decide. Ask one of them.")
	if got := bare.Said(t, ben.Sends(chat.Press{What: "/void keep 1"}.String())); !strings.Contains(got,
		" stays: Ben ") {
		t.Errorf("got\n%s", got)
	}
	closed(anna, "Nobody asks for that any more: /void 1 does.")
	h.Balance("player:test:Anna", 5)
	clara.Writes("/void 1")
	agreesToVoid(ben, 1)
	if got := bare.Said(t, agreesToVoid(anna, 1)); !strings.Contains(got, " is voided.") {
		t.Errorf("got\n%s", got)
	}
	closed(anna, " is voided.")
	if got := h.BoardOf(1); got.Head != "This game is voided: it counts on no list." || len(got.Told) == 0 {
		t.Errorf("got\n%s", bare.Show(got))
	}
	bare.Refused(t, clara.Writes("/void 1"), "Game 1 is voided already. /history shows it.")
	h.Balance("player:test:Anna", 0)
	if got := bare.Said(t, anna.Writes("/leaderboard all")); !strings.Contains(got, "nothing has been played there") {
		t.Errorf("got\n%s", got)
	}
	if got := bare.Page(t, anna.Writes("/stats")); !strings.HasPrefix(got, "Anna") || strings.Contains(got,
		"won and lost") {
		t.Errorf("got\n%s", got)
	}
	for lang, word := range map[string]string{"en": "voided", "de": "annulliert"} {
		anna.Locale = lang
		got := bare.Show(*anna.Writes("/history").Private)
		if strings.Contains(got, " \u0336") || !strings.Contains(got, "A\u0336n\u0336n\u0336a\u0336") ||
			!strings.Contains(got, " · "+word) {
			t.Errorf("got\n%s", got)
		}
	}
	line := h.Export(review.Wanted{})[0]
	r, err := record.Decode([]byte(line))
	if err != nil || !strings.Contains(line, `"voided":true`) || len(record.Verify(r, h.Games)) > 0 {
		t.Errorf("%v, %s", err, line)
	}
	h.Sound()
}

// What a game left in the box goes back unless a later pool has it, and people who have left, houses and the forgotten
// keep nobody waiting.
func TestAVoidedGameGivesTheBoxBack(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna := h.Person("Anna")
	anna.Admin = true
	three := []string{"Anna", "Ben", "Clara"}
	h.Game("/pile big 5", three, "Anna take 2+1", "Ben take 8+5", "Clara take 7+6", "Anna take 4+3") // 10 : 13 : 13
	h.Balance("box", 1)
	ben := h.Gather("/pile 5", "Ben", "Anna")[0]
	ben.Presses("▶ Start")
	h.Balance("box", 0)
	bare.Refused(t, anna.Writes("/void 1"), "Game 2 has its remainder: try again when it's over.")
	ben.Sends("1:2:0:take 6+5")
	anna.Sends("1:2:1:take 2+1")
	ben.Sends("1:2:2:take 4+3")
	bare.Refused(t, anna.Writes("/void 1"), "Game 2 has its remainder: void that one first.")
	void := func(game int64) {
		t.Helper()
		anna.Writes(fmt.Sprint("/void ", game))
		agreesToVoid(h.Person("Ben"), game)
		agreesToVoid(h.Person("Clara"), game)
		if !h.TableOf(game).Voided {
			t.Errorf("game %d is not voided", game)
		}
		h.Sound()
	}
	void(2)
	h.Balance("box", 1)
	void(1)
	h.Balance("box", 0)

	h.Game("/pile big 5", []string{"Anna", "Ben", "house", "Clara"}, "Anna take 8+7", "Ben take 6+5", "Clara take 4+3")
	if err := h.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		if _, err := tx.Forget("test:Clara"); err != nil {
			return err
		}
		return tx.Leave("test:1", "test:Ben", true)
	}); err != nil {
		t.Fatal(err)
	}
	if got := bare.Said(t, anna.Writes("/void 3")); !strings.Contains(got, " is voided.") {
		t.Errorf("got\n%s", got)
	}
	h.Sound()
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
			if got := h.TableOf(game).Voided; got != want {
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
		h.Sound()
	}
}
