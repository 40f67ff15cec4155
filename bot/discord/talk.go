package discord

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Counting the messages below a board. Each interaction names the newest message of its channel; if that is newer
// than the board, Discord is asked for the messages below it, at most once a minute.

// talks holds the newest messages by channel, in memory only.
type talks struct {
	mu       sync.Mutex
	channels map[string]talk
}

// talk is the state of one channel.
type talk struct {
	newest string    // from interactions
	asked  time.Time // when Discord was last asked
	board  string    // the board that was asked about,
	then   string    // the newest message then,
	below  int       // and the number below it
}

const (
	// maxTalks is the number of channels after which all are dropped.
	maxTalks = 4096
	// between is the least time between two requests about a channel.
	between = time.Minute
	// maxMessages is the most messages in an answer.
	maxMessages = 100
)

// learn stores the newest message of an interaction's channel, if the bot may read messages.
func (t *talks) learn(in interaction) {
	if !snowflake(in.Channel.Newest) {
		return
	}
	may, err := strconv.ParseUint(in.Permissions, 10, 64)
	if err == nil && may&(administrator|readHistory) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.channels) >= maxTalks {
		t.channels = nil
	}
	if t.channels == nil {
		t.channels = map[string]talk{}
	}
	known := t.channels[in.ChannelID]
	if newer(in.Channel.Newest, known.newest) {
		known.newest = in.Channel.Newest
		t.channels[in.ChannelID] = known
	}
}

// newer reports whether a message was posted after another or there is no other.
func newer(message, than string) bool {
	return len(message) > len(than) || len(message) == len(than) && message > than
}

// ask returns the known number of messages below a board, and whether to ask Discord now.
func (t *talks) ask(channel, board string) (below int, ask bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, met := t.channels[channel]
	if !met || !newer(known.newest, board) {
		return 0, false
	}
	if known.board == board {
		below = known.below
	}
	if known.board == board && known.then == known.newest || time.Since(known.asked) < between {
		return below, false
	}
	known.asked, known.board, known.then, known.below = time.Now(), board, known.newest, below
	t.channels[channel] = known
	return below, true
}

// store stores Discord's answer.
func (t *talks) store(channel, board string, below int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, met := t.channels[channel]; met && known.board == board {
		known.below = below
		t.channels[channel] = known
	}
}

// Since counts the messages below a board.
func (d *Discord) Since(ctx context.Context, _ chat.Place, ref chat.Ref, limit int) (int, error) {
	channel, board, err := parseRef(ref)
	if err != nil {
		return 0, err
	}
	below, ask := d.talks.ask(channel, board)
	if !ask {
		return min(below, limit), nil
	}
	at := fmt.Sprintf("%s?after=%s&limit=%d", discordgo.EndpointChannelMessages(channel), board,
		min(limit, maxMessages))
	var messages []struct{}
	if err := d.read(ctx, channel, at, &messages); err != nil {
		return 0, err
	}
	d.talks.store(channel, board, len(messages))
	return min(len(messages), limit), nil
}

// read reads messages of a channel, none where the bot may not.
func (d *Discord) read(ctx context.Context, channel, at string, messages any) error {
	err := d.rest.call(ctx, true, http.MethodGet, at, nil, messages)
	if refused, ok := refusalOf(err); ok && (refused.Status == http.StatusForbidden ||
		refused.Status == http.StatusNotFound) {
		return nil
	}
	return d.judge(channel, http.MethodGet, err)
}
