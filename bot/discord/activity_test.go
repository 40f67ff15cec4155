package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/words/wordstest"
)

// clientSecret is the secret of the tests' application.
const clientSecret = "s3cret-of-the-application"

// withActivity returns a scene whose bot has an activity.
func withActivity(t *testing.T, o discordtest.Options, core *script) *scene {
	t.Helper()
	o.Secret, o.Embedded = clientSecret, true
	core.activity = Activity{Secret: clientSecret, URL: "https://dice.example.org", Words: wordstest.Of(t)}
	s := rehearse(t, o, core)
	s.until("the commands are registered", func() bool { return s.server.Registered() > 0 })
	return s
}

// entry returns what the page of p sends to sign in, with a new code.
func (s *scene) entry(p *discordtest.Person, instance string) []byte {
	raw, _ := json.Marshal(map[string]string{"code": s.server.Code(p), "instance": instance}) // texts always encode
	return raw
}

// lookups returns how often the bot has asked for running activities.
func (s *scene) lookups() int {
	n := 0
	for _, r := range s.server.Requests("GET /applications") {
		if strings.Contains(r.Path, "/activity-instances/") {
			n++
		}
	}
	return n
}

// TestPeopleEnter signs in from activities in all kinds of places.
func TestPeopleEnter(t *testing.T) {
	t.Parallel()
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands()})
	s.anna.Nick = "Annie"
	group, foreign := s.server.Group(), s.server.Foreign("Elsewhere")
	there := foreign.Channel("games")
	for _, c := range []struct {
		at    *discordtest.Channel
		place chat.Place
		want  string
	}{
		{s.hall, placeID(s.guild.ID, s.hall.ID), "Annie false"},
		{there, placeID(foreign.ID, there.ID), "Anna true"},
		{group, placeID("", group.ID), "Anna true"},
	} {
		g, err := s.discord.Enter(s.ctx, s.entry(s.anna, c.at.Activity(s.anna).ID))
		if got := fmt.Sprint(g.Name, " ", noteOf(g).Guest); err != nil || got != c.want || g.Place != c.place ||
			g.User != userID(s.anna.ID) || g.Locale != "en-US" || g.Key != "" {
			t.Errorf("%s: %+v, %v", c.place, g, err)
		}
		ev := s.discord.Act(g)
		if ev.Guest != noteOf(g).Guest || ev.Perishable != ev.Guest || ev.Own || ev.Whispers == ev.Guest ||
			ev.Equals != (c.at == group) || ev.Admin(s.ctx) != ev.Equals || !ev.Pages {
			t.Errorf("%s: the event is %+v", c.place, ev)
		}
		g.Own = true
		if ev := s.discord.Act(g); ev.Guest || ev.Perishable || ev.Whispers || ev.Equals {
			t.Errorf("in their own conversation the event is %+v", ev)
		}
	}
	s.server.Fail(discordtest.Fault{On: "GET /guilds", Status: 404, Code: 10007, Message: "Unknown Member"})
	g, err := s.discord.Enter(s.ctx, s.entry(s.anna, s.hall.Activity(s.anna).ID))
	if err != nil || noteOf(g).Guest || g.Name != "Anna" {
		t.Errorf("as no member of the server: %+v, %v", g, err)
	}
	if n := len(s.server.Requests("GET /channels")) + len(s.server.Requests("POST /channels")); n > 0 {
		t.Errorf("%d requests about channels", n)
	}
}

