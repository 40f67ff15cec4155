package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// The activity: the page of a channel's table in a frame of Discord's client. Who has opened it is proven by a code
// that the client gives to the page, and where, by Discord's list of the people in the running activity.

var _ chat.Door = (*Discord)(nil)

// Activity configures the activity. The zero value means that there is none.
type Activity struct {
	// Secret is the application's client secret. It never shows in a log or an error.
	Secret string
	// URL is the public address of the page: https, except on loopback.
	URL string
	// Words are the sentences of the bot, for answers and the description of a command.
	Words *words.Words
}

// on reports whether there is an activity.
func (a Activity) on() bool { return a.Secret != "" && a.URL != "" }

// Client describes Discord's clients, which get the page by Discord's proxy.
func (d *Discord) Client() chat.Client {
	c := chat.Client{Frames: []string{"https://discord.com", "https://ptb.discord.com", "https://canary.discord.com"},
		Opening: []string{"frame_id", "instance_id"}}
	if me := d.me.Load(); me != nil {
		c.App = me.ID
	}
	c.Origin = "https://" + cmp.Or(c.App, "*") + ".discordsays.com"
	return c
}

// instanceID matches ids of running activities. No other text is asked for.
var instanceID = regexp.MustCompile(`^[A-Za-z0-9-]{1,128}$`)

// note is what the door keeps about a person with the page open, in chat.Guest.Note.
type note struct {
	Instance string `json:"instance"` // the running activity
	Since    int64  `json:"since"`    // when the person signed in, in Unix milliseconds
	Guest    bool   `json:"guest"`    // the bot is no member of the place
}

// noteOf returns what Enter has kept about g.
func noteOf(g chat.Guest) (n note) {
	_ = json.Unmarshal([]byte(g.Note), &n) // written by Enter
	return n
}

// Enter returns who has sent a code and the id of a running activity, if Discord lists the person there.
func (d *Discord) Enter(ctx context.Context, signed []byte) (chat.Guest, error) {
	var in struct {
		Code     string
		Instance any
	}
	err := json.Unmarshal(signed, &in)
	instance, _ := in.Instance.(string)
	switch known := instanceID.MatchString(instance); {
	case err != nil || known && in.Code == "":
		return chat.Guest{}, chat.Forged
	case !known:
		return chat.Guest{}, chat.Stranger
	}
	who, err := d.identify(ctx, in.Code)
	if err != nil {
		return chat.Guest{}, err
	}
	g := chat.Guest{User: userID(who.ID), Name: cmp.Or(who.GlobalName, who.Username), Locale: who.Locale}
	n := note{Instance: instance, Since: time.Now().UnixMilli()}
	running, err := d.running(ctx, instance, 0)
	guild, channel := running.Location.Guild, running.Location.Channel
	switch {
	case err != nil:
		return g, err
	case !slices.Contains(running.Users, who.ID) || !isSnowflake(channel) || guild != "" && !isSnowflake(guild):
		return g, chat.Stranger
	}
	if n.Guest = guild == ""; guild != "" {
		var as member
		err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGuildMember(guild, who.ID), nil, &as)
		switch refused, ok := refusalOf(err); {
		case err == nil, ok && refused.Code == discordgo.ErrCodeUnknownMember: // the person; the bot sees the server
		case isUnknown(err):
			n.Guest = true
		default:
			return g, d.busy("read member failed", err)
		}
		g.Name = cmp.Or(as.Nick, g.Name)
	}
	kept, _ := json.Marshal(n) // its fields always encode
	g.Chat, g.Place, g.Note = chatID(guild, channel), placeID(guild, channel), string(kept)
	return g, nil
}

// busy logs why Discord has not answered, and returns chat.Busy.
func (d *Discord) busy(what string, err error) error {
	d.log.Debug(what, "error", d.rest.redact(err, d.options.Activity.Secret))
	return chat.Busy
}

// errUnready means that Discord has not said yet which application the bot is.
var errUnready = errors.New("the application is not known yet")

// identified is a person as a code proves it.
type identified struct {
	person
	Locale string `json:"locale"`
}

// identify returns the person that a code of Discord's client names. The token for which it stands is revoked at once.
func (d *Discord) identify(ctx context.Context, code string) (who identified, err error) {
	if d.me.Load() == nil {
		return who, d.busy("identify person failed", errUnready)
	}
	token, err := d.grant(ctx, url.Values{"grant_type": {"authorization_code"}, "code": {code}})
	if refused, ok := refusalOf(err); ok && refused.Grant == "invalid_client" {
		d.log.Warn("discord rejects the client secret") // the person can do nothing
		return who, chat.Busy
	} else if ok && (refused.Grant == "invalid_grant" || refused.Status == http.StatusBadRequest) {
		return who, chat.Forged
	}
	if err != nil {
		return who, d.busy("exchange code failed", d.rest.redact(err, code))
	}
	defer d.revoke(ctx, token)
	err = d.rest.call(ctx, false, http.MethodGet, discordgo.EndpointUser("@me"), bearer(token), &who)
	if err == nil && !isSnowflake(who.ID) {
		err = errors.New("discord names no person")
	}
	if err != nil {
		return who, d.busy("identify person failed", d.rest.redact(err, token))
	}
	return who, nil
}

