package bot_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

const (
	haveChanged = "Something has changed here. Look at the newest board."
	benIsToSay  = "Not agreed yet: Ben. “Agree” is on the board."
)

// A press on a board that shows a smaller stake takes no seat at a larger one.
func TestAStakeIsRaisedWhileSomebodySitsDown(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin 10")
	join := ben.button("Sit down").Press
	anna.writes("/coin 1000000")
	refused(t, ben.sends(join), haveChanged)
	anna.sends("1:1:0:!start")
	h.balance("player:test:Ben", 0)
}

// Whatever of the terms changes, by button or command, whoever sits there agrees
// to it first, and no press of before does that.
func TestTermsAreAgreedTo(t *testing.T) {
	beside(t)
	by := func(labels ...string) func(*person) {
		return func(anna *person) {
			for _, label := range labels {
				anna.presses(label)
			}
		}
	}
	type change struct {
		by   func(*person)
		says string
	}
	for name, c := range map[string]change{
		"stake":     {by("⚙ Rules", "Stake +"), "Anna raised the stake to 20 chips."},
		"a variant": {by("⚙ Rules", "Rules: classic", "golf"), "Anna chose golf."},
		"a rule":    {func(anna *person) { anna.writes("/shutbox tiles=1-10") }, "Anna chose tiles: 1 to 10."},
		"a turn":    {by("⚙ Rules", "A turn: 10 minutes", "5 minutes"), "Anna chose for a turn: 5 minutes."},
		"by command": {func(anna *person) { anna.writes("/shutbox 1000000") },
			"Anna raised the stake to 1,000,000 chips."},
		"a rule's name": {func(anna *person) { anna.writes("/shutbox canoga") }, "Anna chose Canoga."},
		"absence": {by("⚙ Rules", "Then: the house plays", "out, stake lost"),
			"Anna chose for a turn that takes too long: out, stake lost."},
		"twice": {func(anna *person) {
			anna.writes("/shutbox 20")
			anna.sends("1:1:1:!house fewest")
			anna.writes("/shutbox 50")
		}, "Anna added a house player. The pool is now 150 chips.\nAnna raised the stake to 50 chips."},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, shutbox.Game{})
			anna, ben := h.person("Anna"), h.person("Ben")
			anna.writes("/shutbox 10")
			join, start := ben.button("Sit down").Press, ben.button("▶ Start").Press
			ben.sends(join)
			c.by(anna)
			says := c.says + "\nBen, all right? “Agree” keeps the seat, “Get up” frees it.\n"
			if m := show(anna.board()); !strings.Contains(m, says) {
				t.Errorf("the board says\n%s\nand not\n%s", m, says)
			}
			anna.sends("1:1:0:!page")
			if b := anna.buttonWith("!start"); b.Label != "Waiting for Ben" || b.Style != games.Plain {
				t.Errorf("the start is %+v", b)
			}
			refused(t, anna.sends(start), benIsToSay)
			refused(t, ben.sends(join), haveChanged)
			refused(t, h.person("Clara").sends(join), haveChanged)
			if m := show(anna.board()); !strings.Contains(m, "\nBen to agree\n") || !strings.Contains(m, "[Agree]") {
				t.Errorf("the board does not ask Ben:\n%s", m)
			}
			h.restart()
			refused(t, h.person("Clara").presses("Agree"), "Sit down first: “Sit down” is on the board.")
			refused(t, anna.presses("Agree"), "You have agreed already. “Get up” gives the seat back.")
			told(t, ben.presses("Agree"), "You agree to what the board says.")
			if m := show(anna.board()); strings.Contains(m, "gree") || strings.Contains(m, c.says) {
				t.Errorf("the board still asks:\n%s", m)
			}
			anna.sends(start) // she has made the change herself
			if table := anna.table(); table.State != store.Playing {
				t.Errorf("the table is in %s", table.State)
			}
			h.sound()
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
			h := newHouse(t, shutbox.Game{})
			anna, ben := h.person("Anna"), h.person("Ben")
			anna.writes("/shutbox 10")
			anna.sends("1:1:0:!house fewest")
			ben.presses("Sit down")
			join := ben.button("Sit down").Press
			anna.sends("1:1:0:" + change)
			if m := show(anna.board()); !strings.Contains(m, says) || strings.Contains(m, "gree") {
				t.Errorf("the board says\n%s", m)
			}
			refused(t, h.person("Clara").sends(join), haveChanged)
			h.restart()
			anna.sends("1:1:0:!start")
			if table := anna.table(); table.State != store.Playing {
				t.Errorf("the table is in %s", table.State)
			}
			h.sound()
		})
	}
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	anna.writes("/shutbox 20")
	anna.sends("1:1:0:!house fewest")
	anna.writes("/shutbox 5")
	refused(t, anna.sends("1:1:0:!start"), benIsToSay)
	ben.presses("Agree")
	anna.sends("1:1:0:!start")
	h.balance("player:test:Ben", -5)
}

// Nobody presses once more who sits alone, or with the house alone, however the
// table changes; and what is no term frees nobody.
func TestAloneNobodyAgreesTwice(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox 10")
	start := anna.button("▶ Start").Press
	anna.presses("+ House")
	anna.presses("+ closes few tiles")
	anna.presses("⚙ Rules")
	anna.presses("Stake +")
	anna.writes("/shutbox golf")
	if m := show(anna.board()); strings.Contains(m, "gree") {
		t.Errorf("she is asked:\n%s", m)
	}
	anna.sends(start)
	if table := anna.table(); table.State != store.Playing || table.Stake != 20 {
		t.Errorf("the table is %s for %d", table.State, table.Stake)
	}

	h = newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.admin = true
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	anna.writes("/unit beans")
	anna.writes("/settings quiet=22-8")
	anna.writes("/house save Friday")
	anna.writes("/shutbox 10 turn=10m")
	anna.presses("⚙ Rules")
	anna.sends(start)
	h.balance("player:test:Ben", -10)
}

