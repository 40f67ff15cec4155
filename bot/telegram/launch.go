package telegram

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// The Mini App: who has opened it, by the launch data that Telegram signs, and whether they may see a chat.

var _ chat.Door = (*Telegram)(nil)

// Limits of launch data.
const (
	launchLasts = 10 * time.Minute // from its signature
	launchAhead = time.Minute      // how far Telegram's clock may be ahead
)

// Client describes Telegram's clients. Only the web client shows the page in a frame.
func (t *Telegram) Client() chat.Client {
	return chat.Client{Frames: []string{"https://web.telegram.org"}}
}

// Enter returns who has sent launch data, as Telegram's client passes it to the page.
func (t *Telegram) Enter(_ context.Context, signed []byte) (chat.Guest, error) {
	pairs, ok := readLaunch(string(signed))
	var who person
	valid := json.Unmarshal([]byte(pairs["user"]), &who) == nil && who.ID > 0
	refused := chat.Guest{Locale: who.Language} // the reason is in the language of the person that it names
	if !ok || !hmac.Equal([]byte(t.launchHash(pairs)), []byte(pairs["hash"])) {
		return refused, chat.Forged
	}
	at, err := strconv.ParseUint(pairs["auth_date"], 10, 40)
	now, made := t.options.Clock.Now(), time.Unix(int64(at), 0)
	if err != nil || now.Sub(made) > launchLasts || made.Sub(now) > launchAhead {
		return refused, chat.Aged
	}
	if !valid {
		return refused, chat.Forged
	}
	g := chat.Guest{User: userID(who.ID), Name: who.displayName(), Locale: who.Language, Chat: chatID(who.ID),
		Place: placeID(who.ID, 0), Key: pairs["hash"], Until: made.Add(launchLasts)}
	g.Seen = instanceID(pairs["chat_instance"])
	if start := pairs["start_param"]; start != "" {
		found := startTable.FindStringSubmatch(start)
		if g.Lost = found == nil; !g.Lost {
			g.Table, _ = strconv.ParseInt(found[1], 10, 64)
		}
	}
	return g, nil
}

// startTable matches the start parameter of a link to a table, with the table's number.
var startTable = regexp.MustCompile(`^t([1-9][0-9]{0,17})$`)

// readLaunch parses launch data into its pairs; false: it is none, or has a key twice.
func readLaunch(text string) (pairs map[string]string, ok bool) {
	pairs = map[string]string{}
	for part := range strings.SplitSeq(text, "&") {
		key, value, found := strings.Cut(part, "=")
		key, err1 := url.QueryUnescape(key)
		value, err2 := url.QueryUnescape(value)
		if _, twice := pairs[key]; !found || err1 != nil || err2 != nil || twice {
			return nil, false
		}
		pairs[key] = value
	}
	return pairs, true
}

// launchHash returns the hash with which Telegram signs the pairs of launch data for this bot.
func (t *Telegram) launchHash(pairs map[string]string) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		if key != "hash" {
			lines = append(lines, key+"="+pairs[key])
		}
	}
	key := hmacOf([]byte("WebAppData"), t.options.Token)
	return hex.EncodeToString(hmacOf(key, strings.Join(lines, "\n")))
}

