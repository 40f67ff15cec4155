package telegram

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// TestLaunchData reads launch data of all kinds, as it is and as people may change it.
func TestLaunchData(t *testing.T) {
	s := open(t)
	group := s.server.Supergroup("Friends", false)
	at := func(d time.Duration) map[string]string {
		return map[string]string{"auth_date": strconv.FormatInt(s.clock.Now().Add(d).Unix(), 10)}
	}
	with := func(pairs ...string) string {
		fields := map[string]string{}
		for pair := range slices.Chunk(pairs, 2) {
			fields[pair[0]] = pair[1]
		}
		return group.Launch(ben, fields)
	}
	valid := with()
	backwards := strings.Split(valid, "&")
	slices.Reverse(backwards)
	signature := func(text string) string {
		return strings.Replace(text, "signature=c2", "signature=x", 1)
	}
	for _, c := range []struct {
		name, data string
		want       error
	}{
		{"valid", valid, nil},
		{"in another order", strings.Join(backwards, "&"), nil},
		{"escaped otherwise", strings.Replace(valid, "auth_date", "%61uth_date", 1), nil},
		{"without a signature", with("signature", "-"), nil},
		{"with an empty value", with("start_param", ""), nil},
		{"with fields of later versions", with("a future field", "1 + 1 = 2 & more\nlines %2B"), nil},
		{"with a plus", with("user", `{"id":12,"first_name":"A+B C"}`), nil},
		{"with a changed signature", signature(valid), chat.Forged},
		{"with a field that is not signed", valid + "&more=1", chat.Forged},
		{"without the empty value", strings.Replace(with("start_param", ""), "start_param=&", "", 1), chat.Forged},
		{"with a value without its sign", strings.Replace(with("start_param", ""), "start_param=&", "start_param&", 1),
			chat.Forged},
		{"with a key twice", valid + "&auth_date=1", chat.Forged},
		{"with the same key and value twice", valid + "&" + backwards[1], chat.Forged},
		{"with a wrong escape", strings.Replace(valid, "auth_date=", "auth_date=%zz", 1), chat.Forged},
		{"with a hash in capitals", strings.Replace(valid, hashIn(valid), strings.ToUpper(hashIn(valid)), 1),
			chat.Forged},
		{"without a hash", strings.Replace(valid, "hash="+hashIn(valid), "hash=", 1), chat.Forged},
		{"of another bot", telegramtest.SignLaunch("4839574812:another", map[string]string{"auth_date": "1",
			"user": `{"id":12}`}), chat.Forged},
		{"for somebody else", strings.Replace(valid, "%22id%22%3A12", "%22id%22%3A11", 1), chat.Forged},
		{"empty", "", chat.Forged},
		{"no launch data", "hash", chat.Forged},
		{"just in time", group.Launch(ben, at(-10*time.Minute)), nil},
		{"aged", group.Launch(ben, at(-10*time.Minute-time.Second)), chat.Aged},
		{"of a clock ahead", group.Launch(ben, at(time.Minute)), nil},
		{"of the future", group.Launch(ben, at(time.Minute+2*time.Second)), chat.Aged},
		{"without a date", with("auth_date", "-"), chat.Aged},
		{"with a wrong date", with("auth_date", "-5"), chat.Aged},
		{"without a person", with("user", "-"), chat.Forged},
		{"with a text as id", with("user", `{"id":"12"}`), chat.Forged},
		{"with a fraction as id", with("user", `{"id":1.5}`), chat.Forged},
		{"with a group as id", with("user", `{"id":-12}`), chat.Forged},
		{"with no id", with("user", `{"first_name":"Ben"}`), chat.Forged},
		{"with no person's JSON", with("user", `12`), chat.Forged},
	} {
		g, err := s.tele.Enter(t.Context(), []byte(c.data))
		if !errors.Is(err, c.want) || err == nil && g.User != "telegram:12" {
			t.Errorf("%s: %+v, %v, want %v", c.name, g, err, c.want)
		}
	}
	a, err1 := s.tele.Enter(t.Context(), []byte(valid))
	b, err2 := s.tele.Enter(t.Context(), []byte(strings.Join(backwards, "&")))
	if a != b || err1 != nil || err2 != nil {
		t.Errorf("in another order it is %+v, not %+v", b, a)
	}
}

// hashIn returns the hash in launch data.
func hashIn(data string) string {
	_, hash, _ := strings.Cut(data, "hash=")
	hash, _, _ = strings.Cut(hash, "&")
	return hash
}

