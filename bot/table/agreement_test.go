package table_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/store"
)

// Whatever is pressed in lobbies, late and in whatever order, no person pays another
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

// last returns the newest board.
func (l *lobbies) last() lookedAt {
	if len(l.boards) == 0 {
		return lookedAt{}
	}
	return l.boards[len(l.boards)-1]
}
