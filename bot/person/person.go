// Package person has the commands about the stored data of people: /privacy, /mydata and /forget.
package person

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// People is the part of the bot with the commands about stored data.
type People struct {
	*table.Tables
	forgetting loop.Waker // wakes the loop that erases forgotten people's old bytes
}

// New returns the commands about stored data for a bot; b are its tables.
func New(b *table.Tables) *People { return &People{b, loop.NewWaker()} }

// Feature returns the commands and the loop of this package.
func (b *People) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.forgetting, Waits: "erase forgotten people failed", Look: b.eraseLoop()}},
		Commands: []bot.Command{
			{Name: "privacy", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.privacyCommand),
				Brief: bot.As(b.Visit, b.privacyCommand)},
			{Name: "mydata", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.mydataCommand)},
			{Name: "forget", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.forgetCommand),
				How: "bot.forget.how",
				Subs: []bot.Command{
					{Name: "no", Run: bot.As(b.Visit, func(v *table.Visit, _ bot.Args) error {
						v.Private(games.Say("bot.forget.kept", nil))
						return nil
					})},
					{Name: "yes", Needs: 1, Options: []bot.Option{{Name: "word", Type: chat.TypeWord}},
						Run: bot.As(b.Visit, b.forget)},
				}},
		},
	}
}

// ownWord returns a word that marks a button as made for user. In some places other people could press the button too.
func ownWord(user chat.User) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(user))
	return fmt.Sprintf("%08x", h.Sum32())
}

// forgetCommand explains what /forget deletes, and asks for confirmation.
func (b *People) forgetCommand(v *table.Visit, _ bot.Args) error {
	m := v.Private(games.Say("bot.forget.head", nil), games.Say("bot.forget.name", nil),
		games.Say("bot.forget.sums", nil),
		games.Say("bot.forget.seats", nil), games.Say("bot.forget.chat", nil), games.Say("bot.forget.back", nil))
	m.Buttons = [][]chat.Button{{
		v.Button(games.Say("bot.forget.no", nil), "/forget no", games.Primary),
		v.Button(games.Say("bot.forget.yes", nil), "/forget yes "+ownWord(v.Event.User), games.Danger),
	}}
	return nil
}

// forget erases the person who presses the button, if it carries their ownWord. This transaction replaces their ID and
// name everywhere, and nothing later in it may store these again. Computer players take over their seats. Tables of
// their private chats end with all stakes returned, and are not drawn again, because the chats get other IDs.
func (b *People) forget(v *table.Visit, args bot.Args) error {
	if args.Text("word") != ownWord(v.Event.User) {
		return games.Refuse("bot.forget.not-yours", nil)
	}
	user := string(v.Event.User)
	if err := v.Tx.Upkeep.LockPerson(user); err != nil {
		return err
	}
	private, err := v.Tx.Upkeep.PrivateChats(user)
	if err != nil {
		return err
	}
	for _, chat := range private {
		tables, err := v.Active(chat)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if err := v.Abandon(&t); err != nil {
				return err
			}
			v.Undrawn(t.ID)
		}
	}
	if err := v.Withdraw(user, ""); err != nil {
		return err
	}
	v.Forgets()
	newIDs, err := v.Tx.Upkeep.Forget(user)
	if err != nil {
		return err
	}
	var forgotten store.Player
	for _, newID := range newIDs {
		shown, err := v.Tx.Upkeep.TablesShowing(newID)
		if err != nil {
			return err
		}
		for _, id := range shown {
			if err := v.LeaveTable(id, newID); err != nil {
				return fmt.Errorf("table %d: %w", id, err)
			}
		}
		if forgotten, err = v.Tx.Chats.Player(newID); err != nil {
			return err
		}
	}
	v.Reply.Toast = ""
	v.Private(games.Say("bot.forget.done", games.Args{"Name": b.ShownName(forgotten.Name, v.Lang)}))
	v.Wake(b.forgetting)
	return nil
}

// The pause after erasing forgotten people from the database, as a multiple of the time that this took: restsAfter
// after a success, retryAfter after a failure, such as during a backup. In a large database, erasing stops all button
// presses for seconds. Without the pause, one person could stop them again and again.
const (
	restsAfter = 200
	retryAfter = 20
)

// eraseLoop returns the loop's pass: it erases the remains of forgotten people in the database file.
func (b *People) eraseLoop() bot.Look {
	var paused time.Time // the end of the pause
	return func(ctx context.Context, _ *bot.Core) (time.Duration, error) {
		began := b.Clock.Now()
		if pause := paused.Sub(began); pause > 0 {
			return pause, nil
		}
		swept, err := b.Store.Sweep(ctx)
		switch now := b.Clock.Now(); {
		case swept:
			paused = now.Add(restsAfter * now.Sub(began))
		case err != nil:
			paused = now.Add(retryAfter * now.Sub(began))
		}
		return 0, err
	}
}

// Answers about the stored data of the person who asks.