// TestLaunchLeadsSomewhere checks where launch data leads: to a table, to the chat in which it was signed, and without
// both to the person's own conversation.
func TestLaunchLeadsSomewhere(t *testing.T) {
	s := open(t)
	group := s.server.Supergroup("Friends", false)
	group.SetInstance("-8734560192873465012")
	for start, want := range map[string]string{
		"":                      "0 false",
		"t7":                    "7 false",
		"t0":                    "0 true",
		"t07":                   "0 true",
		"t-7":                   "0 true",
		"7":                     "0 true",
		"T7":                    "0 true",
		"t7 ":                   "0 true",
		"t9999999999999999999":  "0 true",
		strings.Repeat("x", 65): "0 true",
		"../../etc":             "0 true",
	} {
		g, err := s.tele.Enter(t.Context(), []byte(group.Launch(ben, map[string]string{"start_param": start})))
		if got := fmt.Sprint(g.Table, " ", g.Lost); err != nil || got != want {
			t.Errorf("start parameter %q leads to %s, %v, want %s", start, got, err, want)
		}
		if g.Seen != "telegram:instance/-8734560192873465012" || g.Chat != "telegram:12" ||
			g.Place != "telegram:12:0" || g.Name != "Ben O'Neill" || g.Locale != "en" {
			t.Errorf("the guest is %+v", g)
		}
	}
	g, err := s.tele.Enter(t.Context(), []byte(s.server.Launch(ben, nil)))
	if err != nil || g.Seen != "" {
		t.Errorf("from the menu it is %+v, %v", g, err)
	}
	g, err = s.tele.Enter(t.Context(), []byte(group.Launch(ben, map[string]string{"chat_instance": ""})))
	if err != nil || g.Seen != "" {
		t.Errorf("with an empty instance it is %+v, %v", g, err)
	}
}

// TestMembersMayLook asks for people of all kinds whether they may see a group, and remembers the answer for a while.
func TestMembersMayLook(t *testing.T) {
	s := open(t)
	group := s.server.Supergroup("Friends", false)
	guest := chat.Guest{User: userID(ben.ID), Chat: chatID(group.ID())}
	admit := func(want error) {
		t.Helper()
		if err := s.tele.Admit(t.Context(), guest); !errors.Is(err, want) {
			t.Errorf("%+v: %v, want %v", guest, err, want)
		}
	}
	asked := func() int { return len(s.server.Calls("getChatMember")) }
	for status, is := range map[string]error{"creator": nil, "administrator": nil, "member": nil, "restricted": nil,
		"restricted out": chat.Stranger, "left": chat.Stranger, "kicked": chat.Stranger} {
		group.Stands(ben, status)
		s.clock.Advance(memberFor)
		for _, guest.At = range []bool{true, false} { // whatever else is signed
			admit(is)
		}
	}
	group.Stands(ben, "")
	s.clock.Advance(memberFor)
	guest.At = true
	admit(nil)
	guest.At = false
	admit(chat.Stranger)

	group.Stands(ben, "member")
	s.clock.Advance(unknownFor)
	admit(nil)
	before := asked()
	s.clock.Advance(memberFor - time.Second)
	admit(nil)
	if n := asked() - before; n != 0 {
		t.Errorf("asked %d times within a minute", n)
	}
	s.run()
	group.Leave(ben, ben)
	s.events(1)
	admit(chat.Stranger)
	group.Join(ben, ben)
	s.events(2)
	admit(nil)

	s.clock.Advance(memberFor)
	s.server.Fail(telegramtest.Fault{On: "getChatMember", Status: http.StatusInternalServerError})
	admit(chat.Busy)
	admit(nil)
	guest.Chat = "" // that of a table that does not exist
	s.server.Fail(telegramtest.Fault{On: "getChatMember", Status: http.StatusInternalServerError})
	admit(chat.Busy)
	for id, is := range map[chat.Chat]error{"telegram:12": nil, "telegram:11": chat.Stranger,
		"telegram:-1009": chat.Stranger, "telegram:instance/-5": chat.Stranger, "discord:5": chat.Stranger} {
		guest.Chat = id
		admit(is)
	}
	guest.Chat, guest.At = "telegram:instance/-5", true
	admit(nil)
}

// TestGuestsActAsInTheirChat compares what a guest of the page does with what people do in the chat itself.
func TestGuestsActAsInTheirChat(t *testing.T) {
	s := open(t).run()
	forum := s.server.Supergroup("Friends", true)
	topic := forum.Topic("Dice")
	forum.Admin(ben)
	forum.SayIn(topic, ben, "/rules")
	typed := s.events(1)[0]
	ev := s.tele.Act(chat.Guest{User: typed.User, Name: "Ben", Locale: "de", Chat: typed.Chat, Place: typed.Place})
	if ev.Chat != typed.Chat || ev.Place != typed.Place || ev.User != typed.User || ev.Name != "Ben" ||
		ev.Locale != "de" || ev.ID != "" || !ev.Pages || ev.Aloud || ev.Own || !ev.Threads || !ev.Admin(t.Context()) {
		t.Errorf("the event is %+v", ev)
	}
	own := s.tele.Act(chat.Guest{User: "telegram:12", Chat: "telegram:12", Place: "telegram:12:0"})
	if !own.Own || own.Invite != "https://t.me/KnobelBot?startgroup=hello" || own.Confide != nil {
		t.Errorf("the event of the own conversation is %+v", own)
	}
}
