package discord

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/discord/discordtest"
	"knobel/store"
)

// away reports whether a table has lost its place. The server is asked something,
// so that it makes a condition be asked again soon: it does not see the answer.
func (s *stage) away(table int64) bool {
	s.Helper()
	_ = s.discord.rest.call(s.ctx, true, http.MethodGet, discordgo.EndpointUser("@me"), nil, nil)
	var t store.Table
	if err := s.store.View(s.ctx, func(tx *store.Tx) (err error) { t, err = tx.Table(table); return err }); err != nil {
		s.Fatal(err)
	}
	return t.Away
}

// begun is a stage on which Anna and Ben, one for each language, have begun a
// game for a stake.
func begun(t *testing.T) (s *stage, anna, ben *discordtest.Person) {
	t.Helper()
	s = open(t, discordtest.Options{Pace: -1})
	anna, ben = s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de")
	s.sit(anna, "coin", with("stake", 10), ben)
	return s, anna, ben
}

// A table in a thread of its own: opened below the channel, led to by the
// answer, played there, revived when it was put aside.
func TestATableInAThreadOfItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "de"), s.server.Person("Ben", "en-US")
	a := s.answer(s.hall.Slash(anna, "coin", discordtest.Option{Name: "stake", Value: 5}, discordtest.Option{Name: "thread", Value: true}))
	threads := s.hall.Threads()
	if len(threads) != 1 || threads[0].Name != "Münze · Anna" || !slices.Equal(threads[0].Added(), []string{anna.ID}) {
		t.Fatalf("%d threads: %+v", len(threads), threads)
	}
	if want := "Dein Tisch steht in einem eigenen Thread. <#" + threads[0].ID + ">"; !private(a, want) {
		t.Errorf("answered %d: %q", a.Type, a.Message.Text())
	}
	if n := len(s.hall.Messages()); n != 0 {
		t.Errorf("%d messages in the channel itself", n)
	}
	there := s.in(threads[0])
	there.until("the board is in the thread", func() bool { return len(threads[0].Messages()) == 1 })
	there.carries(ben, ":!join")
	threads[0].Archive(false)
	there.carries(anna, ":!start") // whose answer is of its own
	there.until("the game has begun", func() bool { m, _ := threads[0].Last(); return strings.Contains(m.Text(), "Anna") })
	there.play(anna, ben)
	for _, c := range []struct {
		in   *discordtest.Channel
		says string
	}{
		{threads[0], "Das ist schon ein Thread"},
		{s.guild.Voice("talk"), "Hier gibt es keine Threads"},
		{s.server.Direct(), "wir zwei brauchen keinen"},
	} {
		if a := s.answer(c.in.Slash(anna, "coin", with("thread", true)...)); !private(a, c.says) {
			t.Errorf("answered %d: %q, want %q", a.Type, a.Message.Text(), c.says)
		}
	}
	s.sound()
}

// Without the permission, or with as many threads as there may be, no thread is
// opened and somebody reads why.
func TestThreadsThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{})
	anna := s.server.Person("Anna", "en-US")
	ask := func(want string) {
		t.Helper()
		if a := s.answer(s.hall.Slash(anna, "shutbox", with("thread", true)...)); !private(a, want) {
			t.Errorf("answered %d: %q", a.Type, a.Message.Text())
		}
	}
	s.server.Fail(discordtest.Fault{On: "POST /channels", Status: 403, Code: 50013})
	ask("I may not open a thread here. Missing: Create Public Threads.")
	s.server.Fail(discordtest.Fault{On: "POST /channels", Status: 400, Code: 160006})
	ask("as many open threads as it may")
	s.hall.Deny(discordtest.OpenThreads | discordtest.SendInThreads)
	ask("Missing: Send Messages in Threads and Create Public Threads. To grant it: Edit Channel → Permissions")
	if n := len(s.server.Requests("POST /channels")); n != 2 {
		t.Errorf("%d requests for threads", n)
	}
	if len(s.hall.Threads()) > 0 {
		t.Error("there is a thread all the same")
	}
	s.sound()
}

