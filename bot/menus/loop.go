package menus

// The loop that tells platforms of the menus that chats have of their own.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/store"
)

const (
	// again is how long a menu is left alone after the first failure; each further one doubles that, up to
	// maxPause, and maxTries is how often it is tried.
	again    = time.Minute
	maxPause = time.Hour
	maxTries = 10
	// longWait is how long a platform has to ask for that admins are told.
	longWait = 10 * time.Minute
	// tellWithin bounds how long a platform may take for one menu.
	tellWithin = time.Minute
	// day is the time in which a platform counts what is added to a menu.
	day = 24 * time.Hour
	// atOnce is how many menus are read at a time.
	atOnce = 64
)

// editionOf is a fingerprint of the program's commands and of what menus are made by.
func editionOf(b *bot.Bot) (string, error) {
	said, err := json.Marshal(b.Commands())
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(said, b.Version...))
	return hex.EncodeToString(sum[:8]), nil
}

// look tells of the menus that are due on the platforms that run, and returns when the next is.
func (b *Menus) look(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	if b.edition == "" {
		if b.edition, err = editionOf(b.Bot); err != nil {
			return 0, err
		}
	}
	var faults []error
	more := false
	for name, p := range c.Outbox.Platforms() {
		if !p.Link().Up {
			continue
		}
		var due []store.Menu
		faults = append(faults, c.Due(ctx, func(tx *store.Tx) (err error) {
			due, err = tx.DueMenus(name+":", b.edition, b.Now(), atOnce)
			return err
		}))
		more = more || len(due) == atOnce
		for _, of := range due {
			if ctx.Err() == nil {
				faults = append(faults, b.tell(ctx, c, p, of.Chat))
			}
		}
	}
	now := b.Now()
	var next int64
	faults = append(faults, c.Store.View(ctx, func(tx *store.Tx) (err error) {
		next, err = tx.NextMenu(now)
		return err
	}))
	err = errors.Join(faults...)
	if more && err == nil { // what could not be written waits for the sweep
		next = now + 1
	}
	return max(time.Duration(next-now)*time.Millisecond, 0), err
}

// tell tells a platform of the menu of one chat, and stores what has become of that.
func (b *Menus) tell(ctx context.Context, c *bot.Core, on chat.Platform, group string) error {
	under, held := c.Under(store.OfChat(group), group)
	if !held {
		return nil // whoever runs the loops of the chat now sees to it
	}
	var want wanted
	asks, most := false, on.MaxMade()
	err := c.Store.UpdateOf(ctx, under, func(tx *store.Tx) (err error) {
		if want, err = b.wanted(tx, group); err == nil {
			asks, err = b.begin(tx, most, group, want)
		}
		return err
	})
	if err != nil || !asks {
		return unlessFenced(c, err)
	}
	asking, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	fault := loop.Safely(func() error { return on.Menu(asking, chat.Chat(group), want.Menu) })
	if fault != nil && ctx.Err() != nil {
		return nil // the next run sees to it
	}
	err = c.Store.UpdateOf(context.WithoutCancel(ctx), under, func(tx *store.Tx) error {
		return b.end(tx, group, want.Menu, fault)
	})
	if fault != nil {
		c.Log.WarnContext(ctx, "the menu of a chat was not written", "platform", on.Name(), "error", fault)
	}
	return unlessFenced(c, err)
}

// unlessFenced is an error, but for that of a lease that another replica has by now.
func unlessFenced(c *bot.Core, err error) error {
	if c.Leases.Fenced(err) {
		return nil
	}
	return err
}

// wanted is the menu that a chat wants.
type wanted struct {
	chat.Menu
	set bool // games are named: if none of them is to be added, this may be otherwise with the next edition
}

func (b *Menus) wanted(tx *store.Tx, group string) (wanted, error) {
	set, err := bot.SettingsOf(tx, group)
	return wanted{b.menuOf(set[listed]), set[listed] != ""}, err
}

// begin reports whether the platform is to be told of a menu, and notes that it may have been.
func (b *Menus) begin(tx *store.Tx, most int, group string, want wanted) (asks bool, err error) {
	is, err := tx.Menu(group)
	if err != nil {
		return false, err
	}
	now := b.Now()
	list, counted := strings.Join(want.More, ","), strings.Split(is.Games, ",")
	if is.Since+day.Milliseconds() <= now {
		is.Made, is.Since = 0, now
		if counted[0] == store.MenuUnsure {
			counted = nil // they may be added today only
		}
	}
	if list == is.Games && (list == "" || is.Edition == b.edition && is.Fault == "") {
		return false, b.rest(tx, is, want.set)
	}
	added := 0
	for _, name := range want.More {
		if !slices.Contains(counted, name) {
			added++
		}
	}
	if added > 0 && is.Made+added > most {
		is.Due = is.Since + day.Milliseconds()
		fails(&is, later)
		return false, tx.SaveMenu(is)
	}
	is.Made, is.Games = is.Made+added, unsure(list)
	return true, tx.SaveMenu(is)
}

// rest leaves a menu alone that is as it should be. That of a chat that has none any more is forgotten, once what was
// added to it within a day does not count any more.
func (b *Menus) rest(tx *store.Tx, is store.Menu, set bool) error {
	is.Edition, is.Due, is.Tries, is.Fault, is.Told = b.edition, 0, 0, "", false
	if is.Made == 0 && !set {
		return tx.DropMenu(is.Chat)
	}
	if !set {
		is.Due = is.Since + day.Milliseconds()
	}
	return tx.SaveMenu(is)
}

// end stores what has become of telling the platform of a menu. What the chat wants may have changed meanwhile.
func (b *Menus) end(tx *store.Tx, group string, told chat.Menu, fault error) error {
	is, err := tx.Menu(group)
	if err != nil {
		return err
	}
	want, err := b.wanted(tx, group)
	if err != nil {
		return err
	}
	now := b.Now()
	if fault == nil {
		is.Games = strings.Join(told.More, ",")
	}
	if !slices.Equal(want.More, told.More) {
		is.Due, is.Tries = now, 0
		return tx.SaveMenu(is)
	}
	if fault == nil {
		return b.rest(tx, is, want.set)
	}
	is.Edition = b.edition
	switch unable := errors.Is(fault, chat.ErrAway) || errors.Is(fault, chat.ErrUninvited); {
	case unable && !want.set: // the bot was left
		return tx.DropMenu(group)
	case errors.Is(fault, chat.ErrUninvited):
		is.Due = 0
		fails(&is, uninvited)
		return tx.SaveMenu(is)
	case unable, errors.Is(fault, chat.ErrRefused):
		is.Due = 0
		fails(&is, refused)
		return tx.SaveMenu(is)
	}
	wait := loop.PauseAfter(fault, min(again<<is.Tries, maxPause))
	is.Due = now + wait.Milliseconds()
	if _, asked := errors.AsType[chat.Later](fault); asked {
		if wait >= longWait {
			fails(&is, later)
		}
		return tx.SaveMenu(is)
	}
	if is.Tries++; is.Tries >= maxTries {
		is.Due = 0
		fails(&is, failed)
	}
	return tx.SaveMenu(is)
}

// fails notes why a menu is not as it should be. Of another fault admins are told anew.
func fails(is *store.Menu, why string) {
	is.Told = is.Told && is.Fault == why
	is.Fault = why
}
