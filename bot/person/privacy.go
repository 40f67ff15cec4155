package person

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// privacyCommand says what is stored of people, why and how long.
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
	lines = append(lines, games.Say("bot.privacy.never", nil), games.Say("bot.privacy.long", nil), sealed)
	m := v.Private(games.Say("bot.privacy.head", nil), lines...)
	m.Folds = true
	list := v.Button(games.Say("bot.privacy.unlist", nil), "/leaderboard me=hide", games.Plain)
	off, err := v.Tx.Chats.UnlistedOf(v.Chat.ID, string(v.Event.User))
	if err != nil {
		return err
	}
	if off.Hidden {
		list = v.Button(games.Say("bot.privacy.list", nil), "/leaderboard me=show", games.Plain)
	}
	m.Buttons = [][]chat.Button{
		{v.Button(games.Say("bot.privacy.mydata", nil), "/mydata", games.Plain), list},
		{v.Button(games.Say("bot.privacy.forget", nil), "/forget", games.Plain)},
	}
	return nil
}

// mydataCommand gives the person all that is stored about them, in a file for them alone.
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
				Bytes: spelled(about, at, all)})
		}
		if err != nil {
			return fmt.Errorf("file: %w", err)
		}
		return nil
	})
	return nil
}

// maxPlain is the largest file that is given as it is: platforms take few larger ones.
const maxPlain = 4 << 20

// compressed packs a file that is large.
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

// spelled returns what is stored about a person as JSON: a list for each table, a line for each row.
func spelled(about string, at time.Time, all []store.Kept) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n%s: %s,\n%s: %s", quoted("about"), quoted(about), quoted("at"), quoted(at.Format(time.RFC3339)))
	for _, k := range all {
		fmt.Fprintf(&b, ",\n%s: [", quoted(k.What))
		for i, row := range k.Rows {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n  {")
			for c, value := range row {
				if c > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(&b, "%s: %s", quoted(k.Columns[c]), quoted(readable(k.Columns[c], value)))
			}
			b.WriteByte('}')
		}
		b.WriteString("\n]")
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

// times are the columns of moments, in Unix milliseconds.
var times = []string{"at", "asked", "changed", "due", "ended", "made", "opened", "posted", "saved",
	"seen", "since", "started", "told",
	"used"}

// eldest is the first moment that can be meant, in 2001: less in a column of moments is a table's turn.
const eldest = 1_000_000_000_000

// lists are the columns that hold JSON, where it is not a word.
var lists = []string{"choices", "counts", "dice", "rules"}

// readable is a stored value as a person reads it: moments as dates, lists as lists.
func readable(column string, value any) any {
	switch x := value.(type) {
	case int64:
		if x >= eldest && slices.Contains(times, column) {
			return time.UnixMilli(x).UTC().Format(time.RFC3339)
		}
	case string:
		if slices.Contains(lists, column) && json.Valid([]byte(x)) {
			return json.RawMessage(x)
		}
	}
	return value
}

// quoted is a value as JSON in one line.
func quoted(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return []byte("null") // of no value that a database holds
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
