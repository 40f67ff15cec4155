package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// dispatch handles one gateway event, as a task of the run.
func (d *Discord) dispatch(s *run, kind string, raw json.RawMessage) {
	defer chat.LogPanic(d.log, nil, "gateway handler panicked", "kind", kind)
	switch kind {
	case "READY":
		var ready struct{ User person }
		_ = json.Unmarshal(raw, &ready) // only for the log
		d.log.Info("listening", "bot", ready.User.Username)
	case "INTERACTION_CREATE":
		in, ok := readInteraction(raw)
		if !ok {
			d.log.Warn("read interaction failed")
			return
		}
		// A repeated interaction would get a silent answer, and the pending one would count as given.
		switch {
		case !d.met.Add(in.ID, in.at, 2*fresh):
		case d.listener == nil && !d.leases.Sure(): // another replica may receive it, too
			d.regret(s.late, s.core, in)
		default:
			d.serve(s.late, s.core, in)
		}
	case "CHANNEL_DELETE", "THREAD_DELETE", "GUILD_DELETE":
		d.lost(s, kind, raw)
	}
}

// regret refuses an interaction while the holder of the shard is unknown, unless another replica has answered: each
// session of a shard receives all events, and Discord takes the first answer. The holder has answered or deferred by
// now.
func (d *Discord) regret(ctx context.Context, core chat.Core, in interaction) {
	if in.Type == didComplete {
		return
	}
	if pause(ctx, time.Until(in.at.Add(d.times.regret))) != nil {
		return
	}
	err := d.respond(ctx, in, callback{sayMessage, pointing(core.Sorry(in.event()))}, nil)
	if refused, ok := refusalOf(err); ok && (refused.Code == codeAnswered || refused.Code == codeUnknownInteraction) {
		return // it was answered
	}
	if err != nil {
		d.log.Warn("answer interaction failed", "error", err)
	}
}

// lost handles a deleted channel or a removal from a server. An unavailable server comes back by itself.
func (d *Discord) lost(s *run, kind string, raw json.RawMessage) {
	var gone struct {
		ID          string `json:"id"`
		GuildID     string `json:"guild_id"`
		Unavailable bool   `json:"unavailable"`
	}
	if !readable(json.Unmarshal(raw, &gone)) || gone.ID == "" || gone.Unavailable {
		return
	}
	chat, place := chatID(gone.GuildID, gone.ID), placeID(gone.GuildID, gone.ID)
	if kind == "GUILD_DELETE" {
		chat, place = chatID(gone.ID, ""), ""
	}
	if err := s.core.Lost(s.late, chat, place); err != nil && s.late.Err() == nil {
		d.log.Error("store lost place failed", "error", err)
	}
}

// introduce registers the commands and uploads the emoji until the run ends. It needs no connection: a replica
// without a shard draws boards and receives interactions by HTTP.
func (d *Discord) introduce(s *run) {
	var me emojiRef
	err := patiently(s.ctx, 0, func() error {
		return d.rest.call(s.ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	})
	if err != nil {
		chat.LogFailure(s.ctx, d.log.Error, "Discord does not say which application this is", d.rest.redact(err))
		return
	}
	if !d.emoji.off {
		s.Go(func() { d.picture(s, me.ID) })
	}
	menu := newLocales(s.core.Languages()).menu(s.core.Commands())
	// a write that has begun is finished after the run's end
	err = patiently(s.ctx, time.Hour, func() error { return d.register(s.late, me.ID, menu) })
	chat.LogFailure(s.ctx, d.log.Error, "the commands could not be written", err)
}

// picture keeps the emoji uploaded until the run ends.
func (d *Discord) picture(s *run, application string) {
	defer chat.LogPanic(d.log, func() { d.emoji.shown.Store(nil) }, "emoji upload panicked; drawing boards as text")
	err := d.rest.redact(d.illustrate(s.ctx, application))
	chat.LogFailure(s.ctx, d.log.Warn,
		"emoji are not to be had; boards are drawn in letters where they are missing", err)
}
