package discord

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Counting the messages below a board. Each interaction names the newest message of its channel; if that is newer
// than the board, Discord is asked for the messages below it, at most once a minute.

// talk is the last messages of a channel as far as they are known, in memory only.
type talk struct {
	newest string    // from interactions
	asked  time.Time // when Discord was last asked
	board  string    // the board that was asked about,
	then   string    // the newest message then,
	below  int       // and the number below it
}

const (
	// between is the least time between two requests about a channel.
	between = time.Minute
	// maxMessages is the most messages in an answer.
	maxMessages = 100
)

// learn stores the newest message of an interaction's channel, if the bot may read messages.
func (p *paces) learn(in interaction) {
	may, err := strconv.ParseUint(in.Permissions, 10, 64)
	if !snowflake(in.Channel.Newest) ||
		err == nil && may&(discordgo.PermissionAdministrator|discordgo.PermissionReadMessageHistory) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.of(in.ChannelID); newer(in.Channel.Newest, known.newest) {
		known.newest = in.Channel.Newest
	}
}

// newer reports whether a message was posted after another or there is no other.
func newer(message, than string) bool {
	return len(message) > len(than) || len(message) == len(than) && message > than
}

// ask returns the known number of messages below a board, and whether to ask Discord now.
func (p *paces) ask(channel, board string) (below int, ask bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.of(channel)
	if !newer(known.newest, board) {
		return 0, false
	}
	if known.board == board {
		below = known.below
	}
	if known.board == board && known.then == known.newest || time.Since(known.asked) < between {
		return below, false
	}
	known.asked, known.board, known.then, known.below = time.Now(), board, known.newest, below
	return below, true
}

// Since counts the messages below a board.
func (d *Discord) Since(ctx context.Context, _ chat.Place, ref chat.Ref, limit int) (int, error) {
	channel, board, err := parseRef(ref)
	if err != nil {
		return 0, err
	}
	below, ask := d.paces.ask(channel, board)
	if !ask {
		return min(below, limit), nil
	}
	at := fmt.Sprintf("%s?after=%s&limit=%d", discordgo.EndpointChannelMessages(channel), board,
		min(limit, maxMessages))
	var messages []struct{}
	if err := d.read(ctx, channel, at, &messages); err != nil {
		return 0, err
	}
	d.paces.mu.Lock()
	defer d.paces.mu.Unlock()
	if known := d.paces.of(channel); known.board == board {
		known.below = len(messages)
	}
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
