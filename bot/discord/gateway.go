package discord

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"knobel/bot/chat"
)

// Keeping a shard connected, and the close codes that end that for good.

// Close codes after which the same token and intents would be refused again, with what an operator has to do. Discord
// wants no further try; only a restart of the program makes one.
var hopeless = map[int]string{
	tokenRefused: "the token is refused: take the present one from the Developer Portal",
	4010:         "the shard is refused: set KNOBEL_DISCORD_SHARDS to auto",
	4011:         "the bot is in too many servers for its connections: set KNOBEL_DISCORD_SHARDS to auto",
	4012:         "the version of the gateway is not spoken any more: a newer version of Knobel is needed",
	4013:         "the intents are not valid: a newer version of Knobel is needed",
	4014:         "the intents are not allowed: allow them to the bot in the Developer Portal",
}

// tokenRefused closes the connection of a wrong or replaced token.
const tokenRefused = 4004

// Close codes after which a session cannot be resumed.
var over = map[int]bool{4003: true, 4005: true, 4007: true, 4009: true}

var (
	// errStuck: a connection was not ready in time.
	errStuck = errors.New("the gateway does not say that it is ready")
	// errUseless: a connection has ended before it was ready.
	errUseless = errors.New("the connection ended before it was of use")
	// errLost: a ready connection has ended.
	errLost = errors.New("the connection was lost")
)

// stay keeps a shard connected until ctx is done or Discord refuses it for good, which it reports. Only it reports
// the shard's state until then, so that no ended connection does.
func (d *Discord) stay(ctx context.Context, s *run, f *shards, shard int) (refused bool) {
	pauses := chat.Pauses()
	atOnce := true
	told := "" // the logged trouble
	d.turn(f, shard, false)
	var l *conn
	for ctx.Err() == nil {
		if l == nil {
			l = d.newConn(s, f, shard)
		}
		resumes, begun := l.resumes(), func() {}
		if !resumes {
			var err error
			if begun, err = d.mayBegin(ctx, f, shard); err != nil {
				break
			}
		}
		began := time.Now()
		err := l.hold(ctx, d.times, func() {
			begun()
			if _, changed, away := d.turn(f, shard, true); changed && resumes {
				d.log.Info("gateway resumed", "away", away)
			}
		})
		begun()
		if ctx.Err() != nil {
			break
		}
		if was, _, _ := d.turn(f, shard, false); was {
			told = ""
		}
		if time.Since(began) > pauses.MaxInterval { // it lasted long: reconnect without a pause
			pauses.Reset()
			atOnce = true
		}
		wait := pauses.NextBackOff()
		if atOnce && errors.Is(err, errLost) {
			wait, atOnce = 0, false
		}
		code := closeCode(err)
		if hopeless[code] != "" {
			l.leave()
			d.refused(code)
			return true
		}
		told = d.tell(told, code, err, wait)
		if isOver(code, err) {
			l.leave()
			l = nil
		}
		_ = pause(ctx, wait)
	}
	if l != nil {
		l.close()
	}
	return false
}

// refused logs the close code of a final refusal.
func (d *Discord) refused(code int) {
	d.log.Error("discord rejected the connection; restart required", "why",
		hopeless[code], "code", code)
	d.GiveUp(hopeless[code])
}

// isOver reports whether a session has ended with its connection.
func isOver(code int, err error) bool {
	return over[code] || errors.Is(err, errStuck) || errors.Is(err, discordgo.ErrWSShardBounds)
}

// tell logs why there is no connection, once for each kind of trouble until there is one again. told is the trouble
// logged last; it returns the new one.
func (d *Discord) tell(told string, code int, err error, wait time.Duration) string {
	kind, level, text := "ended", slog.LevelInfo, "the connection to Discord has ended"
	args := []any{"error", d.rest.redact(err), "again", wait}
	switch {
	case isOver(code, err):
		kind, level, text = "over", slog.LevelWarn, "the session with Discord is over; beginning another"
	case !errors.Is(err, errLost):
		kind, level, text = "away", slog.LevelWarn, "discord is unreachable; retrying"
	}
	if kind == told {
		level = slog.LevelDebug
	}
	d.log.Log(context.Background(), level, text, args...)
	return kind
}

func closeCode(err error) int {
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		return closed.Code
	}
	return 0
}
