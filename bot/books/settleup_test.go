package books_test

import (
	"context"
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

func TestSettlingUp(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	want := func(r chat.Reply, text string) {
		t.Helper()
		if got := bare.Said(t, r); strings.TrimSpace(got) != strings.TrimSpace(text) {
			t.Errorf("got\n%s\nwant\n%s", got, text)
		}
	}
	want(anna.Writes("/settle"), "Nobody owes anybody anything.\n[Why?][Payments]")
	want(anna.Writes("/settle why"), "Nothing to settle yet. Play a game for a stake first.\n[Back]")
	bare.Refused(t, anna.Writes("/settle paid 5 Anna"), "Nobody pays themselves. Name the other side.")
	want(anna.Writes("/settle payments"), "Nothing has been paid here yet.\n[Back]")
	bare.Owing(h, "chips", map[string]int64{"Anna": 35, "Ben": 120, "Clara": -155})
	settle := anna.Writes("/settle")
	want(settle, `
2 payments bring everybody to zero.
Balances in chips: Ben +120 · Anna +35 · Clara −155
Clara → Ben 120 · Clara → Anna 35
[Paid: Clara → Ben 120][Paid: Clara → Anna 35]
[Why?][Payments]`)
	toBen := bare.PressOn(t, settle, "Paid: Clara → Ben 120")
	bare.Refused(t, anna.Sends(toBen), "That is between Clara and Ben. Ask one of them.")
	told := clara.Sends(toBen)
	want(told, `
#1 Clara → Ben 120 chips: Ben is to confirm it.
[✓ Clara → Ben 120][✗ Clara → Ben 120]
[Settle up]`)
	if !told.Public {
		t.Error("Ben does not hear of it")
	}
	bare.Refused(t, clara.Sends(toBen), "That is noted. Ben is to confirm it.")
	confirm := bare.PressOn(t, told, "✓ Clara → Ben 120")
	bare.Refused(t, clara.Sends(confirm), "That is noted. Ben is to confirm it.")
	bare.Refused(t, anna.Sends(confirm), "That is between Clara and Ben. Ask one of them.")
	h.Balance("player:test:Clara", -155)
	want(ben.Sends(confirm), `
#1 Clara → Ben 120 chips: paid and confirmed.`)
	bare.Refused(t, ben.Sends(confirm), "That payment has moved on. /settle payments shows it.")
	h.Balance("player:test:Clara", -35)
	h.Balance("player:test:Ben", 0)
	want(clara.Writes("/settle why"), `
Clara owes 35 chips.
paid to Ben: +120
otherwise: −155
[Why Anna?]
[Back]`)
	back := bare.PressOn(t, clara.Writes("/settle payments"), "Take back Clara → Ben 120")
	bare.Refused(t, anna.Sends(back), "That is between Clara and Ben. Ask one of them.")
	asked := clara.Sends(back)
	want(asked, "#1 Clara → Ben 120 chips: paid. Clara takes it back if Ben agrees.\n[Take back Clara → Ben "+
		"120][Keep Clara → Ben 120]\n[Settle up]")
	want(ben.Sends(back), "#1 Clara → Ben 120 chips: paid, then taken back.")
	bare.Refused(t, ben.Sends(back), "That payment has moved on. /settle payments shows it.")
	h.Balance("player:test:Clara", -155)
	want(ben.Writes("/settle payments"), "The last payment.\n#1 Clara → Ben 120 chips: paid, then taken back.\n[Back]")
	h.Sound()
}

func TestSettlingInWordsInPartAndWithTheHouse(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Locale = "de"
	bare.Owing(h, "chips", map[string]int64{"Anna": -30, "Ben": 10, "house": 20})
	bare.Owing(h, "coffees", map[string]int64{"Anna": 1, "Ben": -1})
	for _, c := range []struct {
		who  *bare.Person
		line string
		want string
	}{
		{anna, "/settle bezahlt 4 ben", "#1 Anna → Ben 4 Chips: Ben muss noch bestätigen."},
		{ben, "/settle got 4 Anna", "#1 Anna → Ben 4 chips: paid and confirmed."},
		{ben, "/settle got 6 Anna", "#2 Anna → Ben 6 chips: Anna is to confirm it."},
		{anna, "/settle withdraw 2", "#2 Anna → Ben 6 Chips: zurückgezogen, nichts wurde gebucht."},
		{anna, "/settle bezahlt 5 das haus", "#3 Anna → das Haus 5 Chips: bezahlt und bestätigt."},
		{anna, "/settle warum", "Anna schuldet 21 Chips."},
		{anna, "/settle warum Ben", "Ben bekommt 6 Chips."},
		{anna, "/settle", "3 Zahlungen bringen alle auf null."},
	} {
		r := c.who.Writes(c.line)
		if got := bare.Said(t, r); !strings.HasPrefix(got, c.want+"\n") {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
	for line, want := range map[string]string{
		"/settle nonsense":               "/settle why Ben, /settle paid 7 Ben, /settle got 7 Ben.",
		"/settle paid":                   "/settle why Ben, /settle paid 7 Ben, /settle got 7 Ben.",
		"/settle paid x Anna":            "The amount is a whole number from 1 to 1,000,000,000,000.",
		"/settle paid 0 Anna":            "The amount is a whole number from 1 to 1,000,000,000,000.",
		"/settle paid -3 Anna":           "The amount is a whole number from 1 to 1,000,000,000,000.",
		"/settle paid 3 Ben":             "Nobody pays themselves. Name the other side.",
		"/settle paid 3 Dora":            "Nothing is kept of “Dora” here. /settle lists all.",
		"/settle why #999":               "Nothing is kept of that person any more. /settle shows who.",
		"/settle paid 3 #1 #999":         "Nothing is kept of that person any more. /settle shows who.",
		"/settle confirm 99":             "There is no such payment. /settle payments lists them.",
		"/settle confirm 1":              "That payment has moved on. /settle payments shows it.",
		"/settle back 2":                 "That payment has moved on. /settle payments shows it.",
		"/settle confirm x":              "/settle why Ben, /settle paid 7 Ben, /settle got 7 Ben.",
		"/settle paid 9999999999999 Ben": "The amount is a whole number from 1 to 1,000,000,000,000.",
	} {
		if got := ben.Writes(line); !got.Refused || got.Toast != want {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
	}
	h.Sound()
}

// What was owed before the chat chose another unit can still be asked for, and
// paid, by name.
func TestSettlingAfterTheUnitHasChanged(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": -30, "Ben": 30})
	anna.Admin = true
	anna.Writes("/unit coffees")
	for _, c := range []struct{ line, want string }{
		{"/settle why", "Anna owes 30 chips.\notherwise: −30\n[Why Ben?]\n[Back]"},
		{"/settle why Ben", "Ben is owed 30 chips.\notherwise: +30\n[Why Anna?]\n[Back]"},
		{"/settle paid 4 Ben", "#1 Anna → Ben 4 chips: Ben is to confirm it.\n[✓ Anna → Ben 4][✗ Anna → Ben " +
			"4]\n[Settle up]"},
	} {
		if got := strings.TrimSpace(bare.Said(t, anna.Writes(c.line))); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.line, got, c.want)
		}
	}
	bare.Owing(h, "coffees", map[string]int64{"Anna": 2, "Ben": 1, "Clara": -3})
	why := anna.Writes("/settle why")
	if got := bare.Said(t, why); !strings.HasPrefix(got, "Anna is owed 2 coffees.\n") ||
		!strings.HasSuffix(got, "\n[Why Ben?][Why Clara?]\n[Why chips?]\n[Back]\n") {
		t.Errorf("got\n%s", got)
	}
	if got := bare.Said(t, anna.Sends(bare.PressOn(t, why, "Why chips?"))); !strings.HasPrefix(got,
		"Anna owes 30 chips.\n") ||
		!strings.HasSuffix(got, "\n[Why Ben?]\n[Why coffees?]\n[Back]\n") {
		t.Errorf("got\n%s", got)
	}
	// Who is explained stays so in another unit, whoever asks, and is not exchanged where they have no books in it.
	other := anna.Sends(bare.PressOn(t, anna.Writes("/settle why Ben"), "Why chips?"))
	if got := bare.Said(t, other); !strings.HasPrefix(got, "Ben is owed 30 chips.\n") ||
		!strings.HasSuffix(got, "\n[Why Anna?]\n[Why coffees?]\n[Back]\n") {
		t.Errorf("got\n%s", got)
	}
	other = anna.Sends(bare.PressOn(t, other, "Why coffees?"))
	if got := bare.Said(t, other); !strings.HasPrefix(got, "Ben is owed 1 coffees.\n") {
		t.Errorf("got\n%s", got)
	}
	if got := bare.Said(t, anna.Writes("/settle why Clara")); strings.Contains(got, "chips") {
		t.Errorf("got\n%s", got)
	}
	if got := bare.Said(t, ben.Writes("/settle got 1 Clara")); !strings.HasPrefix(got, "#2 Clara → Ben 1 coffees: ") {
		t.Errorf("what is played for now comes first, but\n%s", got)
	}
	bare.Refused(t, h.Person("Dora").Writes("/settle paid 1 Clara"),
		"Nothing to settle yet. Play a game for a stake first.")
	bare.Refused(t, anna.Writes("/settle why Dora"), "Nothing is kept of “Dora” here. /settle lists all.")
	h.Sound()
}

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

// explained asks why for everybody in the books, page by page.
func explained(h *bare.House, r *rapid.T, asker *bare.Person) {
	var parties []store.Party
	err := h.Store.View(context.Background(), func(tx *store.Tx) (err error) {
		parties, err = tx.Parties("test:1", "chips")
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
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
