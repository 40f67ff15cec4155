package replica

import (
	"context"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"time"

	"knobel/bot/chat"
)

// What replicas tell each other in haste. All of it may be lost: what matters is in the database.

// Line is how a replica tells the others something. Only who has its key can read it: it names people.
type Line struct {
	others *Others
	name   string // of this replica
	box    cipher.AEAD
	queue  chan any
	log    *slog.Logger
}

// What waits to be told, and how long that may take.
const (
	maxQueue   = 1024
	tellWithin = 5 * time.Second
)

// NewLine returns a line to others, nil: there are none and nothing is told. All of them have the same box.
func NewLine(others *Others, box cipher.AEAD, log *slog.Logger) *Line {
	return &Line{others: others, name: rand.Text(), box: box, queue: make(chan any, maxQueue), log: log}
}

// Tell tells the other replicas something soon that can be spelled as JSON. Where there is too much to tell, it is not.
func (l *Line) Tell(what any) {
	if l.others.Lonely() || l.others.Tell == nil {
		return
	}
	select {
	case l.queue <- what:
	default:
	}
}

// Run tells what is to be told until ctx is done.
func (l *Line) Run(ctx context.Context) {
	for {
		select {
		case what := <-l.queue:
			chat.LogFailure(ctx, l.log.Debug, "tell other replicas", l.tell(ctx, what))
		case <-ctx.Done():
			return
		}
	}
}

// tell tells one thing.
func (l *Line) tell(ctx context.Context, what any) error {
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	text, err := l.Seal(what)
	if err != nil {
		return err
	}
	return l.others.Tell(ctx, text)
}

// told is what goes over the line.
type told struct {
	From string          `json:"from"`
	What json.RawMessage `json:"what"`
}

// Seal spells something as it goes over the line.
func (l *Line) Seal(what any) (string, error) {
	raw, err := json.Marshal(what)
	if err != nil {
		return "", err
	}
	if raw, err = json.Marshal(told{l.name, raw}); err != nil {
		return "", err
	}
	return base64.RawStdEncoding.EncodeToString(l.box.Seal(nil, nil, raw, nil)), nil
}

// Open reads what another replica, called from, has sealed with the same key; ok is false for all else.
func (l *Line) Open(text string, into any) (from string, ok bool) {
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return "", false
	}
	if raw, err = l.box.Open(nil, nil, raw, nil); err != nil {
		return "", false
	}
	var t told
	if json.Unmarshal(raw, &t) != nil || t.From == l.name {
		return "", false
	}
	return t.From, json.Unmarshal(t.What, into) == nil
}
