package shelf

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// What stands in a folder beside what one is looking for.

// ours is how the files are named that a shelf keeps, and begun how those are that it or SolveTo did not finish, or
// Place left. All others belong to others.
var (
	ours  = regexp.MustCompile(`^.+-[0-9a-f]{16}\.solution$`)
	begun = regexp.MustCompile(`^(.+\.solution\.|probe-)[0-9]+\.partly$`)
)

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
		place := filepath.Join(folder, entry.Name())
		switch {
		case begun.MatchString(entry.Name()):
			if time.Since(info.ModTime()) > stale && isPart(place, info) {
				_ = os.Remove(place) // or another program was faster
			}
		case ours.MatchString(entry.Name()):
			if a, err := aboutAt(place); err != nil || !a.Offline {
				kept, bytes = append(kept, info), bytes+info.Size()
			}
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
		err := os.Remove(filepath.Join(folder, info.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
			continue
		}
		bytes -= info.Size()
	}
	return failed
}

// isPart reports whether a file that was begun has nothing in it yet, or the head of a solution.
func isPart(place string, info fs.FileInfo) bool {
	_, err := aboutAt(place)
	return info.Size() == 0 || err == nil
}

// Place is where solutions are kept, and what is there.
type Place struct {
	Folder string
	Files  int // whole solutions, of everybody
	Bytes  int64
}

// Place finds the first folder in which solutions can be kept, which need not be there yet. Its error says why there is
// none. A file that it makes to find out is gone when it returns.
func (s *Shelf) Place() (p Place, err error) {
	err = s.first(func(folder string) error {
		err := writable(folder)
		if err == nil {
			p, err = placeAt(folder)
		}
		return err
	})
	return p, err
}

// writable returns what keeps one from writing into a folder, or from making it.
func writable(folder string) error {
	info, err := os.Stat(folder)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
		info, err = os.Stat(folder)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", folder)
	}
	probe, err := os.CreateTemp(folder, "probe-*"+partly)
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// placeAt counts what is in a folder.
func placeAt(folder string) (Place, error) {
	p := Place{Folder: folder}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && filepath.Ext(entry.Name()) == extension {
			p.Files, p.Bytes = p.Files+1, p.Bytes+info.Size()
		}
	}
	return p, err
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
