package discord

// How emoji come to be there: one replica at a time uploads what is missing, one picture after the other. Older
// versions are deleted once no board in play shows them.

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/discord/emoji"
)

// uploader looks after the emoji of an application.
type uploader struct {
	rest        *rest
	log         *slog.Logger
	emoji       *emojis
	leases      chat.Leases
	times       uploading
	application string
	there       map[string]string // ids by names
}

// uploading is how long things about uploads take.
type uploading struct {
	// apart is what lies between two uploads.
	apart time.Duration
	// kept is how long pictures of older versions stay at least, for boards of games that are over,
	// and tidy how often those of games that go on are looked for.
	kept, tidy time.Duration
}

// errDoubted: messages with emoji are refused although they are there.
var errDoubted = errors.New("messages with emoji are refused again and again")

// uploadLease is the lease of the replica that uploads.
const uploadLease = "discord emoji"

// maxDoubts is how often emoji are looked for anew in a run because a message with them was refused.
const maxDoubts = 3

// run looks after the emoji until ctx is done, or there is no use in it.
func (u *uploader) run(ctx context.Context) error {
	for doubts := 0; doubts < maxDoubts; doubts++ {
		began := time.Now()
		if err := u.upload(ctx); err != nil {
			return err
		}
		if err := u.settle(ctx); err != nil {
			return err
		}
		if time.Since(began) > u.times.tidy {
			doubts = 0
		}
	}
	u.emoji.shown.Store(nil)
	return errDoubted
}

// upload returns once all pictures are there, whichever replica has uploaded them.
func (u *uploader) upload(ctx context.Context) error {
	for {
		err := u.look(ctx)
		if err == nil && len(u.emoji.missing(u.there)) == 0 {
			return u.note(ctx)
		}
		if err == nil {
			err = u.fill(ctx)
		}
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.Canceled)) { // else another replica goes on
			return err
		}
	}
}

// look asks which emoji are there, and has boards drawn with them.
func (u *uploader) look(ctx context.Context) error {
	return patiently(ctx, 0, func() (err error) {
		if u.there, err = u.pictures(ctx); err == nil {
			u.show()
		}
		return err
	})
}

// show has boards drawn with the kinds that are whole.
func (u *uploader) show() { u.emoji.shown.Store(newAlbum(u.emoji.all, u.there)) }

// note stores which of the pictures are ours, and since when all are there.
func (u *uploader) note(ctx context.Context) error {
	return u.emoji.change(ctx, u.application, func(n *noted) {
		whole := true
		for _, p := range u.emoji.all {
			id := u.there[p.FullName()]
			whole = whole && id != ""
			// one that lacks here was not there when it was last looked
			if id != "" && n.Owned[id] != p.FullName() {
				n.Owned[id], n.Since = p.FullName(), 0
			}
		}
		if whole && n.Since == 0 {
			n.Since = time.Now().UnixMilli()
		}
	})
}

// fill uploads what is missing, once no other replica does. The error is context.Canceled where one is to go on.
func (u *uploader) fill(ctx context.Context) error {
	ctx, done, err := u.leases.Hold(ctx, uploadLease, 1, 0)
	if err != nil {
		return err
	}
	defer done()
	if err := u.look(ctx); err != nil { // another may have been faster
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
		if err := u.note(ctx); err != nil {
			return err
		}
		if err := pause(ctx, u.times.apart); err != nil {
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
			made, err = emojiRef{ID: there[p.FullName()]}, nil // the try before this one had arrived
		}
		if err == nil && !snowflake(made.ID) {
			err = errors.New("an uploaded emoji without an id")
		}
		if err != nil {
			return err
		}
		u.there[p.FullName()] = made.ID
		return pause(ctx, spent)
	})
}

// settle waits until there is a doubt whether the emoji are still there, and deletes older versions
// meanwhile.
func (u *uploader) settle(ctx context.Context) error {
	for {
		left, err := u.clear(ctx)
		if err != nil {
			u.log.Info("emoji of older versions could not be deleted", "error", u.rest.redact(err))
		}
		var again <-chan time.Time
		if left > 0 || err != nil {
			again = time.After(u.times.tidy)
		}
		select {
		case <-u.emoji.doubted:
			return nil
		case <-again:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// clear deletes pictures of older versions, once boards of before are redrawn or old, and says how
// many are left.
func (u *uploader) clear(ctx context.Context) (left int, err error) {
	old, since, err := u.old(ctx)
	if err != nil || len(old) == 0 || time.Since(since) < u.times.kept {
		return len(old), err
	}
	oldest, err := u.emoji.notes.Oldest(ctx)
	if err != nil || !oldest.IsZero() && !oldest.After(since) {
		return len(old), err
	}
	there, err := u.pictures(ctx)
	if err != nil {
		return len(old), err
	}
	for i, e := range old {
		err := error(nil)
		if there[e.Name] == e.ID { // else somebody has deleted it, or made it theirs by another name
			err = u.remove(ctx, e.ID)
		}
		if err == nil {
			err = u.emoji.change(ctx, u.application, func(n *noted) { delete(n.Owned, e.ID) })
		}
		if err != nil {
			return len(old) - i, err
		}
	}
	u.log.Info("deleted emoji of older versions", "count", len(old))
	return 0, nil
}

// old are the pictures of older versions, and since when those of today are there.
func (u *uploader) old(ctx context.Context) (old []emojiRef, since time.Time, err error) {
	err = u.emoji.change(ctx, u.application, func(n *noted) {
		for id, name := range n.Owned {
			if u.emoji.older(name) {
				old = append(old, emojiRef{ID: id, Name: name})
			}
		}
		since = time.UnixMilli(n.Since)
	})
	slices.SortFunc(old, func(a, b emojiRef) int { return strings.Compare(a.ID, b.ID) })
	return old, since, err
}

// remove deletes one of ours.
func (u *uploader) remove(ctx context.Context, id string) error {
	at := discordgo.EndpointApplicationEmoji(u.application, id)
	return patiently(ctx, 0, func() error {
		spent, err := u.rest.do(ctx, true, http.MethodDelete, at, nil, nil)
		if refused, ok := refusalOf(err); ok && refused.Status == http.StatusNotFound {
			err = nil
		}
		return cmp.Or(err, pause(ctx, spent))
	})
}

// pictures says which emoji the application has: their ids by their names. Of two with the same
// name it is the first.
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

// emojiState says for an operator with what boards are drawn.
func (u *uploader) state(ctx context.Context) string {
	if u.emoji.off {
		return "emoji are switched off, boards are drawn in letters"
	}
	var me emojiRef
	err := u.rest.call(ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	if err == nil && !snowflake(me.ID) {
		err = errors.New("the application has no id")
	}
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