// TestPeopleAreBarred signs in with all that is wrong.
func TestPeopleAreBarred(t *testing.T) {
	t.Parallel()
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands()})
	eve, here := s.server.Person("Eve", "de"), s.hall.Activity(s.anna)
	over := s.hall.Activity(s.anna)
	over.End()
	used := s.entry(s.anna, here.ID)
	if _, err := s.discord.Enter(s.ctx, used); err != nil {
		t.Fatal(err)
	}
	before := s.lookups()
	for name, c := range map[string]struct {
		signed []byte
		want   chat.Barred
	}{
		"a code that was used":     {used, chat.Forged},
		"no code":                  {[]byte(`{"instance":"` + here.ID + `"}`), chat.Forged},
		"an invented code":         {[]byte(`{"code":"x","instance":"` + here.ID + `"}`), chat.Forged},
		"a list":                   {[]byte(`[]`), chat.Forged},
		"no JSON":                  {[]byte(`code=1`), chat.Forged},
		"nothing":                  {[]byte(`{}`), chat.Stranger},
		"a path as instance":       {s.entry(s.anna, "../../users/@me"), chat.Stranger},
		"a query as instance":      {s.entry(s.anna, here.ID+"?x=1"), chat.Stranger},
		"a number as instance":     {[]byte(`{"code":"x","instance":7}`), chat.Stranger},
		"too long an instance":     {s.entry(s.anna, strings.Repeat("i", 129)), chat.Stranger},
		"somebody else":            {s.entry(eve, here.ID), chat.Stranger},
		"an unknown instance":      {s.entry(s.anna, "i-1-gc-2-3"), chat.Stranger},
		"an activity that is over": {s.entry(s.anna, over.ID), chat.Stranger},
	} {
		if g, err := s.discord.Enter(s.ctx, c.signed); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", name, g, err, c.want)
		}
	}
	if n := s.lookups() - before; n != 3 {
		t.Errorf("Discord is asked for %d activities, want 3", n)
	}
	for _, f := range []discordtest.Fault{{On: "POST /oauth2/token", Status: 503}, {On: "GET /users/@me", Status: 500},
		{On: "GET /applications", Status: 500}, {On: "GET /guilds", Status: 502, HTML: true},
		{On: "POST /oauth2/token", Status: 403, HTML: true}, {On: "POST /oauth2/token", Status: 200, HTML: true},
		{On: "POST /oauth2/token", Status: http.StatusTooManyRequests, RetryAfter: 0.1}} {
		s.server.Fail(f)
		if _, err := s.discord.Enter(s.ctx, s.entry(s.anna, here.ID)); !errors.Is(err, chat.Busy) {
			t.Errorf("after %+v: %v", f, err)
		}
	}
	unready := New(s.discord.options)
	if _, err := unready.Enter(s.ctx, s.entry(s.anna, here.ID)); !errors.Is(err, chat.Busy) ||
		strings.Contains(s.log.String(), "client secret") {
		t.Errorf("before the application is known: %v", err)
	}
	s.server.Forgive() // of a code that was not exchanged, or a token that was lost with its answer
	s.discord.options.Activity.Secret = "another"
	if _, err := s.discord.Enter(s.ctx, s.entry(s.anna, here.ID)); !errors.Is(err, chat.Busy) ||
		!strings.Contains(s.log.String(), "discord rejects the client secret") {
		t.Errorf("with a wrong secret: %v", err)
	}
	for _, secret := range []string{"code=", clientSecret, string(used)} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("the log contains %s", secret)
		}
	}
}

// TestSigningInEndsInTime lets each of Discord's answers fail to come: people hear of that in time, and as far as it
// can be, the token is revoked nevertheless.
func TestSigningInEndsInTime(t *testing.T) {
	t.Parallel()
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands()})
	here := s.hall.Activity(s.anna)
	for _, on := range []string{"POST /oauth2/token/revoke", "GET /users/@me", "GET /applications", "GET /guilds"} {
		s.server.Fail(discordtest.Fault{On: on, Hang: true})
		ctx, cancel := context.WithTimeout(s.ctx, time.Second)
		began := time.Now()
		if _, err := s.discord.Enter(ctx, s.entry(s.anna, here.ID)); !errors.Is(err, chat.Busy) {
			t.Errorf("without an answer to %s: %v", on, err)
		}
		if waited := time.Since(began); waited > callTime {
			t.Errorf("without an answer to %s it takes %v", on, waited)
		}
		if cancel(); strings.HasSuffix(on, "revoke") {
			s.server.Forgive()
		}
	}
	s.until("the others are revoked", func() bool { return len(s.server.Requests("POST /oauth2/token/revoke")) == 4 })
	s.server.Fail(discordtest.Fault{On: "POST /oauth2/token/revoke", Status: 500})
	if _, err := s.discord.Enter(s.ctx, s.entry(s.anna, here.ID)); err != nil {
		t.Error(err)
	}
}