// endpointOAuth is the address at which Discord grants tokens of OAuth.
var endpointOAuth = discordgo.EndpointDiscord + "api/v10/oauth2/token"

// grant returns a token of OAuth, as form asks for it.
func (d *Discord) grant(ctx context.Context, form url.Values) (token string, err error) {
	var granted struct {
		Token string `json:"access_token"`
	}
	err = d.rest.call(ctx, false, http.MethodPost, endpointOAuth, d.asApplication(form), &granted)
	return granted.Token, err
}

// revoke makes a token of OAuth invalid: it is not needed any more. It waits until that is done, but no longer than
// ctx, after which it goes on in the background.
func (d *Discord) revoke(ctx context.Context, token string) {
	revoked := make(chan struct{})
	go func() {
		defer close(revoked)
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTime)
		defer cancel()
		form := d.asApplication(url.Values{"token": {token}, "token_type_hint": {"access_token"}})
		err := retry(late, 0, func() error {
			return d.rest.call(late, false, http.MethodPost, endpointOAuth+"/revoke", form, nil)
		})
		if err != nil {
			d.log.Warn("revoke token failed", "error", d.rest.redact(err, token, d.options.Activity.Secret))
		}
	}()
	select {
	case <-revoked:
	case <-ctx.Done():
	}
}

// asApplication adds to form the id and the secret of the application, which must be known.
func (d *Discord) asApplication(form url.Values) url.Values {
	form.Set("client_id", d.me.Load().ID)
	form.Set("client_secret", d.options.Activity.Secret)
	return form
}

// running is a running activity: where it is, and the ids of the people in it.
type running struct {
	Location struct {
		Guild   string `json:"guild_id"`
		Channel string `json:"channel_id"`
	} `json:"location"`
	Users []string `json:"users"`

	at time.Time // when Discord was asked
}

const (
	// listedFor is how long Discord is not asked again who is in an activity.
	listedFor = time.Minute
	// newcomer is how long after signing in a person may be missing in what Discord has said to another replica.
	newcomer = 10 * time.Second
	// maxActivities is how many activities are remembered before all are dropped.
	maxActivities = 4096
)

// activities remembers the running activities by their ids. One request at a time asks for each, for all who wait.
type activities struct {
	mu    sync.Mutex
	known map[string]running
	asked map[string]*asking
}

// asking is a request for a running activity.
type asking struct {
	ended  chan struct{} // closed at its end
	failed bool          // Discord has not answered; set before the end
}

// running returns a running activity as Discord has described it at most maxAge ago. One that has ended has no people.
func (d *Discord) running(ctx context.Context, id string, maxAge time.Duration) (running, error) {
	a := &d.activities
	for began := time.Now(); ; {
		a.mu.Lock()
		found, ok := a.known[id]
		asked := a.asked[id]
		if ok && began.Sub(found.at) <= maxAge {
			a.mu.Unlock()
			return found, nil
		}
		if asked == nil {
			a.asked[id] = &asking{ended: make(chan struct{})}
			a.mu.Unlock()
			return d.askRunning(ctx, id)
		}
		a.mu.Unlock()
		select {
		case <-asked.ended:
			if asked.failed {
				return running{}, chat.Busy
			}
		case <-ctx.Done():
			return running{}, chat.Busy
		}
	}
}

// askRunning asks Discord for a running activity, remembers it, and lets others ask again.
func (d *Discord) askRunning(ctx context.Context, id string) (found running, err error) {
	found.at = time.Now()
	if me := d.me.Load(); me == nil {
		err = errUnready
	} else {
		at := discordgo.EndpointApplication(me.ID) + "/activity-instances/" + id
		err = d.rest.call(ctx, true, http.MethodGet, at, nil, &found)
	}
	if refused, ok := refusalOf(err); ok && refused.Status == http.StatusNotFound {
		err = nil
	}
	a := &d.activities
	a.mu.Lock()
	a.asked[id].failed = err != nil && ctx.Err() == nil // else another asks again
	close(a.asked[id].ended)
	delete(a.asked, id)
	if err == nil {
		if len(a.known) >= maxActivities {
			clear(a.known)
		}
		a.known[id] = found
	}
	a.mu.Unlock()
	if err != nil {
		return found, d.busy("read activity failed", err)
	}
	return found, nil
}