// Somebody deletes the channel or the thread in which a game goes on, told or not:
// who sits there brings it elsewhere.
func TestTheChannelIsDeleted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		delete func(s *stage, old *discordtest.Channel)
	}{
		{"the channel", func(_ *stage, old *discordtest.Channel) { old.Delete() }},
		{"while the bot is away", func(s *stage, old *discordtest.Channel) {
			s.stop()
			s.server.ForgetSessions()
			old.Delete()
			s.start()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, anna, ben := begun(t)
			c.delete(s, s.hall)
			here := s.in(s.guild.Channel("elsewhere"))
			a := here.answer(here.hall.Slash(ben, "table"))
			if !private(a, "Tisch 1, Münze: Anna · Ben") || len(a.Message.Buttons()) != 1 {
				t.Fatalf("answered %d: %q", a.Type, a.Message.Text())
			}
			bring := here.answer(here.hall.Press(ben, a.Message.ID, a.Message.Buttons()[0].CustomID))
			if bring.Type != 4 || bring.Message.Private() || !strings.Contains(bring.Message.Text(), "Anna") {
				t.Fatalf("brought by %d: %q", bring.Type, bring.Message.Text())
			}
			here.play(anna, ben)
			s.sound()
		})
	}
}

// A thread below a channel is deleted, and a server that is only away for a
// while loses nothing.
func TestWhatTheGatewayTellsOfPlaces(t *testing.T) {
	t.Parallel()
	core := &script{}
	s := rehearse(t, discordtest.Options{}, core)
	thread := s.hall.Thread("dice")
	s.server.Emit("GUILD_DELETE", map[string]any{"id": s.guild.ID, "unavailable": true})
	s.server.Emit("CHANNEL_DELETE", "nonsense")
	thread.Delete()
	s.hall.Delete()
	s.guild.Remove()
	want := []string{
		"discord:" + s.guild.ID + " discord:" + s.guild.ID + ":" + thread.ID,
		"discord:" + s.guild.ID + " discord:" + s.guild.ID + ":" + s.hall.ID,
		"discord:" + s.guild.ID + " ",
	}
	s.answer(s.server.Direct().Slash(s.anna, "language")) // behind them
	s.until("all three are told", func() bool {
		core.mu.Lock()
		defer core.mu.Unlock()
		slices.Sort(core.lost)
		slices.Sort(want)
		return slices.Equal(core.lost, want)
	})
}

// A bot that was removed keeps its tables: they are back with the next command.
func TestTheBotIsRemovedAndComesBack(t *testing.T) {
	t.Parallel()
	s, anna, ben := begun(t)
	s.guild.Remove()
	s.until("it is known", func() bool { return s.away(1) })
	s.guild.Return()
	if a := s.answer(s.hall.Slash(ben, "table")); a.Type != 4 || a.Message.Private() || !strings.Contains(a.Message.Text(), "Anna") {
		t.Fatalf("answered %d: %q", a.Type, a.Message.Text())
	}
	s.play(anna, ben)
	s.sound()
}

// A board that somebody has deleted is posted anew.
func TestTheBoardIsDeleted(t *testing.T) {
	t.Parallel()
	s, anna, ben := begun(t)
	m, b, _ := s.turn("")
	s.hall.Remove(m.ID)
	s.answer(s.hall.Press(anna, m.ID, b.CustomID))
	if next, _, _ := s.turn(b.CustomID); next.ID == m.ID {
		t.Error("the board is to be a new message")
	}
	s.play(anna, ben)
	s.sound()
}

// A locked thread says why: nothing can be written there, and the table can go
// on elsewhere.
func TestALockedThread(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna := s.server.Person("Anna", "en-US")
	thread := s.hall.Thread("dice")
	there := s.in(thread)
	there.answer(thread.Slash(anna, "coin"))
	thread.Archive(true)
	a := s.answer(s.hall.Slash(anna, "table"))
	if !private(a, "No table here. Table 1 is elsewhere: play it there.") && !private(a, "Table 1, Coin: Anna") {
		t.Errorf("answered %d: %q", a.Type, a.Message.Text())
	}
	s.until("the thread is known to be shut", func() bool { return s.away(1) })
	a = s.answer(s.hall.Slash(anna, "table"))
	if !private(a, "Table 1, Coin: Anna") {
		t.Fatalf("answered %d: %q", a.Type, a.Message.Text())
	}
	s.answer(s.hall.Press(anna, a.Message.ID, a.Message.Buttons()[0].CustomID))
	s.until("the lobby is here", func() bool { m, ok := s.hall.Last(); return ok && strings.Contains(m.Text(), "Anna opens a table") })
	s.sound()
}

