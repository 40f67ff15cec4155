package migrations

// Which scripts a database on PostgreSQL has.

import (
	"io/fs"
	"path"
	"slices"
)

// twins are the scripts for PostgreSQL: those in the folder postgres, and after the first of them all others that have
// no twin of the same name there.
type twins struct{ scripts fs.FS }

const folder = "postgres"

// Glob is as of fs.GlobFS. A pattern names no folder.
func (t twins) Glob(pattern string) ([]string, error) {
	all, err := fs.Glob(t.scripts, pattern)
	if err != nil {
		return nil, err
	}
	own, err := fs.Glob(t.scripts, path.Join(folder, pattern))
	if err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(all, func(name string) bool { return name <= onPostgres })
	for _, name := range own {
		names = append(names, path.Base(name))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Open is as of fs.FS: a script's twin, where it has one.
func (t twins) Open(name string) (fs.File, error) {
	if twin, err := t.scripts.Open(path.Join(folder, name)); err == nil {
		return twin, nil
	}
	return t.scripts.Open(name)
}