// Admit returns nil if Discord lists g in the activity in which they have opened the page.
func (d *Discord) Admit(ctx context.Context, g chat.Guest) error {
	n, id, began := noteOf(g), strings.TrimPrefix(string(g.User), name+":"), time.Now()
	found, err := d.running(ctx, n.Instance, listedFor)
	if err == nil && !slices.Contains(found.Users, id) && found.at.Before(began) &&
		found.at.UnixMilli() < n.Since+newcomer.Milliseconds() {
		found, err = d.running(ctx, n.Instance, 0)
	}
	if err == nil && !slices.Contains(found.Users, id) {
		err = chat.Stranger
	}
	return err
}

// Act returns an event of g, as of a person who uses a command or a button in the channel.
func (d *Discord) Act(g chat.Guest) chat.Event {
	inServer, guest := !strings.HasPrefix(string(g.Chat), name+":"+noServer), noteOf(g).Guest && !g.Own
	return chat.Event{Chat: g.Chat, Place: g.Place, User: g.User, Name: g.Name, Locale: g.Locale,
		Functions: chat.Functions{Admin: func(context.Context) bool { return !inServer }},
		Traits: chat.Traits{Pages: true, Own: g.Own, Whispers: !g.Own && !guest, Guest: guest, Perishable: guest,
			Equals: !inServer && !g.Own, NoThread: games.Say("bot.page.no-thread", nil)}}
}

// Tell posts m in the channel of g, in the background. Where the bot is a guest it cannot.
func (d *Discord) Tell(g chat.Guest, m chat.Message) {
	channel, err := parsePlace(g.Place)
	s := d.current.Load()
	if err != nil || s == nil || noteOf(g).Guest && !g.Own {
		return
	}
	s.Go(func() {
		for _, b := range d.emoji.shown.Load().privateMessages(m) {
			b.Flags &^= discordgo.MessageFlagsEphemeral
			err := d.Ready(s.late, g.Place, chat.ToSee)
			if err == nil {
				_, err = d.send(s.late, channel, b)
			}
			if err != nil {
				d.log.Debug("tell channel failed", "error", err)
				return
			}
		}
	})
}

// pressApp ends the data of the button that opens the activity.
const pressApp = ":!app"

// launch opens the activity as the answer to a press, or to a command of the type entryPoint that an operator has
// registered with the bot as its handler. If Discord refuses that, it says so to the person.
func (c *conversation) launch(ctx context.Context) {
	if err := c.say(ctx, sayActivity, nil, nil); err == nil || c.firstAnswer() == sayActivity {
		return
	}
	said := c.options.Activity.Words
	c.sayPrivately(ctx, toast(said.Say(said.Match(c.in.Locale), games.Say("bot.page.refused", nil), words.Context{})))
}

// examineActivity returns findings for the operator about the activity of the application me.
func (d *Discord) examineActivity(ctx context.Context, me application) (all []chat.Finding) {
	a := d.options.Activity
	if me.hasActivities() && a.Secret == "" {
		all = append(all, chat.Finding{
			Text: "activities are on, but boards open none: set KNOBEL_DISCORD_CLIENT_SECRET"})
	} else if !me.hasActivities() {
		all = append(all, chat.Finding{Wrong: a.Secret != "", Text: "activities are off: nobody can open the table " +
			"inside Discord (Developer Portal, Activities, Settings, Enable)"})
	}
	if a.Secret == "" {
		return all
	}
	if a.URL == "" {
		all = append(all, problem("KNOBEL_DISCORD_CLIENT_SECRET needs KNOBEL_PUBLIC_URL, the https address of this "+
			"program"))
	}
	d.me.Store(&me)
	token, err := d.grant(ctx, url.Values{"grant_type": {"client_credentials"}, "scope": {"identify"}})
	if refused, ok := refusalOf(err); ok && refused.Grant != "" {
		all = append(all, problem("the client secret is not that of the application (Developer Portal, OAuth2)"))
	} else if err != nil {
		all = append(all, problem("check client secret failed: %v", d.rest.redact(err, a.Secret)))
	} else {
		d.revoke(ctx, token)
	}
	var have json.RawMessage
	at := discordgo.EndpointApplicationGlobalCommands(me.ID)
	if err := d.rest.call(ctx, true, http.MethodGet, at, nil, &have); err == nil && len(entryPoints(have)) == 0 {
		all = append(all, problem("there is no entry point command: knobel serve adds it once activities are on"))
	}
	host := strings.TrimPrefix(a.URL, "https://")
	return append(all, chat.Finding{Text: "try the activity: start it once in a channel; the prefix / must lead to " +
		cmp.Or(host, "the host of KNOBEL_PUBLIC_URL") + " (Developer Portal, Activities, URL Mappings)"})
}
