package shelf

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// What stands in a folder beside what one is looking for.

// ours is how the files are named that a shelf makes, whole or not. All others belong to others.
var ours = regexp.MustCompile(`^.+-[0-9a-f]{16}\.solution(\.[0-9]+\.partly)?$`)

// stale is how old a file is that was not finished, and is not being written any more.
const stale = 24 * time.Hour

// trim removes what there is no room for, and what was not finished. It goes on where something cannot be removed.
func (s *Shelf) trim(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var kept []fs.FileInfo
	var bytes int64
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		switch filepath.Ext(entry.Name()) {
		case partly:
			if ours.MatchString(entry.Name()) && time.Since(info.ModTime()) > stale {
				_ = os.Remove(filepath.Join(folder, entry.Name())) // or another program was faster
			}
		case extension:
			kept, bytes = append(kept, info), bytes+info.Size()
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	var failed error
	for _, info := range kept {
		if bytes <= s.Most {
			break
		}
		place := filepath.Join(folder, info.Name())
		if a, err := aboutAt(place); !ours.MatchString(info.Name()) || err == nil && a.Offline {
			continue
		}
		if err := os.Remove(place); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
			continue
		}
		bytes -= info.Size()
	}
	return failed
}

// aboutAt is what a file says of itself.
func aboutAt(place string) (about, error) {
	file, err := openFile(place)
	if err != nil {
		return about{}, err
	}
	defer file.Close()
	a, _, err := readAbout(file)
	return a, err
}

// openFile opens a file for reading, and nothing else: opening a pipe would wait for whoever writes into it.
func openFile(place string) (*os.File, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	return os.Open(place)
}
