package engine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestANameThatTheDiskMayNotKeep has a finished database get its name while the disk fails, before it has the name and
// after that.
func TestANameThatTheDiskMayNotKeep(t *testing.T) {
	broken := errors.New("the disk is broken")
	for what, test := range map[string]struct {
		taken bool
		sync  error
		want  bool // it may have its name
	}{
		"the name is not kept": {sync: broken, want: true},
		"the name is taken":    {taken: true, sync: broken},
		"all is well":          {},
	} {
		t.Run(what, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "knobel.db")
			made, err := Beside(file)
			if err != nil {
				t.Fatal(err)
			}
			names := []string{made}
			if test.taken {
				names = append(names, file)
			}
			for _, name := range names {
				if err := os.WriteFile(name, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err = name(made, file, func(string) error { return test.sync })
			if uncertain := errors.Is(err, ErrUncertain); uncertain != test.want {
				t.Errorf("it may have its name: %t, %v", uncertain, err)
			}
			if (err != nil) != (test.sync != nil) {
				t.Error(err)
			}
		})
	}
}