// privacyCommand explains which data about people is stored, why, and for how long.
func (b *People) privacyCommand(v *table.Visit, _ bot.Args) error {
	sealed := games.Say("bot.privacy.open", nil)
	if b.Store.Sealed() {
		sealed = games.Say("bot.privacy.sealed", nil)
	}
	lines := []games.Line{games.Say("bot.privacy.person", nil), games.Say("bot.privacy.games", nil),
		games.Say("bot.privacy.luck", nil), games.Say("bot.privacy.dice", nil)}
	if v.Event.Hosted {
		lines = append(lines, games.Say("bot.privacy.host", nil))
	}
	switch {
	case v.Event.Perishable:
		lines = append(lines, games.Say("bot.privacy.guest", nil))
	case v.Event.Guest:
		lines = append(lines, games.Say("bot.privacy.inline", nil))
	}
	if b.Traits(v.Event.Place).Embeds {
		lines = append(lines, games.Say("bot.privacy.pages", nil))
	}
	if b.Traits(v.Event.Place).Pages {
		lines = append(lines, games.Say("bot.privacy.push", nil))
	}
	lines = append(lines, games.Say("bot.privacy.never", nil), games.Say("bot.privacy.long", nil), sealed)
	m := v.Private(games.Say("bot.privacy.head", nil), lines...)
	m.Folds = true
	list := v.Button(games.Say("bot.privacy.unlist", nil), "/leaderboard me=hide", games.Plain)
	var unlisted store.Unlisted
	if v.Tx != nil { // not in Core.Brief
		var err error
		if unlisted, err = v.Tx.Chats.UnlistedOf(v.Chat.ID, string(v.Event.User)); err != nil {
			return err
		}
	}
	if unlisted.Hidden {
		list = v.Button(games.Say("bot.privacy.list", nil), "/leaderboard me=show", games.Plain)
	}
	m.Buttons = [][]chat.Button{
		{v.Button(games.Say("bot.privacy.mydata", nil), "/mydata", games.Plain), list},
		{v.Button(games.Say("bot.privacy.forget", nil), "/forget", games.Plain)},
	}
	return nil
}

// mydataCommand sends the person a file with all stored data about them. No one else sees the file.
func (b *People) mydataCommand(v *table.Visit, _ bot.Args) error {
	v.Private(games.Say("bot.mydata.head", nil), games.Say("bot.mydata.what", nil))
	v.Reply.Secret = true
	v.Reply.Toast = v.Say(games.Say("bot.mydata.sent", nil))
	v.Reply.Unsent = v.Say(games.Say("bot.mydata.unsent", nil))
	about, user, at := v.Say(games.Say("bot.mydata.about", nil)), string(v.Event.User), time.UnixMilli(v.At).UTC()
	v.AfterAnswer(func(ctx context.Context, _ *bot.Core, m *chat.Message) error {
		var all []store.Kept
		err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
			all, err = tx.Upkeep.About(user)
			return err
		})
		if err == nil {
			m.File, err = compressed(chat.File{Name: "knobel.json", Type: "application/json",
				Bytes: dataJSON(about, at, all)})
		}
		if err != nil {
			return fmt.Errorf("file: %w", err)
		}
		return nil
	})
	return nil
}

// maxPlain is the largest size, in bytes, of a file that is sent uncompressed: few platforms accept larger ones.
const maxPlain = 4 << 20

// compressed returns f, packed with gzip if it is larger than maxPlain.
func compressed(f chat.File) (*chat.File, error) {
	if len(f.Bytes) <= maxPlain {
		return &f, nil
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(f.Bytes)
	if err == nil {
		err = z.Close()
	}
	return &chat.File{Name: f.Name + ".gz", Type: "application/gzip", Bytes: b.Bytes()}, err
}

// dataJSON returns the stored data about a person as JSON. Each database table is a list, each row a line. about is a
// sentence that explains the file; at is when the person asked.
func dataJSON(about string, at time.Time, all []store.Kept) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n%s: %s,\n%s: %s", lineJSON("about"), lineJSON(about), lineJSON("at"),
		lineJSON(at.Format(time.RFC3339)))
	for _, k := range all {
		fmt.Fprintf(&b, ",\n%s: [", lineJSON(k.What))
		for i, row := range k.Rows {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n  {")
			for c, value := range row {
				if c > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(&b, "%s: %s", lineJSON(k.Columns[c]), lineJSON(readable(k.Columns[c], value)))
			}
			b.WriteByte('}')
		}
		b.WriteString("\n]")
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

// times holds the names of columns whose numbers are times in Unix milliseconds.
var times = []string{"at", "asked", "changed", "due", "ended", "made", "opened", "posted", "saved",
	"seen", "since", "started", "told", "until", "used"}

// earliest is the least number that counts as a time (in 2001). A smaller one in a column of times is a turn number.
const earliest = 1_000_000_000_000

// lists holds the names of columns with JSON. A value in them that is no JSON stays a text.
var lists = []string{"choices", "counts", "dice", "rules"}

// readable returns a column's stored value so that people can read it: times as dates, JSON as JSON and not as text.
func readable(column string, value any) any {
	switch x := value.(type) {
	case int64:
		if x >= earliest && slices.Contains(times, column) {
			return time.UnixMilli(x).UTC().Format(time.RFC3339)
		}
	case string:
		if slices.Contains(lists, column) && json.Valid([]byte(x)) {
			return json.RawMessage(x)
		}
	}
	return value
}

// lineJSON returns a value as JSON on one line.
func lineJSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return []byte("null") // impossible for values of a database
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
