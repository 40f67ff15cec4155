package table_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// A press on a board that shows a smaller stake takes no seat at a larger one.
func TestAStakeIsRaisedWhileSomebodySitsDown(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin 10")
	join := ben.Button("Sit down").Press
	anna.Writes("/coin 1000000")
	bare.Refused(t, ben.Sends(join), bare.HaveChanged)
	anna.Sends("1:1:0:!start")
	h.Balance("player:test:Ben", 0)
}

// Whatever of the terms changes, by button or command, whoever sits there agrees
// to it first, and no press of before does that.
func TestTermsAreAgreedTo(t *testing.T) {
	bare.Beside(t)
	by := func(labels ...string) func(*bare.Person) {
		return func(anna *bare.Person) {
			for _, label := range labels {
				anna.Presses(label)
			}
		}
	}
	type change struct {
		by   func(*bare.Person)
		says string
	}
	for name, c := range map[string]change{
		"stake":     {by("⚙ Rules", "Stake +"), "Anna raised the stake to 20 chips."},
		"a variant": {by("⚙ Rules", "Rules: classic", "golf"), "Anna chose golf."},
		"a rule":    {func(anna *bare.Person) { anna.Writes("/shutbox tiles=1-10") }, "Anna chose tiles: 1 to 10."},
		"a turn":    {by("⚙ Rules", "A turn: 10 minutes", "5 minutes"), "Anna chose for a turn: 5 minutes."},
		"by command": {func(anna *bare.Person) { anna.Writes("/shutbox 1000000") },
			"Anna raised the stake to 1,000,000 chips."},
		"a rule's name": {func(anna *bare.Person) { anna.Writes("/shutbox canoga") }, "Anna chose Canoga."},
		"absence": {by("⚙ Rules", "Then: the house plays", "out, stake lost"),
			"Anna chose for a turn that takes too long: out, stake lost."},
		"twice": {func(anna *bare.Person) {
			anna.Writes("/shutbox 20")
			anna.Sends("1:1:1:!house fewest")
			anna.Writes("/shutbox 50")
		}, "Anna added a house player. The pool is now 150 chips.\nAnna raised the stake to 50 chips."},
	} {
		t.Run(name, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			anna, ben := h.Person("Anna"), h.Person("Ben")
			anna.Writes("/shutbox 10")
			join, start := ben.Button("Sit down").Press, ben.Button("▶ Start").Press
			ben.Sends(join)
			c.by(anna)
			says := c.says + "\nBen, all right? “Agree” keeps the seat, “Get up” frees it.\n"
			if m := bare.Show(anna.Board()); !strings.Contains(m, says) {
				t.Errorf("the board says\n%s\nand not\n%s", m, says)
			}
			anna.Sends("1:1:0:!page")
			if b := anna.ButtonWith("!start"); b.Label != "Waiting for Ben" || b.Style != games.Plain {
				t.Errorf("the start is %+v", b)
			}
			bare.Refused(t, anna.Sends(start), bare.BenIsToSay)
			bare.Refused(t, ben.Sends(join), bare.HaveChanged)
			bare.Refused(t, h.Person("Clara").Sends(join), bare.HaveChanged)
			if m := bare.Show(anna.Board()); !strings.Contains(m, "\nBen to agree\n") || !strings.Contains(m,
				"[Agree]") {
				t.Errorf("the board does not ask Ben:\n%s", m)
			}
			h.Restart()
			bare.Refused(t, h.Person("Clara").Presses("Agree"), "Sit down first: “Sit down” is on the board.")
			bare.Refused(t, anna.Presses("Agree"), "You have agreed already. “Get up” gives the seat back.")
			bare.Told(t, ben.Presses("Agree"), "You agree to what the board says.")
			if m := bare.Show(anna.Board()); strings.Contains(m, "gree") || strings.Contains(m, c.says) {
				t.Errorf("the board still asks:\n%s", m)
			}
			anna.Sends(start) // she has made the change herself
			if table := anna.Table(); table.State != store.Playing {
				t.Errorf("the table is in %s", table.State)
			}
			h.Sound()
		})
	}
}