// TestWhoLeavesIsOut checks that Discord is asked who is in an activity once a minute for all, and a little sooner for
// people who have come at another replica.
func TestWhoLeavesIsOut(t *testing.T) {
	t.Parallel()
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands()})
	ben := s.server.Person("Ben", "de")
	here := s.hall.Activity(s.anna)
	anna, err := s.discord.Enter(s.ctx, s.entry(s.anna, here.ID))
	check(t, err)
	admit := func(d *Discord, g chat.Guest, want error, lookups int) {
		t.Helper()
		before := s.lookups()
		if err := d.Admit(s.ctx, g); !errors.Is(err, want) || s.lookups()-before != lookups {
			t.Errorf("%v, want %v, after %d requests", err, want, s.lookups()-before)
		}
	}
	another := New(s.discord.options)
	another.me.Store(s.discord.me.Load())
	admit(s.discord, anna, nil, 0)
	admit(another, anna, nil, 1)
	admit(another, anna, nil, 0)
	here.Join(ben)
	bens, err := s.discord.Enter(s.ctx, s.entry(ben, here.ID))
	check(t, err)
	admit(another, bens, nil, 1) // what the other replica knows is older
	here.Leave(ben)
	admit(s.discord, bens, nil, 0)
	age := func(d *Discord) { // as if listedFor had passed
		d.activities.mu.Lock()
		defer d.activities.mu.Unlock()
		for id, known := range d.activities.known {
			known.at = known.at.Add(-listedFor - 1)
			d.activities.known[id] = known
		}
	}
	age(s.discord)
	together := func(want error, lookups int) {
		t.Helper()
		done := make(chan error, 10)
		before := s.lookups()
		for range cap(done) {
			go func() { done <- s.discord.Admit(s.ctx, anna) }()
		}
		for range cap(done) {
			if err := <-done; !errors.Is(err, want) {
				t.Errorf("one of them gets %v, want %v", err, want)
			}
		}
		if n := s.lookups() - before; n > lookups {
			t.Errorf("for all of them Discord is asked %d times", n)
		}
	}
	together(nil, 1)
	age(s.discord)
	age(another)
	s.server.Fail(discordtest.Fault{On: "GET /applications", Status: 500})
	admit(s.discord, anna, chat.Busy, 1)
	here.End()
	admit(s.discord, anna, chat.Stranger, 1)
	age(s.discord)
	for range 10 {
		s.server.Fail(discordtest.Fault{On: "GET /applications", Status: 500, Slow: 300 * time.Millisecond})
	}
	together(chat.Busy, 9)
}

// TestAPressOpensTheActivity checks the button that opens the activity: it is answered by the activity alone or, if
// Discord refuses that, by a sentence.
func TestAPressOpensTheActivity(t *testing.T) {
	t.Parallel()
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands()})
	s.core.board.Buttons[0][0].Press = "1:1:0:!app"
	board := s.posted()
	if traits := s.discord.Traits(""); !traits.Embeds || !traits.Launches {
		t.Errorf("the traits are %+v", traits)
	}
	a := s.answer(s.hall.Press(s.anna, board.ID, "1:1:0:!app"))
	if a.Type != sayActivity || a.Activity == nil || len(s.core.seen()) > 0 {
		t.Errorf("the answer is %+v, the core has seen %v", a, s.core.seen())
	}
	if _, err := s.discord.Enter(s.ctx, s.entry(s.anna, a.Activity.ID)); err != nil {
		t.Error(err)
	}
	a = s.answer(s.hall.Raw(s.anna, 2, map[string]any{"id": "1", "name": "launch", "type": entryPoint}))
	if a.Type != sayActivity || len(s.core.seen()) > 0 {
		t.Errorf("a command that opens the activity is answered by %+v", a)
	}
	s.server.Fail(discordtest.Fault{On: "POST /interactions", Status: 400, Code: 50035, Message: "no activities"})
	a = s.answer(s.hall.Press(s.anna, board.ID, "1:1:0:!app"))
	if !private(a, "Discord doesn't open the table here.") {
		t.Errorf("a refusal is answered by %+v", a)
	}
	s.stop()
	s.core.activity = Activity{}
	s.play()
	s.until("the bot listens", s.server.Listening)
	s.answer(s.hall.Press(s.anna, board.ID, "1:1:0:!app"))
	if seen := s.core.seen(); len(seen) != 1 || seen[0].Press != "1:1:0:!app" {
		t.Errorf("without an activity the core sees %+v", seen)
	}
}

// TestALateRefusalOfTheActivityIsSaid checks that the person also hears of a refusal that comes after a deferral.
func TestALateRefusalOfTheActivityIsSaid(t *testing.T) {
	t.Parallel()
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands(), times: hasty})
	board := s.posted()
	s.server.Fail(discordtest.Fault{On: "POST /interactions", Status: 400, Code: 50035, Slow: time.Second})
	s.hall.Press(s.anna, board.ID, "1:1:0:!app")
	s.until("the person reads why", func() bool { return len(s.server.Requests("POST /webhooks")) == 1 })
}

