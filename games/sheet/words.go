package sheet

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"knobel/games"
)

//go:embed words/*.toml
var words embed.FS

// WithFamily returns a file system with the message files of a set and, beside them, those that all sheets share.
func WithFamily(own fs.FS) fs.FS { return both{own, games.Folder(words, "words")} }

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
