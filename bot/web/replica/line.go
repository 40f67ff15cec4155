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

// Hints between replicas. All may be lost: what matters is in the database.

// Line sends hints to other replicas, encrypted, because they name people.
type Line struct {
	others *Others
	name   string // of this replica
	box    cipher.AEAD
	queue  chan any
	log    *slog.Logger
}

// Limits of the queue of hints, and the timeout of sending one.
const (
	maxQueue   = 1024
	tellWithin = 5 * time.Second
)

// NewLine returns a line, or nil without other replicas. All replicas have the same box.
func NewLine(others *Others, box cipher.AEAD, log *slog.Logger) *Line {
	return &Line{others: others, name: rand.Text(), box: box, queue: make(chan any, maxQueue), log: log}
}

// Tell queues a hint as JSON, and drops it if the queue is full.
func (l *Line) Tell(what any) {
	if l.others.Lonely() || l.others.Tell == nil {
		return
	}
	select {
	case l.queue <- what:
	default:
	}
}

// Run sends the queued hints until ctx is done.
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

// tell sends one hint.
func (l *Line) tell(ctx context.Context, what any) error {
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	text, err := l.Seal(what)
	if err != nil {
		return err
	}
	return l.others.Tell(ctx, text)
}

// told is the format of the line.
type told struct {
	From string          `json:"from"`
	What json.RawMessage `json:"what"`
}

// Seal encrypts a hint.
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

// Open decrypts a hint of another replica, called from; ok is false for anything else.
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
