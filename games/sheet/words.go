package sheet

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed words/*.toml
var words embed.FS

// family are the message files of all sheets.
func family() fs.FS {
	sub, err := fs.Sub(words, "words")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// WithFamily returns a file system with the message files of a set and, beside them, those that all sheets share.
func WithFamily(own fs.FS) fs.FS { return both{own, family()} }

// both shows the files of two folders as one.
type both struct{ first, second fs.FS }

// Open opens a file of the first folder or, where it is not there, of the second.
func (b both) Open(name string) (fs.File, error) {
	if f, err := b.first.Open(name); err == nil {
		return f, nil
	}
	return b.second.Open(name)
}

// ReadDir lists the files of both.
func (b both) ReadDir(name string) ([]fs.DirEntry, error) {
	first, err := fs.ReadDir(b.first, name)
	if err != nil {
		return nil, err
	}
	second, err := fs.ReadDir(b.second, name)
	if err != nil {
		return nil, err
	}
	all := append(slices.Clone(first), second...)
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}
