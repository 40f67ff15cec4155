package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"knobel/bot/fakes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A forgotten player of the browser is in no byte of the files
// beside the database, free pages and presses included, nor in the log.
func TestNothingIsLeftOfWhoIsForgottenInTheBrowser(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := filepath.Join(folder, "knobel.db")
	s := start(t, build(t), freePort(t), db)
	v := visits(t, s.listen)
	command := func(id, text string) {
		t.Helper()
		if a, err := v.post("/command", map[string]any{"id": id, "as": 0, "text": text}); err != nil || a.Refused {
			t.Fatalf("%s: %v %+v", text, err, a)
		}
	}
	for i := range 40 { // more than fit a page of the file
		command(fmt.Sprint("press-", i), "/stats")
	}
	command("open", "/shutbox 7")
	v.makesRoom(t) // of which they are host
	person := asks(t, db, `SELECT group_concat(id) FROM players`)
	own := fnv.New32a()
	own.Write([]byte(person))
	id := strings.Split(person, ":")[1]
	if _, err := v.post("/people", map[string]any{"rename": map[string]any{"n": 0, "name": "Adelgunde"}}); err != nil {
		t.Fatal(err)
	}
	if len(holding(t, folder, "Adelgunde")) == 0 {
		t.Fatal("their name was never there")
	}
	if len(holding(t, folder, id)) == 0 {
		t.Fatal("they were never there")
	}
	command("forget", fmt.Sprintf("/forget yes %08x", own.Sum32()))
	s.until("the file is written anew", func() bool { return len(holding(t, folder, id, "Adelgunde")) == 0 })
	s.leave()
	if found := holding(t, folder, id, "Adelgunde", "press-3"); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if said := s.said.String(); strings.Contains(said, id) || strings.Contains(said, "Adelgunde") {
		t.Errorf("the log tells who it was:\n%s", s.said)
	}
}

// holding lists the files in a folder that hold one of some texts.
func holding(t *testing.T, folder string, texts ...string) (found []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	check(t, err)
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found = append(found, text+" in "+file.Name())
			}
		}
	}
	return found
}

// However an id comes to the log, in a value, an error or the line itself, it does
// not stand in it; what is no id does.
func TestNoIDIsLogged(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		said := &fakes.Journal{}
		log := (&settings{log: format}).logger(world{err: said})
		log.With("place", "telegram:-1004711:0").Error("faces of telegram:4711 in discord:@4711",
			"error", fmt.Errorf("list %s in %s: %w", "web:4711abc:0", "discord:@:4711", os.ErrNotExist), "player",
			slog.AnyValue(told{Toast: "discord:4711"}))
		log.Info("discord: 17 shards", "place", "web:room", "table", 12)
		if strings.Contains(said.String(), "4711") {
			t.Errorf("an id is told:\n%s", said)
		}
		for _, want := range []string{"faces of telegram:… in discord:…",
			"list web:… in discord:…: file does not exist", "discord: 17 shards", "web:room", "12"} {
			if !strings.Contains(said.String(), want) {
				t.Errorf("%q is missing:\n%s", want, said)
			}
		}
	}
}
