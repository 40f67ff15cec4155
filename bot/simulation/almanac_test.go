package simulation

import (
	"errors"
	"strings"
	"time"

	"knobel/bot/board"
	"knobel/store"
)

// What the almanac expects of evenings, and its judgement.

// expect notes who comes to an evening that is about to begin, whether it takes place, and whether its place is free.
func (a *almanac) expect(e *eveningOf) {
	is, ok := a.stored(e)
	if e.known || !ok || is.Start != e.start.UnixMilli() {
		return
	}
	e.known = true
	e.skipped = is.Skipped == e.start.UnixMilli()
	e.blocked = a.isPlayed(e)
	a.view(func(tx *store.Tx) error {
		answers, err := tx.Calls.Answers(is.ID, e.start.UnixMilli())
		stored := map[string]bool{}
		for _, one := range answers {
			stored[one.Player] = one.Comes
			if one.Comes {
				e.coming++
			}
		}
		for _, p := range e.people {
			if comes, told := a.told[e.key()+" "+p.user()]; told && comes != stored[p.user()] {
				a.Errorf("seed %d: %s was told %v for evening %s, and %v is stored", a.seed, p.called, comes, e.key(),
					answers)
			}
		}
		return err
	})
	a.trace.event("evening", e.key(), "of", e.chat(), e.coming, "come, skipped:", e.skipped, "blocked:", e.blocked)
	unsure := e.isTelegram() && a.fate.maybeSent() > e.lost // it may have been sent, and is not sent again there
	if n := a.fromNotice(e); n > 5*time.Minute && !unsure && !e.skipped && len(a.shown[a.noticeOf(e)]) == 0 {
		a.Errorf("seed %d: %s saw no notice of evening %s, and had %s for it", a.seed, e.chat(), e.key(), n)
	}
}

// noticeOf returns what notices of the evening are noted under.
func (a *almanac) noticeOf(e *eveningOf) string { return e.chat() + " 1:0:0:/evening #in " + e.key() }

// isPlayed reports whether a table is being played in the place of an evening.
func (a *almanac) isPlayed(e *eveningOf) (played bool) {
	a.view(func(tx *store.Tx) error {
		t, err := tx.Tables.TableHere(e.name())
		played = err == nil && t.State == store.Playing
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return err
	})
	return played
}

// watch notes when no table blocks an evening any more.
func (a *almanac) watch(e *eveningOf) {
	if e.free.IsZero() && !a.isPlayed(e) {
		e.free = time.Now()
	}
}

// ranIn returns how long the bot ran at a stretch in a time, at most.
func (a *almanac) ranIn(s span) (longest time.Duration) {
	for _, ran := range append(a.ran[:len(a.ran):len(a.ran)], span{a.opened, a.fate.lastAlive()}) {
		longest = max(longest, earlier(ran.to, s.to).Sub(later(ran.from, s.from)))
	}
	return longest
}

// fromNotice returns how long the bot ran at a stretch, and reached the platform, in the hour before an evening.
func (a *almanac) fromNotice(e *eveningOf) time.Duration {
	platform, _, _ := strings.Cut(e.name(), ":")
	at := span{e.start.Add(-time.Hour), e.start.Add(-time.Second)}
	for _, o := range a.cuts[platform] {
		if (o.to.IsZero() || o.to.After(at.from)) && o.from.Before(at.to) {
			return 0
		}
	}
	return a.ranIn(at)
}

