//go:build unix

package store_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"knobel/store"
)

// What root restores, and locks meanwhile, belongs to whoever owns the folder; what
// anybody else restores is their own.
func TestRestoredForTheOwnerOfTheFolder(t *testing.T) {
	folder, want := t.TempDir(), os.Geteuid()
	if want == 0 {
		want = 65532
		if err := os.Chown(folder, want, want); err != nil {
			t.Fatal(err)
		}
	}
	from, to := filepath.Join(t.TempDir(), "copy.db"), filepath.Join(folder, "knobel.db")
	if err := fresh(t).Backup(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	r, err := store.Restore(t.Context(), from, to, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{to, to + ".lock"} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if owner := info.Sys().(*syscall.Stat_t); int(owner.Uid) != want || info.Mode().Perm() != 0o600 {
			t.Errorf("%s belongs to %d (%v), want %d", filepath.Base(file), owner.Uid, info.Mode(), want)
		}
	}
}
