package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

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
	if s.cache == noCache {
		return nil
	}
	c := shelf.Config{Key: key, Log: log}
	if key != nil {
		c.Program = thisProgram()
	}
	switch {
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

// thisProgram tells the running program from others that may solve otherwise.
var thisProgram = sync.OnceValue(func() func() string {
	place, err := os.Executable()
	if err != nil {
		place = "" // and what it is will not be known
	}
	return thisBuild().program(place)
})

// program returns a version, with the sum of the program's file where different programs may have that version. The
// file is opened at once, as another may take its place, and read when it is asked for.
func (b made) program(place string) func() string {
	if !b.modified && (b.commit != "" || b.version != devel) {
		return b.String
	}
	file, err := os.Open(place)
	return sync.OnceValue(func() string {
		sum := sha256.New()
		if err == nil {
			defer file.Close()
			_, err = io.Copy(sum, file)
		}
		if err != nil {
			return b.String() + ", " + rand.Text() // it is known to itself alone
		}
		return fmt.Sprintf("%v, %x", b, sum.Sum(nil)[:16])
	})
}

// shelved has games know what operators have put on the shelf.
func (s *settings) shelved(w world, all ...games.Game) []games.Game {
	return s.shelf(s.logger(w), nil).Stock(all)
}

// ownShelf is where an installation keeps solutions. That they are its own is proved by a key that follows from the one
// that it signs cookies with.
func (s *settings) ownShelf(ctx context.Context, st *store.Store, log *slog.Logger) (*shelf.Shelf, error) {
	key, err := cookieKey(ctx, st)
	if err != nil {
		return nil, err
	}
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte("solutions"))
	return s.shelf(log, sum.Sum(nil)), nil
}
