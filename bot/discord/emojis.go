package discord

// The application's emoji: wanted pictures, uploaded ones, and the upload of the missing by one replica at a time.

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

// emojis holds the wanted pictures of an adapter and those that are uploaded.
type emojis struct {
	off     bool                  // draw boards as text
	all     []emoji.Picture       // the wanted pictures, in the order of their use
	shown   atomic.Pointer[album] // the uploaded ones that boards use, nil: none
	doubted chan struct{}         // signalled when a message with emoji was refused
}

// withoutRefusedEmoji returns message sent without emoji, and true, if err is Discord's refusal of its content: an
// emoji may be deleted. keepEmoji then lists the emoji again; until that is done, boards are drawn as text.
func (e *emojis) withoutRefusedEmoji(sent any, err error) (bare body, ok bool) {
	b, isBody := sent.(body)
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

// uploadLease is the name of the lease that the uploading replica holds.
const uploadLease = "discord emoji"

// keepEmoji uploads the missing emoji of the application, and does so again whenever a message with emoji was refused.
// It returns the error of ctx once that is done. After three such refusals it returns another error, and boards are
// drawn as text.
func (d *Discord) keepEmoji(ctx context.Context, applicationID string) error {
	for refusals := 0; refusals < 3; {
		began := time.Now()
		uploaded, err := d.listEmoji(ctx, applicationID)
		if err != nil {
			return err
		}
		if len(d.emoji.missing(uploaded)) > 0 {
			err = d.uploadMissing(ctx, applicationID)
			if err != nil && (ctx.Err() != nil || !errors.Is(err, context.Canceled)) { // otherwise another continues
				return err
			}
			continue
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
	return errors.New("messages with emoji are refused again and again")
}

// listEmoji returns the ids of the uploaded emoji by full name, with retries until ctx is done. Boards are drawn with
// the complete kinds from then on.
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

// uploadMissing waits until no other replica uploads, then uploads the missing emoji. It returns context.Canceled,
// although the caller's ctx is not done, if it has lost the lease: another replica continues.
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

// uploadedEmoji requests the application's emoji and returns their ids by name; of equal names the first.
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

// describeEmoji returns a sentence for the operator: whether boards are drawn with emoji or as text, and why.
func (d *Discord) describeEmoji(ctx context.Context) string {
	if d.emoji.off {
		return "emoji are switched off, boards are drawn in letters"
	}
	var me emojiRef
	var uploaded map[string]string
	err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	if err == nil {
		uploaded, err = d.uploadedEmoji(ctx, me.ID)
	}
	if err != nil {
		return fmt.Sprintf("emoji are not to be had, boards are drawn in letters: %v", err)
	}
	wanted, missing := len(d.emoji.all), len(d.emoji.missing(uploaded))
	if missing > 0 {
		return fmt.Sprintf("%d of %d emoji are there, knobel serve uploads the others; boards are drawn in letters "+
			"where they are missing", wanted-missing, wanted)
	}
	return fmt.Sprintf("boards are drawn with %d emoji", wanted)
}
