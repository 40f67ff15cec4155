package books_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words/wordstest"
	"knobel/games/gametest/either"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/storetest"
)

// A button about payments names the people who may press it: they are not refused, and all others are.
func TestButtonsOfTheBooksNameTheirPressers(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	bare.Owing(h, "chips", map[string]int64{"Anna": -50, "Ben": 40, "Clara": -10, "house": 20})
	by := func(r chat.Reply, label, want string) (press string) {
		t.Helper()
		press = bare.PressOn(t, r, label)
		for _, b := range slices.Concat(r.Private.Buttons...) {
			if got := fmt.Sprint(b.By); b.Press == press && got != want {
				t.Errorf("%s may be pressed by %s, not %s", label, got, want)
			}
		}
		for _, p := range []*bare.Person{anna, ben, clara} {
			if !strings.Contains(want, p.Name) {
				if r := p.Sends(press); !r.Refused {
					t.Errorf("%s pressed by %s is answered %+v", label, p.Name, r)
				}
			}
		}
		return press
	}
	plan := clara.Writes("/settle")
	by(plan, "Paid: Clara → Computer 10", "[test:Clara]")
	told := anna.Sends(by(plan, "Paid: Anna → Ben 40", "[test:Anna test:Ben]"))
	by(clara.Writes("/settle payments"), "✗ Anna → Ben 40", "[test:Anna test:Ben]")
	ben.Sends(by(told, "✓ Anna → Ben 40", "[test:Ben]"))
	asked := ben.Sends(by(clara.Writes("/settle payments"), "Undo Anna → Ben 40", "[test:Anna test:Ben]"))
	if asked.Private == nil {
		t.Fatalf("asking back is answered %+v", asked)
	}
	by(asked, "Undo Anna → Ben 40", "[test:Anna]")
	anna.Sends(by(asked, "Keep Anna → Ben 40", "[test:Anna test:Ben]"))
	h.Sound()
}

// A person who has reported many unconfirmed payments does not keep others from reporting theirs.
func TestPendingPaymentsBlockOnlyTheirReporter(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	bare.Owing(h, "chips", map[string]int64{"Anna": -5000, "Ben": 4000, "Clara": 1000})
	for n := range 20 {
		if r := anna.Writes(fmt.Sprintf("/settle paid %d Ben", n+1)); r.Refused {
			t.Fatalf("payment %d: %s", n+1, r.Toast)
		}
	}
	const full = "20 of your payments are open. Withdraw some: /settle."
	bare.Refused(t, anna.Writes("/settle paid 21 Ben"), full)
	bare.Refused(t, anna.Writes("/settle paid 1 Clara"), full)
	for _, p := range []*bare.Person{ben, clara} {
		if r := p.Writes("/settle got 21 Anna"); r.Refused {
			t.Errorf("%s cannot tell of a payment: %s", p.Name, r.Toast)
		}
	}
	if r := anna.Writes("/settle paid 21 Ben"); r.Refused {
		t.Errorf("what Ben has told of cannot be confirmed: %s", r.Toast)
	}
	anna.Writes("/settle withdraw 20")
	if r := anna.Writes("/settle paid 1 Clara"); r.Refused {
		t.Errorf("with one withdrawn: %s", r.Toast)
	}
	h.Sound()
}

// The first word of a subcommand may be in any language that has files, even one that no code knows.
func TestVerbsComeFromFiles(t *testing.T) {
	anna, _ := bare.Another(t)
	anna.Admin = true
	anna.Writes("/shutbox 10 tiles=12")
	speaks := func(line string, refused bool) {
		t.Helper()
		r := anna.Writes(line)
		if r.Refused != refused || strings.Contains(r.Toast, "Friday") == refused {
			t.Errorf("%s is answered %+v", line, r)
		}
		if strange := wordstest.Strange(r.Toast, "Friday"); len(strange) > 0 {
			t.Errorf("%s is answered with %s", line, strange)
		}
	}
	speaks("/house saveski Friday", false)
	speaks("/house dropski Friday", false)
	speaks("/house merken Friday", false) // words of all languages are understood everywhere
	speaks("/house streichen Friday", false)
	for _, said := range []string{"yes", "ja", "true", "yesski"} {
		r := anna.Writes("/shutbox thread=" + said)
		if strange := wordstest.Strange(r.Toast, said); !r.Refused || len(strange) > 0 ||
			strings.Contains(r.Toast, said) {
			t.Errorf("thread=%s is answered %+v", said, r) // this platform has no threads, but the word is known
		}
	}
}

// A number with grouped digits is read as those digits, if all separators are alike and the reader's own; no other text
// is read as such a number.
func TestAnyAmountInGroups(t *testing.T) {
	h := bare.New(t, zehntausend.Game{})
	anna := h.Person("Anna")
	bare.Owing(h, "chips", map[string]int64{"Anna": -1000, "Ben": 1000})
	rapid.Check(t, func(t *rapid.T) {
		anna.Locale = rapid.SampledFrom([]string{"en", "de"}).Draw(t, "language")
		sign := rapid.SampledFrom([]string{",", ".", "\u00a0", "\u202f", "'", "_"}).Draw(t, "sign")
		own := map[string]string{"en": ",", "de": "."}[anna.Locale]
		groups := rapid.SliceOfN(rapid.StringMatching(`[0-9]{2,4}`), 1, 3).Draw(t, "groups")
		head := rapid.StringMatching(`[1-9][0-9]{0,3}`).Draw(t, "head")
		fits := len(head) <= 3
		for _, g := range groups {
			fits = fits && len(g) == 3
		}
		said := strings.Join(append([]string{head}, groups...), sign)
		r := anna.Writes("/settle paid " + said + " Nobody")
		read := strings.Contains(r.Toast, "Nobody")
		switch asks := r.Private != nil; {
		case asks:
			if fitting := fits && (sign == "," || sign == ".") && sign != own; !fitting {
				t.Fatalf("%s: asks %q", anna.Locale, said)
			}
		case read && strings.ContainsAny(sign, ",.'_"):
			if !fits || sign != own {
				t.Fatalf("%s: reads %q", anna.Locale, said)
			}
		}
	})
}

var amountAtEnd = regexp.MustCompile(`: ([+−])(\d+)$`)

// TestEveryExplanationAddsUp plays random evenings with payments: the reasons of each balance add up to it.
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
		checkReasons(h, r, people[0])
	})
	h.Sound()
}

// checkReasons requests the reasons of every balance, page by page, and checks their sums.
func checkReasons(h *bare.House, r *rapid.T, asker *bare.Person) {
	parties := bare.Stored(h, func(tx *store.Tx) ([]store.Party, error) { return tx.Books.Parties("test:1", "chips") })
	sum := int64(0)
	for _, p := range parties {
		sum += p.Balance
		if p.Number == 0 && p.Account == store.House && p.Balance == 0 {
			continue // no computer player has played
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

func TestStories(t *testing.T) {
	bare.AllStories(t, either.Game{}, either.Loser(), either.Lids(), bare.Pile{}, bare.Tally{}, shutbox.Game{},
		wuerfelpoker.New(), zehntausend.New(), sets.Kniffel())
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
