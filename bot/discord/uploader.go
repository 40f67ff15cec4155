package discord

// Uploading emoji: one replica at a time uploads the missing ones, one after the other.

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/discord/emoji"
)

// uploader uploads the emoji of an application.
type uploader struct {
	rest        *rest
	log         *slog.Logger
	emoji       *emojis
	leases      chat.Leases
	apart       time.Duration // between two uploads
	application string
	there       map[string]string // ids by names
}

// errDoubted: messages with emoji are refused although these exist.
var errDoubted = errors.New("messages with emoji are refused again and again")

// uploadLease is the lease of the replica that uploads.
const uploadLease = "discord emoji"

// maxDoubts is how often a run lists the emoji again because a message with them was refused.
const maxDoubts = 3

// run keeps the emoji uploaded until ctx is done or it is no use.
func (u *uploader) run(ctx context.Context) error {
	for doubts := 0; doubts < maxDoubts; doubts++ {
		began := time.Now()
		if err := u.upload(ctx); err != nil {
			return err
		}
		select {
		case <-u.emoji.doubted:
		case <-ctx.Done():
			return ctx.Err()
		}
		if time.Since(began) > time.Hour {
			doubts = 0
		}
	}
	u.emoji.shown.Store(nil)
	return errDoubted
}

// upload returns once all pictures exist, whichever replica has uploaded them.
func (u *uploader) upload(ctx context.Context) error {
	for {
		err := u.look(ctx)
		if err == nil && len(u.emoji.missing(u.there)) == 0 {
			return nil
		}
		if err == nil {
			err = u.fill(ctx)
		}
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.Canceled)) { // otherwise another replica goes on
			return err
		}
	}
}

// look lists the emoji and draws boards with them.
func (u *uploader) look(ctx context.Context) error {
	return patiently(ctx, 0, func() (err error) {
		if u.there, err = u.pictures(ctx); err == nil {
			u.show()
		}
		return err
	})
}

// show draws boards with the complete kinds.
func (u *uploader) show() { u.emoji.shown.Store(newAlbum(u.emoji.all, u.there)) }

// fill uploads the missing emoji once no other replica does. It returns context.Canceled if another is to go on.
func (u *uploader) fill(ctx context.Context) error {
	ctx, done, err := u.leases.Hold(ctx, uploadLease, 1, 0)
	if err != nil {
		return err
	}
	defer done()
	if err := u.look(ctx); err != nil { // another replica may have been faster
		return err
	}
	missing := u.emoji.missing(u.there)
	if len(missing) > 0 {
		u.log.Info("uploading emoji", "count", len(missing))
	}
	for _, p := range missing {
		if err := u.send(ctx, p); err != nil {
			return err
		}
		u.show()
		if err := pause(ctx, u.apart); err != nil {
			return err
		}
	}
	return nil
}

// send uploads one picture.
func (u *uploader) send(ctx context.Context, p emoji.Picture) error {
	sent := map[string]string{
		"name": p.FullName(), "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(p.PNG()),
	}
	return patiently(ctx, 0, func() error {
		var made emojiRef
		at := discordgo.EndpointApplicationEmojis(u.application)
		spent, err := u.rest.do(ctx, true, http.MethodPost, at, sent, &made)
		refused, ok := refusalOf(err)
		if ok && refused.Status == http.StatusBadRequest {
			there, lost := u.pictures(ctx)
			if lost != nil || there[p.FullName()] == "" {
				return err
			}
			made, err = emojiRef{ID: there[p.FullName()]}, nil // the try before has arrived
		}
		if err != nil {
			return err
		}
		u.there[p.FullName()] = made.ID
		return pause(ctx, spent)
	})
}

// pictures returns the ids of the application's emoji by name; of equal names the first.
func (u *uploader) pictures(ctx context.Context) (map[string]string, error) {
	var list struct {
		Items []emojiRef `json:"items"`
	}
	err := u.rest.call(ctx, true, http.MethodGet, discordgo.EndpointApplicationEmojis(u.application), nil, &list)
	if err != nil {
		return nil, err
	}
	there := map[string]string{}
	for _, e := range list.Items {
		if snowflake(e.ID) && there[e.Name] == "" {
			there[e.Name] = e.ID
		}
	}
	return there, nil
}

// state returns for an operator how boards are drawn.
func (u *uploader) state(ctx context.Context) string {
	if u.emoji.off {
		return "emoji are switched off, boards are drawn in letters"
	}
	var me emojiRef
	err := u.rest.call(ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	var there map[string]string
	if err == nil {
		u.application = me.ID
		there, err = u.pictures(ctx)
	}
	if err != nil {
		return fmt.Sprintf("emoji are not to be had, boards are drawn in letters: %v", err)
	}
	wanted, missing := len(u.emoji.all), len(u.emoji.missing(there))
	if missing > 0 {
		return fmt.Sprintf("%d of %d emoji are there, knobel serve uploads the others; boards are drawn in letters "+
			"where they are missing", wanted-missing, wanted)
	}
	return fmt.Sprintf("boards are drawn with %d emoji", wanted)
}
