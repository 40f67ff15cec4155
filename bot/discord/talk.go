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

// How much is written in channels. Each interaction tells the newest message of its channel; where that
// is newer than a board, Discord is asked for the messages below it, at most once a minute.

// talks is what is known of that, by channel. It is forgotten with the process.
type talks struct {
	mu       sync.Mutex
	channels map[string]talk
}

// talk is what is known of one channel.
type talk struct {
	newest string    // the newest message that an interaction has told of
	asked  time.Time // when Discord was last asked
	board  string    // about which message,
	then   string    // what was the newest then,
	below  int       // and how many stood below
}

const (
	// maxTalks is how many channels are known before all are forgotten.
	maxTalks = 4096
	// between is how long a channel is not asked about again.
	between = time.Minute
	// maxMessages is how many messages Discord gives at once.
	maxMessages = 100
)

// learn reads the newest message of an interaction's channel, if the bot may read what was written.
func (t *talks) learn(in interaction) {
	if in.Channel == nil || !snowflake(in.Channel.Newest) {
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

// newer reports whether a message was posted after another one, or there is no other.
func newer(message, than string) bool {
	return len(message) > len(than) || len(message) == len(than) && message > than
}

// ask returns how many messages stand below a board, as far as that is known, and whether Discord is
// to be asked: no more often than once in a while.
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

// told notes what Discord has answered.
func (t *talks) told(channel, board string, below int) {
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
	d.talks.told(channel, board, len(messages))
	return min(len(messages), limit), nil
}

// read reads messages of a channel, and none where the bot may not.
func (d *Discord) read(ctx context.Context, channel, at string, messages any) error {
	err := d.rest.call(ctx, true, http.MethodGet, at, nil, messages)
	if refused, ok := refusalOf(err); ok && (refused.Status == http.StatusForbidden ||
		refused.Status == http.StatusNotFound) {
		return nil
	}
	return d.judge(channel, http.MethodGet, err)
}
