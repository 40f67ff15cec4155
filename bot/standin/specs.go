// Package standin is what the platforms that play the real ones for tests have
// in common: the folder of the official descriptions, waiting for something to
// happen, and faults on the way.
package standin

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNoSpecs says that there is no folder of platform specs on this machine.
var ErrNoSpecs = errors.New("no platform specs: set KNOBEL_SPECS or put them into ../shared/specs beside the checkout")

// FindSpecs returns the folder of platform specs: KNOBEL_SPECS, else
// ../shared/specs as seen from the root of the checkout around the working
// directory. It returns ErrNoSpecs where neither holds the file.
func FindSpecs(file string) (string, error) {
	if folder := os.Getenv("KNOBEL_SPECS"); folder != "" {
		return folder, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ErrNoSpecs
		}
		dir = parent
	}
	folder := filepath.Join(dir, "..", "shared", "specs")
	if _, err := os.Stat(filepath.Join(folder, file)); errors.Is(err, fs.ErrNotExist) {
		return "", ErrNoSpecs
	}
	return folder, nil
}
