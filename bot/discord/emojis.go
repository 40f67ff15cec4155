package discord

// The application's emoji: the list of pictures, the uploaded ones, and the upload of the others by one replica at a
// time.

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

// emojis holds the pictures of an adapter and those of them that are uploaded.
type emojis struct {
	off     bool                  // draw boards as text
	all     []emoji.Picture       // the wanted pictures, in the order of their use
	shown   atomic.Pointer[album] // the uploaded ones, nil: none
	doubted chan struct{}         // signalled when a message with emoji was refused
}

// inLetters returns the message sent without emoji, and true, if err is Discord's refusal of its content: an emoji may
// have been deleted. It then makes keepEmoji list the emoji again; until that is done, boards are drawn as text.
func (e *emojis) inLetters(sent any, err error) (letters body, ok bool) {
	b, has := sent.(body)
	refused, ok := refusalOf(err)
	if !has || b.bare == nil || !ok || refused.Code != discordgo.ErrCodeInvalidFormBody {
		return b, false
	}
	e.shown.Store(nil)
	select {
	case e.doubted <- struct{}{}:
	default:
	}
	return b.letters(), true
}

// missing returns the pictures that are not uploaded. there maps the full names of uploaded emoji to their ids.
func (e *emojis) missing(there map[string]string) (all []emoji.Picture) {
	for _, p := range e.all {
		if there[p.FullName()] == "" {
			all = append(all, p)
		}
	}
	return all
}

// uploadLease is the kind of the lease of the replica that uploads.
const uploadLease = "discord emoji"

// keepEmoji uploads the missing emoji of application, an id, and does so again whenever a message with emoji was
// refused. It returns the error of ctx once that is done, or another error after three such refusals; then boards are
// drawn as text.
func (d *Discord) keepEmoji(ctx context.Context, application string) error {
	for doubts := 0; doubts < 3; {
		began := time.Now()
		there, err := d.listEmoji(ctx, application)
		if err != nil {
			return err
		}
		if len(d.emoji.missing(there)) > 0 {
			err = d.uploadMissing(ctx, application)
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
		if doubts++; time.Since(began) > time.Hour {
			doubts = 1
		}
	}
	d.emoji.shown.Store(nil)
	return errors.New("messages with emoji are refused again and again")
}

// listEmoji returns the ids of the uploaded emoji by full name, with retries until ctx is done. From then on boards are
// drawn with the kinds that are complete.
func (d *Discord) listEmoji(ctx context.Context, application string) (there map[string]string, err error) {
	err = patiently(ctx, 0, func() (err error) {
		there, err = d.uploadedEmoji(ctx, application)
		return err
	})
	if err == nil {
		d.emoji.shown.Store(newAlbum(d.emoji.all, there))
	}
	return there, err
}

// uploadMissing waits until no other replica uploads, then uploads the missing emoji. It returns context.Canceled,
// while the caller's ctx is not done, if another replica is to continue.
func (d *Discord) uploadMissing(ctx context.Context, application string) error {
	ctx, done, err := d.options.Leases.Hold(ctx, uploadLease, 1, 0)
	if err != nil {
		return err
	}
	defer done(0)
	there, err := d.listEmoji(ctx, application) // another replica may have been faster
	if err != nil {
		return err
	}
	missing := d.emoji.missing(there)
	if len(missing) > 0 {
		d.log.Info("uploading emoji", "count", len(missing))
	}
	for _, p := range missing {
		sent := map[string]string{"name": p.FullName(),
			"image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(p.PNG())}
		err = patiently(ctx, 0, func() error {
			var made emojiRef
			at := discordgo.EndpointApplicationEmojis(application)
			spent, err := d.rest.do(ctx, true, http.MethodPost, at, sent, &made)
			if refused, ok := refusalOf(err); ok && refused.Status == http.StatusBadRequest {
				uploaded, lost := d.uploadedEmoji(ctx, application)
				if lost != nil || uploaded[p.FullName()] == "" {
					return err
				}
				made.ID, err = uploaded[p.FullName()], nil // an earlier try has arrived
			}
			if err != nil {
				return err
			}
			there[p.FullName()] = made.ID
			return pause(ctx, spent)
		})
		if err != nil {
			return err
		}
		d.emoji.shown.Store(newAlbum(d.emoji.all, there))
		if err := pause(ctx, d.times.apart); err != nil {
			return err
		}
	}
	return nil
}

// uploadedEmoji requests the application's emoji and returns their ids by name; of equal names the first.
func (d *Discord) uploadedEmoji(ctx context.Context, application string) (map[string]string, error) {
	var list struct{ Items []emojiRef }
	at := discordgo.EndpointApplicationEmojis(application)
	if err := d.rest.call(ctx, true, http.MethodGet, at, nil, &list); err != nil {
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

// describeEmoji returns a sentence for an operator: whether boards are drawn with emoji or as text, and why.
func (d *Discord) describeEmoji(ctx context.Context) string {
	if d.emoji.off {
		return "emoji are switched off, boards are drawn in letters"
	}
	var me emojiRef
	var there map[string]string
	err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	if err == nil {
		there, err = d.uploadedEmoji(ctx, me.ID)
	}
	if err != nil {
		return fmt.Sprintf("emoji are not to be had, boards are drawn in letters: %v", err)
	}
	wanted, missing := len(d.emoji.all), len(d.emoji.missing(there))
	if missing > 0 {
		return fmt.Sprintf("%d of %d emoji are there, knobel serve uploads the others; boards are drawn in letters "+
			"where they are missing", wanted-missing, wanted)
	}
	return fmt.Sprintf("boards are drawn with %d emoji", wanted)
}
