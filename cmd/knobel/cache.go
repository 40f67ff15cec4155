package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"

	"knobel/games"
	"knobel/store"
	"knobel/store/shelf"
)

// Where solutions are kept.

// noCache is the value by which solutions are kept nowhere.
const noCache = "off"

// shelf is where solutions are kept by who has a key, nil: nowhere. Without a key there are those that operators have
// put there.
func (s *settings) shelf(log *slog.Logger, key []byte) *shelf.Shelf {
	c := shelf.Config{Key: key, Program: thisBuild().String(), Log: log}
	switch {
	case s.cache == noCache:
		return nil
	case s.cache != "":
		c.Folders = []string{s.cache}
		return shelf.New(c)
	}
	if store.IsFile(s.db) {
		c.Folders = append(c.Folders, s.db+".cache")
	}
	if folder, err := os.UserCacheDir(); err == nil {
		c.Folders = append(c.Folders, filepath.Join(folder, "knobel"))
	}
	return shelf.New(c)
}

// shelved has games know what operators have put on the shelf.
func (s *settings) shelved(w world, all ...games.Game) []games.Game {
	return s.shelf(s.logger(w), nil).Stock(all)
}

// solutionKey is the key of an installation that proves what it has solved itself.
func solutionKey(installation []byte) []byte {
	sum := hmac.New(sha256.New, installation)
	sum.Write([]byte("solutions"))
	return sum.Sum(nil)
}