// hmacOf returns the HMAC-SHA256 of text with key.
func hmacOf(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// Act returns an event of g, as of a person who writes or presses in the chat.
func (t *Telegram) Act(g chat.Guest) chat.Event {
	group, topic, err := parsePlace(g.Place)
	if err != nil {
		ev := chat.Event{Chat: g.Chat, Place: g.Place, User: g.User, Name: g.Name, Locale: g.Locale,
			Traits: t.guestTraits()}
		ev.Pages, ev.Aloud = true, false
		return ev
	}
	kind := "supergroup"
	if group > 0 {
		kind = "private"
	}
	m := message{Chat: conversation{ID: group, Type: kind, Forum: topic != 0}, Thread: topic, InTopic: topic != 0}
	user, _ := parseChat(chat.Chat(g.User)) // the private chat has the person's number
	l := listener{Telegram: t}
	ev := l.event(0, m, person{ID: user})
	ev.ID, ev.Name, ev.Locale = "", g.Name, g.Locale
	ev.Pages, ev.Whispers, ev.Aloud = true, true, false
	return ev
}

// Tell posts m in the place of g, in the background.
func (t *Telegram) Tell(g chat.Guest, m chat.Message) {
	group, topic, err := parsePlace(g.Place)
	t.mu.Lock()
	running := t.core != nil
	t.mu.Unlock()
	if err == nil && running {
		in := message{Chat: conversation{ID: group}, Thread: topic, InTopic: topic != 0}
		t.sendAnswer(context.Background(), in, m, nil)
	}
}

// Standing of a person in a group, as getChatMember says.
type standing int

const (
	isUnknown standing = iota // Telegram does not say
	isMember
	isOutside
)

const (
	// memberFor is how long the standing of a person in a group is not asked again, and unknownFor if it is unknown.
	memberFor, unknownFor = time.Minute, 10 * time.Second
	// memberWithin is the timeout of asking.
	memberWithin = 5 * time.Second
	// maxStandings is how many standings are stored before all are dropped.
	maxStandings = 4096
)

// knownStanding is a standing until a time.
type knownStanding struct {
	standing
	until time.Time
}

// standingKey identifies the standing of a person in a group.
type standingKey struct{ group, user int64 }

// Admit returns nil if g may see g.Chat: the members of a group, or a person that Telegram has seen there if it does
// not say who is a member; the person of a private chat. Before it refuses g, it has always asked Telegram.
func (t *Telegram) Admit(ctx context.Context, g chat.Guest) error {
	user, err := parseChat(chat.Chat(g.User))
	if err != nil {
		return chat.Stranger
	}
	group, err := parseChat(g.Chat)
	inGroup := err == nil && group < 0
	switch {
	case inGroup:
	case err == nil && group == user, err != nil && g.At: // an inline chat has no number
		return nil
	default:
		group = user
	}
	stands, err := t.standingOf(ctx, standingKey{group, user})
	if err != nil {
		t.log.Debug("check membership failed", "error", err)
		return chat.Busy
	}
	if !inGroup || stands == isOutside || stands == isUnknown && !g.At {
		return chat.Stranger
	}
	return nil
}

// standingOf returns the standing of a person in a group, from memory or from Telegram.
func (t *Telegram) standingOf(ctx context.Context, key standingKey) (standing, error) {
	t.mu.Lock()
	known, ok := t.standings[key]
	t.mu.Unlock()
	if ok && t.options.Clock.Now().Before(known.until) {
		return known.standing, nil
	}
	ctx, cancel := context.WithTimeout(ctx, memberWithin)
	defer cancel()
	var member struct {
		Status   string `json:"status"`
		IsMember bool   `json:"is_member"`
	}
	began := t.options.Clock.Now()
	of := tg.Params{"chat_id": decimal(key.group), "user_id": decimal(key.user)}
	err := t.callInto(ctx, "getChatMember", of, &member)
	is, lasts := isOutside, memberFor
	refused, _ := refusalOf(err)
	switch {
	case refused != nil && (refused.Code == http.StatusBadRequest || refused.Code == http.StatusForbidden):
		is, lasts = isUnknown, unknownFor
	case err != nil:
		return isUnknown, err
	case slices.Contains([]string{"creator", "administrator", "member"}, member.Status),
		member.Status == "restricted" && member.IsMember:
		is = isMember
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.standings == nil || len(t.standings) >= maxStandings {
		t.standings = map[standingKey]knownStanding{}
	}
	t.standings[key] = knownStanding{is, began.Add(lasts)}
	return is, nil
}

// forgetStandings forgets the standings of people who have left or joined a group; without people, those of all.
func (t *Telegram) forgetStandings(group int64, people ...person) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.standings, func(key standingKey, _ knownStanding) bool {
		return key.group == group && (len(people) == 0 ||
			slices.ContainsFunc(people, func(p person) bool { return p.ID == key.user }))
	})
}
