package store_test

import (
	"errors"
	"reflect"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

func TestFadingAnswersComeBack(t *testing.T) {
	s := sealed(t, storetest.Empty(t), aKey(t))
	first := store.Fading{Chat: "test:chat", Message: "test:chat:7", Above: "test:chat:6", Command: "test:chat:5",
		Due: 60}
	second := store.Fading{Chat: "other:chat", Command: "other:chat:9", Due: 50}
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.SaveFading(&first), tx.SaveFading(&second)) })
	due := func(prefix string, by int64, want ...store.Fading) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.DueFading(prefix, by, 9)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("due by %d on %q: %+v, want %+v", by, prefix, got, want)
			}
			return err
		})
	}
	due("", 49)
	due("", 60, second, first)
	due("test:", 60, first)
	update(t, s, func(tx *store.Tx) error {
		answer, err1 := tx.FadingAnswer("test:chat:7")
		asked, err2 := tx.FadingAsked("test:chat:5")
		if answer != first || asked != first {
			t.Errorf("found %+v and %+v", answer, asked)
		}
		if _, err := tx.FadingAnswer("test:chat:5"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a command is an answer: %v", err)
		}
		next, err3 := tx.NextFading(50)
		if next != 60 {
			t.Errorf("next is %d", next)
		}
		return errors.Join(err1, err2, err3, tx.PutOffFading(first.ID, 59, 900), tx.PutOffFading(second.ID, 50, 70))
	})
	second.Due, second.Tries = 70, 1
	due("", 900, first, second)
	first.Message, first.Due = "test:chat:8", 80
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.SaveFading(&first), tx.DropLostFading(71)) })
	due("", 900, first)
	update(t, s, func(tx *store.Tx) error { return tx.DropFading(first.ID) })
	due("", 900)
	sound(t, s)
}