// TestAnswersForAllAreTold checks that what is for all goes to the channel, except where the bot is a guest.
func TestAnswersForAllAreTold(t *testing.T) {
	t.Parallel()
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands()})
	g, err := s.discord.Enter(s.ctx, s.entry(s.anna, s.server.Group().Activity(s.anna).ID))
	check(t, err)
	s.discord.Tell(g, chat.Message{Head: "For nobody.", Accent: -1})
	g, err = s.discord.Enter(s.ctx, s.entry(s.anna, s.hall.Activity(s.anna).ID))
	check(t, err)
	s.discord.Tell(g, chat.Message{Head: "For all.", Accent: -1})
	s.shows("For all.", 1)
}

// TestTheActivityHasACommand checks the command that opens the activity: it is made where there is none, and left as it
// is where there is one. If Discord refuses it, the others are registered all the same.
func TestTheActivityHasACommand(t *testing.T) {
	t.Parallel()
	openers := func(s *scene) (all []map[string]any) {
		var list []map[string]any
		check(t, json.Unmarshal(s.server.Commands(), &list))
		if len(list) < len(someCommands()) {
			t.Errorf("there are %d commands", len(list))
		}
		for _, c := range list {
			if c["type"] == 4.0 {
				all = append(all, c)
			}
		}
		return all
	}
	s := withActivity(t, discordtest.Options{}, &script{commands: someCommands()})
	if made := openers(s); len(made) != 1 || made[0]["handler"] != 2.0 || made[0]["description"] != "Open the table" {
		t.Errorf("there are %v", made)
	}
	s.stop()
	raw := strings.Replace(string(s.server.Commands()), "Open the table", "Something else", 1)
	s.server.SetCommands([]byte(raw))
	s.play()
	s.until("they are looked at again", func() bool { return s.discord.rest.commands.Load() != nil })
	s.stop()
	if s.server.Registered() != 1 || openers(s)[0]["description"] != "Something else" {
		t.Errorf("it has become %v", openers(s))
	}
	s.server.SetCommands([]byte("[]"))
	s.server.Fail(discordtest.Fault{On: "PUT /applications", Status: 400, Code: 50035, Message: "no such type"})
	s.play()
	s.until("they are registered", func() bool { return s.server.Registered() == 2 })
	if made := openers(s); len(made) != 0 || strings.Contains(s.log.String(), "register commands failed") {
		t.Errorf("there are %v", made)
	}
}

// TestTheActivityIsExamined checks what doctor says of the activity.
func TestTheActivityIsExamined(t *testing.T) {
	t.Parallel()
	const off = "activities are off: nobody can open the table inside Discord (Developer Portal, Activities, " +
		"Settings, Enable)"
	const url = "https://dice.example.org"
	const opener = "there is no entry point command: knobel serve adds it once activities are on!"
	const try = "try the activity: start it once in a channel; the prefix / must lead to dice.example.org " +
		"(Developer Portal, Activities, URL Mappings)"
	for _, c := range []struct {
		embedded bool
		activity Activity
		want     []string
	}{
		{false, Activity{}, []string{off}},
		{true, Activity{}, []string{"activities are on, but boards open none: set KNOBEL_DISCORD_CLIENT_SECRET"}},
		{false, Activity{Secret: clientSecret, URL: url}, []string{off + "!", opener, try}},
		{true, Activity{Secret: clientSecret, URL: url}, []string{try}},
		{true, Activity{Secret: "wrong", URL: url}, []string{"the client secret is not that of the application " +
			"(Developer Portal, OAuth2)!", try}},
		{true, Activity{Secret: clientSecret}, []string{"KNOBEL_DISCORD_CLIENT_SECRET needs KNOBEL_PUBLIC_URL, the " +
			"https address of this program!", strings.Replace(try, "dice.example.org", "the host of KNOBEL_PUBLIC_URL",
			1)}},
	} {
		server := discordtest.Start(t, discordtest.Options{Secret: clientSecret})
		if c.embedded {
			server.EnableActivities()
		}
		d := New(Options{Token: server.Token(), URL: server.URL(), Activity: c.activity})
		var me application
		at := discordgo.EndpointApplication("@me")
		check(t, d.rest.call(t.Context(), true, http.MethodGet, at, nil, &me))
		var got []string
		for _, f := range d.examineActivity(t.Context(), me) {
			got = append(got, f.Text+map[bool]string{true: "!"}[f.Wrong])
		}
		if text, want := strings.Join(got, "\n"), strings.Join(c.want, "\n"); text != want {
			t.Errorf("%+v: it says\n%s\nwant\n%s", c.activity, text, want)
		}
	}
}