// Admins of a server read what is missing there and in the channels of its
// tables; others read who may ask.
func TestDoctorOnDiscord(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, mod := s.server.Person("Anna", "en-US"), s.server.Person("Mod", "de")
	mod.Permissions |= discordtest.ManageGuild
	aside := s.guild.Channel("aside")
	thread := aside.Thread("dice")
	s.answer(thread.Slash(anna, "coin"))
	if a := s.answer(s.hall.Slash(anna, "doctor")); !private(a, "That is for admins of this chat. Ask one of them.") {
		t.Errorf("answered %d: %q", a.Type, a.Message.Text())
	}
	ask := func(parts ...string) {
		t.Helper()
		a := s.answer(s.hall.Slash(mod, "doctor"))
		for _, part := range parts {
			if !private(a, part) {
				t.Errorf("%q is not in the answer %d:\n%s", part, a.Type, a.Message.Text())
			}
		}
	}
	ask("Wie es um mich in diesem Chat steht", "✓ Ich darf hier alles, was Tische brauchen.", "von 60 (", "Hier läuft 1 Tisch")
	aside.Deny(discordtest.SendInThreads)
	ask("⚠ In #dice fehlt: Nachrichten in Threads senden. Zu geben unter: Kanal bearbeiten → Berechtigungen")
	s.hall.Deny(discordtest.SendMessages)
	ask("⚠ In #table fehlt: Nachrichten senden.")
	s.guild.Deny(discordtest.OpenThreads | discordtest.SendMessages)
	ask("⚠ Auf dem ganzen Server fehlt: Nachrichten senden. Zu geben unter: Servereinstellungen → Rollen.",
		"Tische können keine eigenen Threads haben (es fehlt: Öffentliche Threads erstellen)")
	aside.Delete()
	ask("⚠ Der Ort eines Tisches ist weg oder vor mir verborgen.")
	s.server.Fail(discordtest.Fault{On: "GET /guilds", Status: 500})
	ask("Die Plattform sagt gerade nicht, was ich hier darf.")
	if a := s.answer(s.server.Direct().Slash(anna, "doctor")); !private(a, "We are alone here") {
		t.Errorf("answered %d: %q", a.Type, a.Message.Text())
	}
}

// What a channel says overrules the roles, of everybody first, then of the bot's
// roles together, then of the bot itself.
func TestWhatChannelsOverrule(t *testing.T) {
	const send, view = "2048", "1024"
	s := standing{guild: "1", me: "9", held: []string{"5", "6"}, roles: map[string]uint64{"1": viewChannel, "5": sendMessages}}
	for _, c := range []struct {
		name       string
		overwrites []overwrite
		want       uint64
	}{
		{"nothing", nil, viewChannel | sendMessages},
		{"everybody is denied", []overwrite{{ID: "1", Deny: view, Allow: "0"}}, sendMessages},
		{"a role is allowed again", []overwrite{{ID: "5", Allow: view}, {ID: "1", Deny: view}}, viewChannel | sendMessages},
		{"one role denies, another allows", []overwrite{{ID: "5", Deny: send}, {ID: "6", Allow: send}}, viewChannel | sendMessages},
		{"a role of others", []overwrite{{ID: "7", Deny: send}}, viewChannel | sendMessages},
		{"the bot itself is denied", []overwrite{{ID: "9", Deny: send}, {ID: "6", Allow: send}}, viewChannel},
		{"no numbers", []overwrite{{ID: "9", Deny: "all"}}, viewChannel | sendMessages},
	} {
		if got := s.in(channelBody{Overwrites: c.overwrites}); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	s.roles["6"] = administrator
	if missing := lacking(s.in(channelBody{Overwrites: []overwrite{{ID: "9", Deny: send}}}), inChannels); !missing.None() {
		t.Errorf("an administrator lacks %v", missing.Permissions)
	}
	s.roles["6"], s.owner = 0, true
	if missing := lacking(s.everywhere(), inGuilds); !missing.None() {
		t.Errorf("an owner lacks %v", missing.Permissions)
	}
}