// Who may change a table with others agrees to what another has changed only by
// looking at it.
func TestTwoHostsAgreeToEachOther(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	clara.writes("/coin 10")
	for _, p := range []*person{anna, ben} {
		p.presses("Sit down")
	}
	clara.presses("Get up") // both decide now
	start, house := anna.button("▶ Start").Press, anna.button("+ House").Press
	ben.writes("/coin 1000000")
	refused(t, anna.sends(start), haveChanged)
	anna.sends(house)
	refused(t, anna.sends(start), haveChanged)
	refused(t, ben.sends(start), "Not agreed yet: Anna. “Agree” is on the board.")
	anna.presses("Waiting for Anna") // which agrees
	h.balance("player:test:Anna", -1_000_000)
}

// Once the opener is away another may start, and the board of all says that the opener has to agree to a change.
func TestTheAbsentOpenerIsWaitedForByName(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin 10")
	ben.presses("Sit down")
	h.wait(6 * time.Minute)
	ben.writes("/coin 20")
	if b := ben.buttonWith("!start"); b.Label != "Waiting for Anna" || b.Style != games.Plain {
		t.Errorf("it is started by %+v", b)
	}
	anna.presses("Waiting for Anna") // by which she is about again, and agrees
	h.balance("pool:1", 40)
}

// A rematch's seats are kept, and agree to what the board that is pressed shows:
// that of the game over, while it is on the same terms.
func TestARematchIsAgreedToByWhatItShows(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	h.coinPlayed("/coin 2", anna, ben)
	first := anna.button("↻ Rematch").Press
	anna.sends(first)
	anna.writes("/coin 1000000")
	r := ben.sends(first)
	refused(t, r, haveChanged)
	if r.Board != 2 || !r.Fresh {
		t.Errorf("he is not shown the board: %+v", r)
	}
	ben.presses("Sit down")
	anna.sends("1:2:0:!start")
	h.balance("pool:2", 2_000_000)
	h.playOn("second", anna, ben)
	anna.sends(first) // by the board of the first game, to a rematch of the second
	if m := show(anna.board()); !strings.Contains(m, "Anna to agree") || !strings.Contains(m, "Ben reserved") {
		t.Errorf("she has agreed to what she has not seen:\n%s", m)
	}
	refused(t, anna.sends("1:3:7:!start"), haveChanged)
	anna.presses("▶ Start") // which shows it
	if table := anna.table(); table.State != store.Playing {
		t.Errorf("the table is in %s", table.State)
	}
	h.sound()
}

// Whatever is pressed in lobbies, late and in whatever order, nobody pays another
// stake than the one on the last board on which they have agreed, or have set.
func TestNobodyPaysAStakeThatTheyHaveNotSeen(t *testing.T) {
	beside(t)
	begun, seeds := 0, 2
	if needs.IsLong() {
		seeds = 40
	}
	for seed := range int64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := newHouse(t)
			l := lobbies{house: h, chance: rand.New(rand.NewSource(seed)), saw: map[string]int64{}}
			for _, name := range []string{"Anna", "Ben", "Clara", "Dora"} {
				l.people = append(l.people, h.person(name))
			}
			for range 120 {
				l.step()
			}
			begun += l.begun
			h.sound()
		})
	}
	if begun < seeds {
		t.Errorf("%d games have begun", begun)
	}
}

// lobbies are tables at which people press what they find.
type lobbies struct {
	*house
	chance *rand.Rand
	people []*person
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
		r = p.writes(fmt.Sprint("/coin ", []int{1, 10, 500}[l.chance.Intn(3)]))
	} else {
		back := min(l.chance.Intn(2)*l.chance.Intn(5), len(l.boards)-1)
		on := l.boards[len(l.boards)-1-back]
		b := slices.Concat(on.Buttons...)
		if len(b) == 0 {
			return
		}
		pressed, seen = b[l.chance.Intn(len(b))].Press, on.stake
		r = p.sends(pressed)
	}
	l.look(p, pressed, seen, r)
}

// look notes what a press has led to.
func (l *lobbies) look(p *person, pressed string, seen int64, r chat.Reply) {
	table := p.table()
	sits := slices.ContainsFunc(table.Seats, func(s store.Seat) bool { return s.Player == "test:"+p.name })
	_, verb, _ := strings.Cut(pressed, "!")
	verb, _, _ = strings.Cut(verb, " ")
	switch {
	case r.Refused:
	case slices.Contains([]string{"join", "agree", "rematch"}, verb), verb == "start" && table.Stake == seen:
		l.saw[p.name] = seen
	case sits && table.State == store.Lobby && (pressed == "" || verb == "stake") &&
		(l.last().Table != table.ID || l.last().stake != table.Stake):
		l.saw[p.name] = table.Stake
	}
	l.boards = append(l.boards, lookedAt{p.board(), table.Stake})
	if verb == "start" && !r.Refused && table.State == store.Playing && len(table.Seats) > 1 {
		l.begun++
		for _, s := range table.Seats {
			if name := strings.TrimPrefix(s.Player, "test:"); s.Player != "" && l.saw[name] < table.Stake {
				l.t.Errorf("%s pays %d and has seen %d", name, table.Stake, l.saw[name])
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

// agree has people agree to what the board shows.
func (h *house) agree(people ...*person) {
	h.t.Helper()
	for _, p := range people {
		p.sends(chat.LobbyPressOn(p.board(), "agree"))
	}
}
