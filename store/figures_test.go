package store_test

import (
	"errors"
	"os"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

func TestFiguresTellWhatThereIsToDo(t *testing.T) {
	s := fresh(t)
	finished(t, s, "test:one")
	opened(t, s, "test:two")
	lagging := started(t, s, "test:three")
	update(t, s, func(tx *store.Tx) error {
		lagging.Version, lagging.Board.Drawn, lagging.Changed = 5, 4, 77
		lagging.Clock.Due = 80
		return tx.Tables.SaveTable(lagging)
	})
	f, err := s.Figures(t.Context(), 90, "test:", "other:")
	if err != nil {
		t.Fatal(err)
	}
	if f.Lobby != 1 || f.Playing != 1 || f.House != 0 || f.Clocks != 1 || f.Late != 1 {
		t.Errorf("there is to do: %+v", f)
	}
	if d := f.Lagging["test:"]; d.Boards == 0 || d.Since == 0 {
		t.Errorf("boards that are behind: %+v", d)
	}
	if d := f.Lagging["other:"]; d != (store.Delay{}) {
		t.Errorf("boards of another platform that are behind: %+v", d)
	}
	if storetest.OnPostgres() {
		if f.File < 1<<20 || f.Log != 0 { // an empty one has some 8 MB
			t.Errorf("the database has %d bytes, its log %d", f.File, f.Log)
		}
		return
	}
	info, err := os.Stat(s.File())
	if err != nil || f.File != info.Size() || f.Log == 0 {
		t.Errorf("the file has %d bytes, its log %d: %v", f.File, f.Log, err)
	}
}

// A disk that takes nothing more is noticed, and so is that it does again:
// even where the clock has not moved since the last look.
func TestAProbeNoticesAFullDisk(t *testing.T) {
	full, file := false, storetest.Empty(t)
	storetest.Use(t, storetest.Disk{Write: func(bool) bool { return !full }})
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		closes(t, s)
	}()
	if err := s.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	full = true
	if err := s.Probe(t.Context()); err == nil {
		t.Error("nothing was noticed")
	}
	if s.Commits().Failed == 0 {
		t.Error("no commit was counted as failed")
	}
	full = false
	if err := errors.Join(s.Probe(t.Context()), s.Probe(t.Context())); err != nil {
		t.Errorf("it does not recover: %v", err)
	}
}