// What costs nobody more than they have agreed to asks nobody again; the board says what it is, and a press on an older
// board agrees to nothing. Who had not agreed before still has to.
func TestWhatCostsNobodyMoreAsksNobody(t *testing.T) {
	for change, says := range map[string]string{
		"!house fewest":  "Anna added a house player. The pool is now 40 chips.",
		"!unhouse":       "Anna removed a house player. The pool is now 20 chips.",
		"!stake less":    "Anna lowered the stake to 7 chips.",
		"!set turn=1h":   "Anna chose for a turn: 1 hour.",
		"!set turn=none": "Anna chose for a turn: no time limit.",
	} {
		t.Run(change, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			anna, ben := h.Person("Anna"), h.Person("Ben")
			anna.Writes("/shutbox 10")
			anna.Sends("1:1:0:!house fewest")
			ben.Presses("Sit down")
			join := ben.Button("Sit down").Press
			anna.Sends("1:1:0:" + change)
			if m := bare.Show(anna.Board()); !strings.Contains(m, says) || strings.Contains(m, "gree") {
				t.Errorf("the board says\n%s", m)
			}
			bare.Refused(t, h.Person("Clara").Sends(join), bare.HaveChanged)
			h.Restart()
			anna.Sends("1:1:0:!start")
			if table := anna.Table(); table.State != store.Playing {
				t.Errorf("the table is in %s", table.State)
			}
			h.Sound()
		})
	}
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	anna.Writes("/shutbox 20")
	anna.Sends("1:1:0:!house fewest")
	anna.Writes("/shutbox 5")
	bare.Refused(t, anna.Sends("1:1:0:!start"), bare.BenIsToSay)
	ben.Presses("Agree")
	anna.Sends("1:1:0:!start")
	h.Balance("player:test:Ben", -5)
}

// Nobody presses once more who sits alone, or with the house alone, however the
// table changes; and what is no term frees nobody.
func TestAloneNobodyAgreesTwice(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox 10")
	start := anna.Button("▶ Start").Press
	anna.Presses("+ House")
	anna.Presses("+ closes few tiles")
	anna.Presses("⚙ Rules")
	anna.Presses("Stake +")
	anna.Writes("/shutbox golf")
	if m := bare.Show(anna.Board()); strings.Contains(m, "gree") {
		t.Errorf("she is asked:\n%s", m)
	}
	anna.Sends(start)
	if table := anna.Table(); table.State != store.Playing || table.Stake != 20 {
		t.Errorf("the table is %s for %d", table.State, table.Stake)
	}

	h = bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	anna.Writes("/unit beans")
	anna.Writes("/settings quiet=22-8")
	anna.Writes("/house save Friday")
	anna.Writes("/shutbox 10 turn=10m")
	anna.Presses("⚙ Rules")
	anna.Sends(start)
	h.Balance("player:test:Ben", -10)
}

// Who may change a table with others agrees to what another has changed only by
// looking at it.
func TestTwoHostsAgreeToEachOther(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	clara.Writes("/coin 10")
	for _, p := range []*bare.Person{anna, ben} {
		p.Presses("Sit down")
	}
	clara.Presses("Get up") // both decide now
	start, house := anna.Button("▶ Start").Press, anna.Button("+ House").Press
	ben.Writes("/coin 1000000")
	bare.Refused(t, anna.Sends(start), bare.HaveChanged)
	anna.Sends(house)
	bare.Refused(t, anna.Sends(start), bare.HaveChanged)
	bare.Refused(t, ben.Sends(start), "Not agreed yet: Anna. “Agree” is on the board.")
	anna.Presses("Waiting for Anna") // which agrees
	h.Balance("player:test:Anna", -1_000_000)
}

// Once the opener is away another may start, and the board of all says that the opener has to agree to a change.
func TestTheAbsentOpenerIsWaitedForByName(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin 10")
	ben.Presses("Sit down")
	h.Wait(6 * time.Minute)
	ben.Writes("/coin 20")
	if b := ben.ButtonWith("!start"); b.Label != "Waiting for Anna" || b.Style != games.Plain {
		t.Errorf("it is started by %+v", b)
	}
	anna.Presses("Waiting for Anna") // by which she is about again, and agrees
	h.Balance("pool:1", 40)
}

