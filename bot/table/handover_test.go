package table_test

import (
	"regexp"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestIdleTables(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t, shutbox.Game{})
		people := h.Gather("/shutbox 10 turn=none", "Anna", "Ben")
		anna, ben := people[0], people[1]
		anna.Presses("▶ Start")
		s := bare.NewStage()
		c := &bare.Clocked{House: h, Stage: s, People: people}
		h.OnStage(s)
		hours := func(what string, met func(store.Table) bool) store.Table {
			return c.Awaits(what, func(t store.Table) bool {
				if !met(t) {
					h.Wait(time.Hour)
				}
				return met(t)
			})
		}
		began := h.Time()
		hours("an announcement", func(t store.Table) bool { return t.Warned > 0 })
		if after := h.Time().Sub(began); after < 7*24*time.Hour {
			t.Errorf("announced after %v", after)
		}
		if closes := anna.Board().Deadline; closes == nil ||
			!regexp.MustCompile(`^Nobody has touched this table for 7 days\. It is closed on \d+ November at \d\d:\d\d`).
				MatchString(closes.String()) {
			t.Errorf("the board says %+v", closes)
		}
		bare.Refused(t, h.Person("Dora").Presses("Keep the table"), "You are watching this game. Join the next one.")
		bare.Told(t, ben.Presses("Keep the table"), "The table stays.")
		warned := hours("another announcement", func(t store.Table) bool { return t.Warned > 0 }).Warned
		over := hours("the end", func(t store.Table) bool { return t.State == store.Abandoned })
		if over.Changed-warned < (24 * time.Hour).Milliseconds() {
			t.Errorf("closed %d ms after it was announced", over.Changed-warned)
		}
		c.Verified()
	})
}

// TestQuietHoursStopTheClock, and changing them keeps what a turn has left.
func TestQuietHoursStopTheClock(t *testing.T) {
	h := bare.New(t, shutbox.Game{}) // it is 22:13
	anna := h.Gather("/shutbox 10", "Anna", "Ben")[0]
	anna.Admin = true
	anna.Presses("▶ Start")
	h.Wait(7 * time.Minute)
	anna.Writes("/settings quiet=22-8")
	const until = "Anna plays, or the house on 15 November at 08:03."
	if m := anna.Board(); m.Deadline == nil || m.Deadline.String() != until {
		t.Errorf("the board says %v", m.Deadline)
	}
	anna.Writes("/settings quiet=none")
	if m := anna.Board(); m.Deadline.String() != "Anna plays, or the house at 22:23." {
		t.Errorf("the board says %v", m.Deadline)
	}
}
