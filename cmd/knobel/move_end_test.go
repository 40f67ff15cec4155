package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// cutMove is a move that loses its server at its very end, and what becomes of it.
type cutMove struct {
	fromServer bool // it comes from a server and goes into a file; otherwise the other way round
	off        bool // the server is out of reach before the end begins
	cut        postgrestest.Cut
	fails      bool // the move says that it has failed
	undo       bool // and that the mark can be taken back; not judged where it is off
	marked     bool // the old database is marked as moved
	whole      bool // the new one can be served
}

// TestTheEndOfAMoveIsCut cuts the connection to the server at the end of moves: never can both databases be served, and
// where it is not known what has become of them the error says how one can be. The last is what a server gets before it
// is gone.
func TestTheEndOfAMoveIsCut(t *testing.T) {
	t.Parallel()
	const before, after, lost = postgrestest.BeforeCommit, postgrestest.AfterCommit, postgrestest.Lost
	for name, m := range map[string]cutMove{
		"the copy's end is not answered": {cut: after, marked: true, whole: true},
		"the copy's end does not arrive": {cut: before, marked: true, whole: true},
		"the copy's end is the last":     {cut: lost, fails: true, undo: true, marked: true, whole: true},
		"it is gone before the copy's":   {off: true, fails: true},
		"the mark is not answered":       {fromServer: true, cut: after, marked: true, whole: true},
		"the mark does not arrive":       {fromServer: true, cut: before, marked: true, whole: true},
		"the mark is the last":           {fromServer: true, cut: lost, fails: true, undo: true, marked: true},
		"it is gone before the mark":     {fromServer: true, off: true, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endsCut(t, m)
		})
	}
}

// endsCut has a move end so.
func endsCut(t *testing.T, m cutMove) {
	proxy := postgrestest.Need(t).Proxy(t)
	file, server := filepath.Join(t.TempDir(), "knobel.db"), storetest.OnServer(t)
	from, to := &settings{db: file}, &settings{db: proxy.Address(server)}
	if m.fromServer {
		from, to = to, from
	}
	st, err := store.Open(t.Context(), from.db)
	check(t, err)
	defer st.Close()
	c, err := st.CopyTo(t.Context(), to.db, nil)
	check(t, err)
	proxy.Cut(m.cut)
	if m.off {
		proxy.Off()
	}
	var out bytes.Buffer
	w := worldOf(&out, &out, nil)
	err = moving{world: w, from: from, to: to, st: st}.end(t.Context(), c)
	if cuts := proxy.Cuts(); m.cut != postgrestest.Nowhere && cuts != 1 {
		t.Fatalf("%d connections are cut", cuts)
	}
	if (err != nil) != m.fails || strings.Contains(out.String(), "All is in ") == m.fails {
		t.Errorf("it ends with %v, and says %q", err, out.String())
	}
	// Whether a server that is off got the mark before is known only where that is seen before anything is sent to it.
	if err != nil && !m.off && strings.Contains(err.Error(), "knobel move --undo") != m.undo {
		t.Errorf("it ends with %v", err)
	}
	proxy.On()
	closes(t, st)
	if marked := isMarked(t, from.db); marked != m.marked {
		t.Errorf("the old database is marked: %t", marked)
	}
	if whole := isWhole(t, to.db); whole != m.whole {
		t.Errorf("the new database is whole: %t", whole)
	}
	if m.undo {
		if err := unmove(t.Context(), w, from); err != nil || isMarked(t, from.db) {
			t.Errorf("the mark cannot be taken back: %v", err)
		}
	}
}

// isMarked reports whether a database is marked as moved.
func isMarked(t *testing.T, name string) bool {
	t.Helper()
	st, err := store.OpenReadOnly(t.Context(), name)
	check(t, err)
	defer st.Close()
	to, err := movedTo(t.Context(), st)
	if err != nil {
		t.Error(err)
	}
	return to != ""
}

// isWhole reports whether a copy is there and finished.
func isWhole(t *testing.T, name string) bool {
	t.Helper()
	if _, err := os.Stat(name); store.IsFile(name) && errors.Is(err, fs.ErrNotExist) {
		return false
	}
	st, err := store.OpenReadOnly(t.Context(), name)
	check(t, err)
	defer st.Close()
	unfinished, err := st.Unfinished(t.Context())
	if err != nil {
		t.Error(err)
	}
	return !unfinished
}