// judgeEvening fails the test unless an evening that took place has opened one table in time, and others have opened
// none. Notices and recaps may be repeated on Telegram if their sending was not confirmed, but not on Discord.
func (a *almanac) judgeEvening(e *eveningOf) {
	late, wait := span{e.start, e.start.Add(30 * time.Minute)}, span{later(e.start, e.free), e.start.Add(2 * time.Hour)}
	var found []store.Table
	a.view(func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			t, err := tx.Tables.Table(id)
			opened := time.UnixMilli(t.Opened)
			if t.Occasion != "" && t.Place == e.name() && opened.After(e.start.Add(-2*time.Hour)) &&
				opened.Before(e.start.Add(3*time.Hour)) {
				found = append(found, t)
			}
			return err
		})
	})
	a.trace.event("evening", e.key(), "of", e.chat(), "has opened", len(found))
	final := false
	for _, t := range found {
		_, final = board.FinalOf(t)
		opened := time.UnixMilli(t.Opened)
		if opened.Before(e.start) || !e.blocked && !opened.Before(late.to) || opened.After(wait.to.Add(tolerance)) {
			a.Errorf("seed %d: evening %s of %s opened a table at %s", a.seed, e.key(), e.chat(), opened)
		}
	}
	ran, noticed := a.ranIn(late), a.ranIn(span{e.start, e.start.Add(tolerance)})
	if e.blocked {
		ran = min(ran, noticed, a.ranIn(wait)-tolerance)
		if e.free.IsZero() {
			ran = 0
		}
	}
	switch {
	case len(found) > 1:
		a.Errorf("seed %d: evening %s of %s opened %d tables", a.seed, e.key(), e.chat(), len(found))
	case !e.known:
	case len(found) == 1 && (e.skipped || e.coming < 2 && !final || !e.blocked && a.ranIn(late) <= 0):
		a.Errorf("seed %d: evening %s of %s opened table %d: %+v", a.seed, e.key(), e.chat(), found[0].ID, e)
	case len(found) == 0 && !e.skipped && e.coming >= 2 && ran >= tolerance && !a.isLeft(e):
		a.Errorf("seed %d: evening %s of %s opened nothing: %+v, the bot ran %s", a.seed, e.key(), e.chat(), e, ran)
	}
	a.met, a.unmet = a.met+len(found), a.unmet+1-min(len(found), 1)
	if final {
		a.finals++
	}
	a.checkRepeats()
}

// isLeft reports whether people who come to an evening sit in a lobby that they have opened themselves.
func (a *almanac) isLeft(e *eveningOf) (left bool) {
	a.view(func(tx *store.Tx) error {
		t, err := tx.Tables.TableHere(e.name())
		left = err == nil && t.Occasion == "" && time.UnixMilli(t.Opened).After(e.start.Add(-time.Hour))
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return err
	})
	return left
}

// checkRepeats fails the test if people saw a notice or a recap more often than it may be sent.
func (a *almanac) checkRepeats() {
	for about, ids := range a.shown {
		most := 1
		if strings.HasPrefix(about, "telegram") {
			most += a.fate.maybeSent() + a.lives - 1
		}
		if len(ids) > most {
			a.Errorf("seed %d: %s was seen as %d messages", a.seed, about, len(ids))
		}
	}
}

// checkSeasons fails the test unless the season of November has ended once and, if its games have counted, with a
// champion or a final in play.
func (a *almanac) checkSeasons() {
	for _, r := range a.regulars {
		a.view(func(tx *store.Tx) error {
			all, err := tx.Chats.Seasons(r.chat())
			if err != nil {
				return err
			}
			playing := false
			err = tx.Tables.Tables(func(id int64) error {
				t, err := tx.Tables.Table(id)
				_, final := board.FinalOf(t)
				playing = playing || final && t.Chat == r.chat() && t.State == store.Playing
				return err
			})
			november := store.OfSeason(all[len(all)-1].ID)
			played, err2 := tx.Scores.Standings(store.Wanted{Chat: r.chat(), Period: november})
			if len(all) != 2 || all[0].Name == all[1].Name || all[1].Champion == "" && len(played) > 0 && !playing {
				a.Errorf("seed %d: the seasons of %s are %+v", a.seed, r.chat(), all)
			}
			return errors.Join(err, err2)
		})
	}
}

// earlier returns the first of two moments, later the last.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
