package engine

import (
	"path/filepath"
	"testing"
)

// Wherever statements of ours run, what they keep for a while stays in the memory: in
// the system's folder for such things it would outlive them, and it may be names or
// secrets that are sealed in the database.
func TestNothingOfTheDatabaseStaysInATemporaryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	s, err := Open(t.Context(), file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for what, pragmas := range map[string][]string{
		"writing": forWriting, "reading": forReading, "copying": forCopying, "rekeying": forRekeying,
	} {
		const memory = 2
		var kept int64
		err := with(t.Context(), file, "rw", pragmas, func(tx *Tx) error { return tx.get(`PRAGMA temp_store`, &kept) })
		if err != nil || kept != memory {
			t.Errorf("%s keeps what is temporary in %d (%v), want %d", what, kept, err, memory)
		}
	}
}
