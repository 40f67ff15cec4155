package store_test

import (
	"errors"
	"slices"
	"testing"

	"knobel/store"
)

// TestHintsOfOneProcess has several listen in the process that changes something.
func TestHintsOfOneProcess(t *testing.T) {
	s := fresh(t)
	var first, second []string
	stop := s.Hints(func(text string) { first = append(first, text) })
	defer s.Hints(func(text string) {
		if value, err := setting(s, text); err != nil || value != "1" {
			t.Errorf("%s is not stored when it is heard of: %q, %v", text, value, err)
		}
		second = append(second, text)
	})()
	saves := func(name string, with error) {
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			tx.Hint(name)
			return errors.Join(tx.Chats.SaveSetting(name, "1"), with)
		})
		if (err == nil) != (with == nil) {
			t.Error(err)
		}
	}
	saves("a", nil)
	saves("never", errNo)
	stop()
	saves("b", nil)
	if !slices.Equal(first, []string{"a"}) || !slices.Equal(second, []string{"a", "b"}) {
		t.Errorf("%q and %q are heard", first, second)
	}
}
