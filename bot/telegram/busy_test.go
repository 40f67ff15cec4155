package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/standin"
	"knobel/bot/telegram/telegramtest"
)

// busy is a forum whose topics have a table each, and a clock that moves only
// when the test says so.
type busy struct {
	*evening
	forum  *telegramtest.Chat
	topics []int64
	most   int // writes within any minute so far
}

func newBusy(t *testing.T, tables int) *busy {
	t.Helper()
	e := unopened(t, nil, standin.NewClock(false))
	e.house = e.clock
	b := &busy{evening: e, forum: e.server.Supergroup("Dice", true)}
	for i := range tables {
		b.topics = append(b.topics, b.forum.Topic(fmt.Sprint("Table ", i)))
	}
	e.open()
	return b
}

// at is what happens in a topic.
func (b *busy) at(topic int64) *evening { return b.in(b.forum, topic) }

// pass lets time go by until a condition holds.
func (b *busy) pass(what string, holds func() bool) { b.wait(what, 250*time.Millisecond, holds) }

// soon waits until a condition holds, while the clock stands still.
func (b *busy) soon(what string, holds func() bool) { b.wait(what, 0, holds) }

func (b *busy) wait(what string, step time.Duration, holds func() bool) {
	b.t.Helper()
	came := b.clock.Pass(step, func() bool {
		b.most = max(b.most, b.forum.Writes())
		return holds()
	})
	if !came {
		b.t.Fatalf("waited in vain until %s\n%s", what, b.log)
	}
}

// presses is one press of everybody on a table's board, answered while the clock
// stands still.
func (b *busy) presses(topic int64, ends string, people ...telegramtest.Person) {
	b.t.Helper()
	there := b.at(topic)
	m, data, ok := there.carries(ends)
	if ends == "" {
		m, data, _ = there.present()
		ok = data != ""
	}
	if !ok {
		return
	}
	for _, p := range people {
		there.answered(there.group.PressData(p, m.ID, data))
	}
}

// begin opens all tables and starts them.
func (b *busy) begin(people ...telegramtest.Person) {
	b.t.Helper()
	for _, topic := range b.topics {
		b.forum.SayIn(topic, people[0], "/shutbox 10 match=rounds:5")
	}
	each := func(what, ends string) {
		b.pass(what, func() bool {
			return !slices.ContainsFunc(b.topics, func(topic int64) bool { _, _, ok := b.at(topic).carries(ends); return !ok })
		})
	}
	each("all lobbies are there", ":!start")
	for _, topic := range b.topics {
		b.presses(topic, ":!join", people[1:]...)
		b.presses(topic, ":!start", people[0])
	}
	each("all games have begun", ":throw 2")
}

// Ten tables in the topics of one group, at all of which everybody presses: for
// minutes Telegram gets fewer than twenty writes in any minute, every press is
// answered while the boards still wait, and every table goes on.
func TestTenTablesInOneGroup(t *testing.T) {
	b := newBusy(t, 10)
	b.begin(anna, ben)
	before := len(b.server.Calls("answerCallbackQuery"))
	drawn := func(topic int64) (edits int) {
		for _, m := range b.at(topic).messages() {
			edits += m.Edits
		}
		return edits
	}
	first := map[int64]int{}
	for _, topic := range b.topics {
		first[topic] = drawn(topic)
	}
	waited, least := 0, 0
	until := b.clock.Now().Add(2 * time.Minute)
	// A machine that draws slowly while the clock goes on has longer for it.
	for rounds := 0; rounds < 100 && (b.clock.Now().Before(until) || least < 2 || b.most < 10); rounds++ {
		for _, topic := range b.topics {
			b.presses(topic, "", anna, ben)
		}
		waited = max(waited, b.waiting())
		end := b.clock.Now().Add(10 * time.Second)
		b.pass("ten seconds", func() bool { return !b.clock.Now().Before(end) })
		least = 1000
		for _, topic := range b.topics {
			least = min(least, drawn(topic)-first[topic])
		}
	}
	answers := len(b.server.Calls("answerCallbackQuery")) - before
	t.Logf("at most %d writes a minute, %d answers, up to %d boards waited, each table was drawn %d times or more", b.most, answers, waited, least)
	if b.most >= 20 || b.most < 10 {
		t.Errorf("%d writes in one minute", b.most)
	}
	if least < 2 || waited < 5 || answers < 200 {
		t.Errorf("drawn %d times, %d boards waited, %d answers", least, waited, answers)
	}
}

// waiting is how many boards wait for the group's budget.
func (b *busy) waiting() int { return b.tele.Budget(placeID(b.forum.ID(), 0)).Waiting }

// A board at which somebody is to move is drawn before a lobby that has waited
// longer.
func TestBoardsOfThoseWhoAreToMoveComeFirst(t *testing.T) {
	b := newBusy(t, 2)
	lobby := b.topics[1]
	b.topics = b.topics[:1]
	b.begin(anna, ben)
	b.forum.SayIn(lobby, ben, "/shutbox")
	b.pass("the lobby is there", func() bool { _, _, ok := b.at(lobby).carries(":!start"); return ok })
	for n := range 6 { // until the budget is spent, and the lobby waits
		b.presses(lobby, []string{":!join", ":!leave"}[n%2], anna)
		if b.soon("it is drawn, or waits", func() bool {
			edits := b.at(lobby).messages()[0].Edits
			return edits > n || b.waiting() > 0
		}); b.waiting() > 0 {
			break
		}
	}
	if b.waiting() != 1 {
		t.Fatalf("%d boards wait", b.waiting())
	}
	before := len(b.server.Calls("editMessageText"))
	b.presses(b.topics[0], "", anna, ben)
	b.soon("both are in the queue", func() bool { return b.tele.budget.of(b.forum.ID()).waiting() == 2 })
	b.pass("both are drawn", func() bool { return len(b.server.Calls("editMessageText")) >= before+2 })
	var heads []string
	for _, call := range b.server.Calls("editMessageText")[before:] {
		head, _, _ := strings.Cut(call.Params["text"], "\n")
		heads = append(heads, head)
	}
	if !strings.HasPrefix(heads[0], "Anna wirft") || !strings.Contains(heads[1], "opens a table") {
		t.Errorf("drawn in this order: %q", heads)
	}
}
