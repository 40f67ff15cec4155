package wordstest

import (
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"knobel/bot/words"
	"knobel/games"
)

var (
	reading sync.Mutex
	read    = map[string]*words.Words{}
)

// Of returns the words of a bot with these games. They are read once, because they never change and reading is slow.
func Of(t testing.TB, all ...games.Game) *words.Words {
	t.Helper()
	var called string
	var systems []fs.FS
	for _, g := range all {
		called += fmt.Sprintf("%T %s ", g, g.Name())
		systems = append(systems, g.Words())
	}
	reading.Lock()
	defer reading.Unlock()
	if read[called] == nil {
		said, err := words.New(systems...)
		if err != nil {
			t.Fatal(err)
		}
		read[called] = said
	}
	return read[called]
}
