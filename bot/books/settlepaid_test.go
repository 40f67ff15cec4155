package books_test

import (
	"fmt"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/store"
)

// forgotten presses the button that has a person forgotten.
func forgotten(t *testing.T, p *bare.Person) {
	t.Helper()
	p.Sends(bare.PressOn(t, p.Writes("/forget"), "Forget me"))
}

// TestOneWordAloneNeverMakesADebt pays and takes at random from those who cannot answer: no balance grows, none turns
// its sign, and what is refused changes nothing.
func TestOneWordAloneNeverMakesADebt(t *testing.T) {
	n := 0
	h := bare.New(t)
	rapid.Check(t, func(r *rapid.T) {
		n++
		unit := fmt.Sprint("u", n)
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Admin = true
		amounts := map[string]int64{}
		for _, name := range []string{"Anna", "Clara", "house"} {
			amounts[name] = rapid.Int64Range(-20, 20).Draw(r, name)
		}
		amounts["Ben"] = -amounts["Anna"] - amounts["Clara"] - amounts["house"]
		bare.Owing(h, unit, amounts)
		anna.Writes("/unit " + unit)
		forgotten(t, ben)
		gone := "gone " + fmt.Sprint(n)
		before := h.Stands(unit)
		var buttons []string
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			who := h.Person(rapid.SampledFrom([]string{"Anna", "Clara"}).Draw(r, "who"))
			var reply chat.Reply
			if len(buttons) > 0 && rapid.Bool().Draw(r, "press") {
				reply = who.Sends(rapid.SampledFrom(buttons).Draw(r, "button"))
			} else {
				verb := rapid.SampledFrom([]string{"paid", "got"}).Draw(r, "verb")
				other := rapid.SampledFrom([]string{"house", gone}).Draw(r, "other")
				reply = who.Writes(fmt.Sprintf("/settle %s %d %s", verb, rapid.IntRange(1, 25).Draw(r, "amount"),
					other))
				for _, b := range who.Writes("/settle").Private.Buttons[0] {
					buttons = append(buttons, b.Press)
				}
			}
			after := h.Stands(unit)
			for account, now := range after {
				was := before[account]
				if now*was < 0 || max(now, -now) > max(was, -was) || reply.Refused && now != was {
					r.Fatalf("%s: from %d to %d, %+v", account, was, now, reply)
				}
			}
			before = after
		}
		if doubts := doubts(h); len(doubts) > 0 {
			r.Fatalf("%+v", doubts)
		}
	})
	h.Sound()
}

// doubts are the payments that the operator is told of.
func doubts(h *bare.House) (found []store.Doubt) {
	h.T.Helper()
	h.Reads(func(tx *store.Tx) (err error) {
		found, err = tx.Books.Doubtful()
		return err
	})
	return found
}
