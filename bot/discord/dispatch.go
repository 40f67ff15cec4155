package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// begin takes something on, unless the run is over. Every true is followed
// by under.Done.
func (s *run) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.under.Add(1)
	return true
}

// close takes nothing more on and waits for what is under way.
func (s *run) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.under.Wait()
}

// dispatch takes one event of the gateway.
func (d *Discord) dispatch(s *run, kind string, raw json.RawMessage) {
	if !s.begin() {
		return
	}
	defer s.under.Done()
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("an event broke the adapter", "kind", kind, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	switch kind {
	case "READY":
		var ready struct{ User person }
		_ = json.Unmarshal(raw, &ready) // who the bot is, the log alone says
		d.log.Info("listening", "bot", ready.User.Username)
	case "INTERACTION_CREATE":
		in, ok := readInteraction(raw)
		if !ok {
			d.log.Warn("an interaction that cannot be read")
			return
		}
		// Told again while it is answered, it would be answered without a word, and
		// the answer that is under way would pass for given.
		switch {
		case !d.met.Add(in.ID, in.at, 2*fresh):
		case d.hearsUnsurely():
			d.regret(s.work, s.core, in)
		default:
			d.serve(s.work, s.core, in)
		}
	case "CHANNEL_DELETE", "THREAD_DELETE", "GUILD_DELETE":
		d.lost(s, kind, raw)
	}
}

// hearsUnsurely reports whether another replica may hear the same by now over a session of its own.
func (d *Discord) hearsUnsurely() bool {
	return d.listener == nil && !d.leases.Sure()
}

// regret tells a person, while nobody knows who keeps the shard, that nothing was done, unless somebody else has
// answered: each session of a shard is told of everything, and Discord takes the first answer. Whoever keeps the shard
// by now has answered before, or has said that it takes longer.
func (d *Discord) regret(ctx context.Context, core chat.Core, in interaction) {
	if in.Type == didComplete {
		return
	}
	if pause(ctx, time.Until(in.at.Add(d.times.regret))) != nil {
		return
	}
	c := &conversation{Discord: d, in: in}
	err := c.send(ctx, discordgo.EndpointInteractionResponse(in.ID, in.Token),
		callback{sayMessage, pointing(core.Sorry(in.event()))}, nil)
	if refused, ok := refusalOf(err); ok && (refused.Code == codeAnswered || refused.Code == codeUnknownInteraction) {
		return // it was answered
	}
	if err != nil {
		d.log.Warn("an interaction could not be answered", "error", err)
	}
}

// lost hears that a channel was deleted, or that the bot was removed from a
// server. A server that is only away for a while comes back by itself.
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
	if err := s.core.Lost(s.work, chat, place); err != nil && s.work.Err() == nil {
		d.log.Error("that a place was lost cannot be stored", "error", err)
	}
}

// introduce registers the commands, and looks after the pictures in the background, until the run ends. It does not
// wait for a connection: a replica that keeps none draws boards and is told of interactions by HTTP all the same.
func (d *Discord) introduce(s *run) {
	defer s.under.Done()
	var me emojiRef
	err := patiently(s.ctx, 0, func() error {
		return d.rest.call(s.ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	})
	if err != nil {
		chat.LogFailure(s.ctx, d.log.Error, "Discord does not say which application this is", d.rest.redact(err))
		return
	}
	if !d.emoji.off && s.begin() {
		go d.picture(s, me.ID)
	}
	menu := newLocales(s.core.Languages()).menu(s.core.Commands())
	// what is being written when the run ends is written
	err = patiently(s.ctx, time.Hour, func() error { return d.register(s.work, me.ID, menu) })
	chat.LogFailure(s.ctx, d.log.Error, "the commands could not be written", err)
}

// picture looks after the pictures until the run ends.
func (d *Discord) picture(s *run, application string) {
	defer s.under.Done()
	defer func() {
		if p := recover(); p != nil {
			d.emoji.shown.Store(nil)
			d.log.Error("the emoji broke the adapter; boards are drawn in letters", "panic", p, "stack",
				string(debug.Stack()))
		}
	}()
	err := d.rest.redact(d.uploader(application).run(s.ctx))
	chat.LogFailure(s.ctx, d.log.Warn,
		"emoji are not to be had; boards are drawn in letters where they are missing", err)
}

// uploader is who looks after the emoji of an application.
func (d *Discord) uploader(application string) *uploader {
	return &uploader{rest: &d.rest, log: d.log, emoji: &d.emoji, leases: d.leases, apart: d.times.apart,
		application: application}
}