// A rematch's seats are kept, and agree to what the board that is pressed shows:
// that of the game over, while it is on the same terms.
func TestARematchIsAgreedToByWhatItShows(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	h.CoinPlayed("/coin 2", anna, ben)
	first := anna.Button("↻ Rematch").Press
	anna.Sends(first)
	anna.Writes("/coin 1000000")
	r := ben.Sends(first)
	bare.Refused(t, r, bare.HaveChanged)
	if r.Board != 2 || !r.Fresh {
		t.Errorf("he is not shown the board: %+v", r)
	}
	ben.Presses("Sit down")
	anna.Sends("1:2:0:!start")
	h.Balance("pool:2", 2_000_000)
	h.PlayOn("second", anna, ben)
	anna.Sends(first) // by the board of the first game, to a rematch of the second
	if m := bare.Show(anna.Board()); !strings.Contains(m, "Anna to agree") || !strings.Contains(m, "Ben reserved") {
		t.Errorf("she has agreed to what she has not seen:\n%s", m)
	}
	bare.Refused(t, anna.Sends("1:3:7:!start"), bare.HaveChanged)
	anna.Presses("▶ Start") // which shows it
	if table := anna.Table(); table.State != store.Playing {
		t.Errorf("the table is in %s", table.State)
	}
	h.Sound()
}

// Whatever is pressed in lobbies, late and in whatever order, nobody pays another
// stake than the one on the last board on which they have agreed, or have set.
func TestNobodyPaysAStakeThatTheyHaveNotSeen(t *testing.T) {
	bare.Beside(t)
	begun, seeds := 0, 2
	if needs.IsLong() {
		seeds = 40
	}
	for seed := range int64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := bare.New(t)
			l := lobbies{House: h, chance: rand.New(rand.NewSource(seed)), saw: map[string]int64{}}
			for _, name := range []string{"Anna", "Ben", "Clara", "Dora"} {
				l.people = append(l.people, h.Person(name))
			}
			for range 120 {
				l.step()
			}
			begun += l.begun
			h.Sound()
		})
	}
	if begun < seeds {
		t.Errorf("%d games have begun", begun)
	}
}

// lobbies are tables at which people press what they find.
type lobbies struct {
	*bare.House
	chance *rand.Rand
	people []*bare.Person
	boards []lookedAt
	saw    map[string]int64 // the stake that a person has agreed to
	begun  int              // games of several that have begun
}

// lookedAt is a board, with the stake that it shows.
type lookedAt struct {
	chat.Message
	stake int64
}

func (l *lobbies) step() {
	p := l.people[l.chance.Intn(len(l.people))]
	var r chat.Reply
	var pressed string
	seen := int64(-1) // the stake on the pressed board
	if len(l.boards) == 0 || l.chance.Intn(8) == 0 {
		r = p.Writes(fmt.Sprint("/coin ", []int{1, 10, 500}[l.chance.Intn(3)]))
	} else {
		back := min(l.chance.Intn(2)*l.chance.Intn(5), len(l.boards)-1)
		on := l.boards[len(l.boards)-1-back]
		b := slices.Concat(on.Buttons...)
		if len(b) == 0 {
			return
		}
		pressed, seen = b[l.chance.Intn(len(b))].Press, on.stake
		r = p.Sends(pressed)
	}
	l.look(p, pressed, seen, r)
}

// look notes what a press has led to.
func (l *lobbies) look(p *bare.Person, pressed string, seen int64, r chat.Reply) {
	table := p.Table()
	sits := slices.ContainsFunc(table.Seats, func(s store.Seat) bool { return s.Player == "test:"+p.Name })
	_, verb, _ := strings.Cut(pressed, "!")
	verb, _, _ = strings.Cut(verb, " ")
	switch {
	case r.Refused:
	case slices.Contains([]string{"join", "agree", "rematch"}, verb), verb == "start" && table.Stake == seen:
		l.saw[p.Name] = seen
	case sits && table.State == store.Lobby && (pressed == "" || verb == "stake") &&
		(l.last().Table != table.ID || l.last().stake != table.Stake):
		l.saw[p.Name] = table.Stake
	}
	l.boards = append(l.boards, lookedAt{p.Board(), table.Stake})
	if verb == "start" && !r.Refused && table.State == store.Playing && len(table.Seats) > 1 {
		l.begun++
		for _, s := range table.Seats {
			if name := strings.TrimPrefix(s.Player, "test:"); s.Player != "" && l.saw[name] < table.Stake {
				l.T.Errorf("%s pays %d and has seen %d", name, table.Stake, l.saw[name])
			}
		}
	}
}

// last is the newest board.
func (l *lobbies) last() lookedAt {
	if len(l.boards) == 0 {
		return lookedAt{}
	}
	return l.boards[len(l.boards)-1]
}
