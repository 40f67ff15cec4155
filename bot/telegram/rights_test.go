package telegram

import (
	"strings"
	"testing"

	"knobel/bot/telegram/telegramtest"
)

// In a group: whoever watches cannot press, a choice is taken back, most of those
// seated end the table, two press for a rematch at once, and who watched joins it.
func TestUndoVoteAndRematchInAGroup(t *testing.T) {
	e := newEvening(t)
	e.sit("/shutbox 10 tiles=2-12 one-die=never", anna, ben)
	if said := e.press(clara, ":throw 2").Text; !strings.Contains(said, "watching") && !strings.Contains(said, "schaust") {
		t.Errorf("who watches is told %q", said)
	}
	m, _, _ := e.turn("")
	e.press(anna, ":throw 2")
	_, set, _ := e.turn(dataOf(m))
	e.group.PressData(anna, m.ID, set)
	if said := e.press(ben, ":!undo").Text; !strings.Contains(said, "Anna") {
		t.Errorf("Ben takes Anna's choice back: %q", said)
	}
	e.press(anna, ":!undo")
	e.until("the sets are back", func() bool {
		_, data, ok := e.carries(set[strings.LastIndex(set, ":"):])
		return ok && data != set
	})

	e.group.SayIn(e.topic, ben, "/abandon")
	e.until("the vote is shown", func() bool {
		m, _, ok := e.carries(":!vote yes")
		return ok && strings.Contains(m.Text, "Ben O'Neill, 1 von 2 Stimmen")
	})
	if said := e.press(clara, ":!vote yes").Text; strings.Contains(said, "2") {
		t.Errorf("who watches has a vote: %q", said)
	}
	e.press(anna, ":!vote yes")
	over := e.reads("vor der Zeit beendet")

	e.until("a rematch is offered", func() bool { _, _, ok := e.carries(":!rematch"); return ok })
	_, data, _ := e.carries(":!rematch")
	e.answered(e.group.PressData(anna, over.ID, data), e.group.PressData(ben, over.ID, data), e.group.PressData(anna, over.ID, data))
	e.press(clara, ":!join")
	e.until("three sit at one new table", func() bool {
		m, _, ok := e.carries(":!start")
		return ok && strings.Contains(m.Text, "Clara") && !strings.Contains(m.Text, "reserviert")
	})
	if _, data, _ := e.carries(":!start"); !strings.HasPrefix(data, "1:2:") {
		t.Errorf("the rematch carries %s", data)
	}
}

// dataOf is what the button carries that somebody presses who wants to go on.
func dataOf(m telegramtest.Message) string { return next(m.Keyboard) }

// House rules are kept by the group's administrators, as Telegram knows them.
func TestHouseRulesInAGroup(t *testing.T) {
	e := newEvening(t)
	e.group.Admin(ben)
	e.group.Say(anna, "/shutbox 0 tiles=4 ties=roll-off")
	e.until("there is a lobby", func() bool { _, _, ok := e.carries(":!join"); return ok })
	e.group.Say(anna, "/house save <b>Freitag</b>")
	e.reads("streichen hier nur Admins")
	e.group.Say(ben, "/house save <b>")
	e.reads("one word of letters")
	e.group.Say(ben, "/house save Omas Freitag")
	e.reads("Kept: Omas-Freitag (")
	e.reads("· Omas-Freitag (")
	e.press(anna, ":!page rules")
	e.press(anna, ":!page variants")
	e.press(anna, ":!set variant=golf")
	e.press(anna, ":!page variants")
	e.press(anna, ":!set house=1")
	e.reads("· Omas-Freitag (")
	e.group.Say(anna, "/house")
	e.reads("Shut the Box · Omas-Freitag (")
}
