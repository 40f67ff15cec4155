package discord

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

// visit is a scene in a place where the bot is a guest. Anna has added it to her account.
type visit struct {
	*scene
	at  *discordtest.Channel
	ben *discordtest.Person
}

// beGuest returns a visit with this core: in a server that has not invited the bot or, if group, in a conversation.
func beGuest(t *testing.T, core *script, group bool) *visit {
	t.Helper()
	core.commands = append(someCommands(), chat.Command{Name: "rules", About: map[string]string{"en": "Rules"}})
	s := rehearse(t, discordtest.Options{Accounts: true}, core)
	v := &visit{scene: s, ben: s.server.Person("Ben", "de")}
	s.server.Install(s.anna)
	if v.at = s.server.Group(); !group {
		v.at = s.server.Foreign("Elsewhere").Channel("games")
	}
	s.until("the commands are registered", func() bool { return s.server.Registered() > 0 })
	return v
}

// opens has Anna use a command that posts a board, and returns its message.
func (v *visit) opens() discordtest.Message {
	v.Helper()
	v.core.handle = says(chat.Reply{Board: 1, Fresh: true})
	v.answer(v.at.Slash(v.anna, "rules"))
	v.until("the board is posted", func() bool { return v.core.at() != "" })
	m, _ := v.at.Last()
	return m
}

// edits has the bot edit the board of its core to this heading without an event.
func (v *visit) edits(head string) error {
	v.change(head)
	v.core.mu.Lock()
	m, ref := v.core.board, v.core.ref
	m.Permit = v.core.permit
	v.core.mu.Unlock()
	return v.discord.Edit(v.ctx, "", ref, m)
}

// reads fails unless the newest message for all in the place has this text.
func (v *visit) reads(text string) {
	v.Helper()
	if m, _ := v.at.Last(); m.Text() != text {
		v.Errorf("the board says %q, want %q", m.Text(), text)
	}
}

// TestGuestBoards plays with the boards of places where the bot is a guest: the newest token draws each, and once that
// is dead, the next press does.
func TestGuestBoards(t *testing.T) {
	t.Parallel()
	for _, group := range []bool{false, true} {
		v := beGuest(t, &script{}, group)
		board := v.opens()
		v.reads("The board.")
		check(t, v.edits("By the command."))
		v.reads("By the command.")
		press := board.Buttons()[0].CustomID
		v.core.handle = says(chat.Reply{Board: 1})
		v.change("By Ben.")
		if a := v.answer(v.at.Press(v.ben, board.ID, press)); a.Type != update {
			t.Errorf("a press is answered by %d", a.Type)
		}
		v.reads("By Ben.")
		check(t, v.edits("By his token."))
		v.reads("By his token.")
		v.server.ExpireTokens()
		if err := v.edits("Too late."); !errors.Is(err, chat.ErrAway) {
			t.Errorf("a dead token: %v", err)
		}
		v.reads("By his token.")
		v.core.handle = says(chat.Reply{Toast: "That is over.", Refused: true})
		if a := v.answer(v.at.Press(v.ben, board.ID, press)); a.Type != update {
			t.Errorf("a late press is answered by %d", a.Type)
		}
		v.reads("Too late.")
		v.until("Ben is told", func() bool { return len(v.at.Private(v.ben)) == 1 })
		v.core.mu.Lock()
		v.core.permit.Expires = time.Now().UnixMilli()
		v.core.mu.Unlock()
		before := len(v.server.Requests(""))
		if err := v.edits("Never."); !errors.Is(err, chat.ErrAway) || len(v.server.Requests("")) > before {
			t.Errorf("an ended token: %v", err)
		}
		ev := v.core.seen()[0]
		if !ev.Guest || !ev.Perishable || ev.Own || ev.Equals != group || !ev.Whispers ||
			len(ev.Missing.Permissions) > 0 || !strings.HasSuffix(ev.Install, forAccount) ||
			strings.HasPrefix(string(ev.Chat), "discord:@") != group {
			t.Errorf("the event: %+v", ev)
		}
	}
}

// TestLateGuestBoard checks that a board posted after a deferral can be edited by that interaction's token.
func TestLateGuestBoard(t *testing.T) {
	t.Parallel()
	v := beGuest(t, &script{late: true}, false)
	v.core.handle = says(chat.Reply{Board: 1, Fresh: true})
	v.answer(v.at.Slash(v.anna, "rules"))
	v.until("the board is posted", func() bool { return v.core.at() != "" })
	check(t, v.edits("Later still."))
	v.reads("Later still.")
}

// TestUnseenBoard checks that a person who may not write is told so, in place of a board that only they would see.
func TestUnseenBoard(t *testing.T) {
	t.Parallel()
	v := beGuest(t, &script{}, false)
	v.at.Silence(v.anna)
	v.core.handle = func(_ context.Context, ev chat.Event) chat.Reply {
		if ev.Press == "1:1:0:!unseen" && strings.HasSuffix(ev.ID, ":unseen") {
			return chat.Reply{Toast: "Others would not see it."}
		}
		return chat.Reply{Board: 1, Fresh: true}
	}
	v.answer(v.at.Slash(v.anna, "rules"))
	v.until("Anna is told", func() bool {
		read := v.at.Private(v.anna)
		return len(read) == 1 && read[0].Text() == "Others would not see it." && len(read[0].Buttons()) == 0
	})
	if v.core.at() != "" {
		t.Errorf("the board counts as posted, as %s", v.core.at())
	}
}

