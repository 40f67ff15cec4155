package discord

// The application's emoji: which are wanted and which uploaded. One replica at a time uploads those that are missing.

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/discord/emoji"
)

// emojis holds the pictures that an adapter wants as emoji, and those that are uploaded.
type emojis struct {
	off     bool                  // draw boards as text
	all     []emoji.Picture       // the wanted pictures, in the order of their use
	shown   atomic.Pointer[album] // the uploaded ones that boards use, nil: none
	doubted chan struct{}         // signalled when a message with emoji was refused
}

// withoutRefusedEmoji returns message without emoji, and true, if err is Discord's refusal of its content: perhaps an
// emoji was deleted. Then boards are drawn as text until keepEmoji has listed the uploaded emoji again.
func (e *emojis) withoutRefusedEmoji(message any, err error) (bare body, ok bool) {
	b, isBody := message.(body)
	refused, ok := refusalOf(err)
	if !isBody || b.bare == nil || !ok || refused.Code != discordgo.ErrCodeInvalidFormBody {
		return b, false
	}
	e.shown.Store(nil)
	select {
	case e.doubted <- struct{}{}:
	default:
	}
	return b.withoutEmoji(), true
}

// missing returns the wanted pictures that are not in uploaded, which maps full names of emoji to their ids.
func (e *emojis) missing(uploaded map[string]string) (all []emoji.Picture) {
	for _, p := range e.all {
		if uploaded[p.FullName()] == "" {
			all = append(all, p)
		}
	}
	return all
}

// uploadLease is the name of the lease for uploading emoji.
const uploadLease = "discord emoji"

// keepEmoji uploads the missing emoji of the application, and again whenever Discord refuses a message with emoji. It
// returns ctx.Err() once ctx is done. After three such refusals it returns another error, and boards are drawn as text.
func (d *Discord) keepEmoji(ctx context.Context, applicationID string) error {
	for refusals := 0; refusals < 3; {
		began := time.Now()
		uploaded, err := d.listEmoji(ctx, applicationID)
		if err != nil {
			return err
		}
		if len(d.emoji.missing(uploaded)) > 0 {
			err = d.uploadMissing(ctx, applicationID)
			if err != nil && (ctx.Err() != nil || !errors.Is(err, context.Canceled)) {
				return err
			}
			continue // all are uploaded now, or another replica has taken the lease and uploads them
		}
		select {
		case <-d.emoji.doubted:
		case <-ctx.Done():
			return ctx.Err()
		}
		if refusals++; time.Since(began) > time.Hour {
			refusals = 1
		}
	}
	d.emoji.shown.Store(nil)
	return errors.New("messages with emoji are rejected repeatedly")
}

// listEmoji requests the ids of the uploaded emoji by full name, with retries until ctx is done. From then on boards
// show the pictures of the kinds that are uploaded completely.
func (d *Discord) listEmoji(ctx context.Context, applicationID string) (uploaded map[string]string, err error) {
	err = retry(ctx, 0, func() (err error) {
		uploaded, err = d.uploadedEmoji(ctx, applicationID)
		return err
	})
	if err == nil {
		d.emoji.shown.Store(newAlbum(d.emoji.all, uploaded))
	}
	return uploaded, err
}

// uploadMissing waits until no other replica uploads, then uploads the missing emoji. It returns context.Canceled if it
// has lost the lease while the caller's ctx is not done: then another replica continues the upload.
func (d *Discord) uploadMissing(ctx context.Context, applicationID string) error {
	ctx, done, err := d.options.Leases.Hold(ctx, uploadLease, 1, 0)
	if err != nil {
		return err
	}
	defer done(0)
	uploaded, err := d.listEmoji(ctx, applicationID) // another replica may have been faster
	if err != nil {
		return err
	}
	missing := d.emoji.missing(uploaded)
	if len(missing) > 0 {
		d.log.Info("uploading emoji", "count", len(missing))
	}
	for _, p := range missing {
		request := map[string]string{"name": p.FullName(),
			"image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(p.PNG())}
		err = retry(ctx, 0, func() error {
			var made emojiRef
			endpoint := discordgo.EndpointApplicationEmojis(applicationID)
			wait, err := d.rest.do(ctx, true, http.MethodPost, endpoint, request, &made)
			if refused, ok := refusalOf(err); ok && refused.Status == http.StatusBadRequest {
				found, listErr := d.uploadedEmoji(ctx, applicationID)
				if listErr != nil || found[p.FullName()] == "" {
					return err
				}
				made.ID, err = found[p.FullName()], nil // an earlier try has arrived
			}
			if err != nil {
				return err
			}
			uploaded[p.FullName()] = made.ID
			return pause(ctx, wait)
		})
		if err != nil {
			return err
		}
		d.emoji.shown.Store(newAlbum(d.emoji.all, uploaded))
		if err := pause(ctx, d.times.uploadPause); err != nil {
			return err
		}
	}
	return nil
}

// uploadedEmoji requests the application's emoji and returns their ids by name; for equal names the first id.
func (d *Discord) uploadedEmoji(ctx context.Context, applicationID string) (map[string]string, error) {
	var list struct{ Items []emojiRef }
	endpoint := discordgo.EndpointApplicationEmojis(applicationID)
	if err := d.rest.call(ctx, true, http.MethodGet, endpoint, nil, &list); err != nil {
		return nil, err
	}
	uploaded := map[string]string{}
	for _, e := range list.Items {
		if isSnowflake(e.ID) && uploaded[e.Name] == "" {
			uploaded[e.Name] = e.ID
		}
	}
	return uploaded, nil
}

// describeEmoji returns a sentence for the operator that says whether boards are drawn with emoji or as text, and why.
func (d *Discord) describeEmoji(ctx context.Context) string {
	if d.emoji.off {
		return "emoji: off, boards are drawn as text"
	}
	var me emojiRef
	var uploaded map[string]string
	err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	if err == nil {
		uploaded, err = d.uploadedEmoji(ctx, me.ID)
	}
	if err != nil {
		return fmt.Sprintf("emoji: unavailable, boards are drawn as text: %v", err)
	}
	wanted, missing := len(d.emoji.all), len(d.emoji.missing(uploaded))
	if missing > 0 {
		return fmt.Sprintf("emoji: %d of %d uploaded; knobel serve uploads the others, and text replaces missing "+
			"ones", wanted-missing, wanted)
	}
	return fmt.Sprintf("emoji: all %d uploaded", wanted)
}
