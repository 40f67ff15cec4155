package migrations

// The scripts of a database on PostgreSQL.

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"time"
)

// twins are the scripts for PostgreSQL: those in the folder postgres, and after the first of them all others without a
// twin of the same name there.
type twins struct {
	scripts fs.FS
	more    []fs.FS // further scripts
}

const folder = "postgres"

// Glob implements fs.GlobFS. A pattern names no folder.
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
	for _, scripts := range t.more {
		further, err := fs.Glob(scripts, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, further...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Open implements fs.FS: it returns a script's twin, if it has one, with a short timeout for locks: other processes
// that need the same table would wait behind the script.
func (t twins) Open(name string) (fs.File, error) {
	content, err := t.read(name)
	if err != nil {
		return nil, err
	}
	const begins = "-- +goose Up\n"
	content = bytes.Replace(content, []byte(begins), []byte(begins+"SET LOCAL lock_timeout = '2s';\n"), 1)
	return &script{bytes.NewReader(content), name}, nil
}

func (t twins) read(name string) ([]byte, error) {
	for _, scripts := range t.more {
		if content, err := fs.ReadFile(scripts, name); err == nil {
			return content, nil
		}
	}
	if content, err := fs.ReadFile(t.scripts, path.Join(folder, name)); err == nil {
		return content, nil
	}
	return fs.ReadFile(t.scripts, name)
}

// script is an open script.
type script struct {
	*bytes.Reader
	name string
}

func (s *script) Stat() (fs.FileInfo, error) { return s, nil }
func (s *script) Close() error               { return nil }
func (s *script) Name() string               { return s.name }
func (s *script) Mode() fs.FileMode          { return 0o444 }
func (s *script) ModTime() time.Time         { return time.Time{} }
func (s *script) IsDir() bool                { return false }
func (s *script) Sys() any                   { return nil }