// TestGuestAnswersAreFew checks that a long answer has at most as many messages as Discord accepts.
func TestGuestAnswersAreFew(t *testing.T) {
	t.Parallel()
	v := beGuest(t, &script{}, false)
	long := &chat.Message{Head: "All of it.", Accent: -1}
	for range 10 {
		long.Lines = append(long.Lines, strings.Repeat("word ", 700))
	}
	v.core.handle = says(chat.Reply{Private: long})
	v.answer(v.at.Slash(v.anna, "rules"))
	v.until("they have come", func() bool { return len(v.at.Private(v.anna)) == 1+maxFollowUps })
	v.stop()
	if n := len(v.at.Private(v.anna)); n != 1+maxFollowUps {
		t.Errorf("%d messages", n)
	}
}

// TestInstalledCommands checks which commands are registered for people who add the bot to their account.
func TestInstalledCommands(t *testing.T) {
	all := append(someCommands(), chat.Command{Name: "rules", About: map[string]string{"en": "Rules"}},
		chat.Command{Name: "kniffel", About: map[string]string{"en": "Kniffel"}, Opens: map[string]chat.Card{"en": {}}})
	for _, accounts := range []bool{false, true} {
		var everywhere []string
		for _, c := range newLocales(someLanguages()).menu(all, accounts) {
			raw, err := json.Marshal(c)
			check(t, err)
			if slices.Contains(c.Installs, 1) != strings.Contains(string(raw), `"contexts":[0,1,2]`) {
				t.Errorf("%s", raw)
			}
			if slices.Contains(c.Installs, 1) {
				everywhere = append(everywhere, c.Name)
			}
		}
		want := map[bool][]string{true: {"help", "rules", "kniffel"}}[accounts]
		if !slices.Equal(everywhere, want) {
			t.Errorf("accounts %v: %v", accounts, everywhere)
		}
	}
}

// TestLateUnseenBoard checks that a person who may not write is told so after a deferral, too: in place of the board
// that only they would see, and not of the board with the pressed button.
func TestLateUnseenBoard(t *testing.T) {
	t.Parallel()
	for _, presses := range []bool{false, true} {
		v := beGuest(t, &script{times: hasty}, false)
		before := len(v.server.Requests("POST /interactions"))
		board := discordtest.Message{}
		if presses {
			board, before = v.opens(), before+1
		}
		v.at.Silence(v.anna)
		v.core.handle = func(ctx context.Context, ev chat.Event) chat.Reply {
			if strings.HasSuffix(ev.ID, ":unseen") {
				return chat.Reply{Toast: "Others would not see it."}
			}
			check(t, v.server.Wait(ctx, func() bool { return len(v.server.Requests("POST /interactions")) > before }))
			return chat.Reply{Board: 1, Fresh: true}
		}
		if presses {
			v.at.Press(v.anna, board.ID, board.Buttons()[0].CustomID)
		} else {
			v.at.Slash(v.anna, "rules")
		}
		v.until("Anna is told", func() bool {
			read := v.at.Private(v.anna)
			return len(read) > 0 && read[len(read)-1].Text() == "Others would not see it."
		})
		for _, m := range v.at.Private(v.anna) {
			if len(m.Buttons()) > 0 {
				t.Errorf("she can press buttons of: %s", m.Text())
			}
		}
		if presses {
			v.reads("The board.")
		}
	}
}

// TestOlderGuestBoards presses a button of a board that was posted before the present one. It shows the newest state,
// and is the board from then on once nothing permits to edit the other.
func TestOlderGuestBoards(t *testing.T) {
	t.Parallel()
	v := beGuest(t, &script{}, false)
	older, newer := v.opens(), v.opens()
	press := func(head string) {
		t.Helper()
		v.change(head)
		v.core.handle = says(chat.Reply{Toast: "The game has moved on.", Refused: true})
		if a := v.answer(v.at.Press(v.ben, older.ID, older.Buttons()[0].CustomID)); a.Type != update ||
			a.Message.Text() != head {
			t.Errorf("the older board: %d, %s", a.Type, a.Message.Text())
		}
	}
	press("Both.")
	v.until("both boards show it", func() bool { m, _ := v.at.Last(); return m.Text() == "Both." })
	v.server.ExpireTokens()
	press("The older.")
	v.until("the older is the board", func() bool { return v.core.at() == refID(v.at.ID, older.ID) })
	check(t, v.edits("By its token."))
	if all := v.at.Messages(); all[0].Text() != "By its token." || all[1].ID != newer.ID || all[1].Text() != "Both." {
		t.Errorf("%s\n%s", all[0].Text(), all[1].Text())
	}
	v.core.mu.Lock()
	v.core.ref, v.core.permit = "", chat.Permit{Expires: 1} // the bot was killed before it stored the message
	v.core.mu.Unlock()
	press("After a kill.")
	v.until("it is the board again", func() bool { return v.core.at() == refID(v.at.ID, older.ID) })
}

// TestAFailedAnswerKeepsTheToken refuses the answer to a press: the board's earlier token edits it.
func TestAFailedAnswerKeepsTheToken(t *testing.T) {
	t.Parallel()
	v := beGuest(t, &script{}, false)
	board := v.opens()
	v.server.Fail(discordtest.Fault{On: "POST /interactions", Status: 404, Code: 10062})
	v.core.handle = says(chat.Reply{Board: 1})
	v.change("By the earlier token.")
	v.at.Press(v.ben, board.ID, board.Buttons()[0].CustomID)
	v.until("it is drawn", func() bool { m, _ := v.at.Last(); return m.Text() == "By the earlier token." })
	v.server.Forgive()
}
