package books_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/store"
)

var amountAtEnd = regexp.MustCompile(`: ([+−])(\d+)$`)

// TestEveryExplanationAddsUp plays random evenings with payments: all that is
// told of a balance adds up to it, on every page, whatever was played and paid.
func TestEveryExplanationAddsUp(t *testing.T) {
	h := bare.New(t, bare.Pile{}, bare.Tally{})
	evening := 0
	rapid.Check(t, func(r *rapid.T) {
		evening++
		var people []*bare.Person
		for i := range rapid.IntRange(2, 5).Draw(r, "people") {
			p := h.Person(fmt.Sprint("S", evening%3, "P", i))
			p.Place = chat.Place(fmt.Sprint("test:1/settle", evening))
			p.Admin = i == 0
			people = append(people, p)
		}
		for range rapid.IntRange(5, 30).Draw(r, "steps") {
			p := rapid.SampledFrom(people).Draw(r, "who")
			if rapid.IntRange(0, 3).Draw(r, "settling") > 0 {
				h.Step(r, p)
				continue
			}
			lines := []string{
				"/tally point=7", "/settle paid 3 " + rapid.SampledFrom(people).Draw(r, "payee").Name,
				"/settle got 2 house", "/settle",
				fmt.Sprint("/settle confirm ", rapid.IntRange(1, 20).Draw(r, "payment")), "/settle payments",
				fmt.Sprint("/settle back ", rapid.IntRange(1, 20).Draw(r, "payment")),
				fmt.Sprint("/settle withdraw ", rapid.IntRange(1, 20).Draw(r, "payment")),
			}
			if reply := p.Writes(rapid.SampledFrom(lines).Draw(r, "line")); strings.Contains(reply.Toast, "our side") ||
				strings.Contains(reply.Toast, "Bei uns klemmt") {
				r.Fatalf("an error of ours")
			} else if reply.Private != nil {
				bare.Proper(t, *reply.Private)
			}
		}
		h.Balanced(r)
		explained(h, r, people[0])
	})
	h.Sound()
}

// explained asks for the reasons of every balance, page by page.
func explained(h *bare.House, r *rapid.T, asker *bare.Person) {
	var parties []store.Party
	h.Reads(func(tx *store.Tx) (err error) {
		parties, err = tx.Books.Parties("test:1", "chips")
		return err
	})
	sum := int64(0)
	for _, p := range parties {
		sum += p.Balance
		if p.Number == 0 && p.Account == store.House && p.Balance == 0 {
			continue // it has never played
		}
		for page := range 3 {
			reply := asker.Writes(fmt.Sprintf("/settle why #%d %d", p.Number, page))
			if reply.Private == nil {
				r.Fatalf("%s: %+v", p.Account, reply)
			}
			told := int64(0)
			for _, line := range reply.Private.Lines {
				m := amountAtEnd.FindStringSubmatch(line)
				if m == nil {
					r.Fatalf("no amount in %q", line)
				}
				n, err := strconv.ParseInt(m[2], 10, 64)
				if err != nil {
					r.Fatal(err)
				}
				if m[1] == "−" {
					n = -n
				}
				told += n
			}
			if told != p.Balance {
				r.Fatalf("%s stands at %d, but is told\n%s", p.Account, p.Balance, bare.Show(*reply.Private))
			}
		}
	}
	if sum != 0 {
		r.Fatalf("the parties add up to %d", sum)
	}
}
