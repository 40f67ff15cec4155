package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"knobel/store"
	"knobel/store/storetest"
)

// found are the texts that stand in the content of some databases.
func (s *Stage) found(files []string, texts ...string) (found []string) {
	s.Helper()
	for _, file := range files {
		content := storetest.Content(s, file)
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found = append(found, fmt.Sprintf("%s in %s", text, filepath.Base(file)))
			}
		}
	}
	return found
}

// A table among others and one alone: nothing on the disk tells who was there, their data come to them alone, as a
// file, and once forgotten they are nowhere.
func TestPrivacy(t *testing.T) {
	Each(t, func(s *Stage) {
		wilhelmine, bartholo := s.Person("Wilhelmine Zwetschge", "en"), s.Person("Bartholomäus", "de")
		s.Sit("/shutbox stake=5", wilhelmine, bartholo)
		texts := []string{"Wilhelmine", "Zwetschge", "Bartholom"}
		var alone *Stage
		switch place := s.Place.(type) {
		case *Channel:
			alone = s.In(place.At(place.Server.Direct()))
			texts = append(texts, place.Guild.ID, place.Channel.ID, alone.Place.(*Channel).Channel.ID)
		case *Group:
			alone = s.In(place.At(place.Own(wilhelmine.who)))
			texts = append(texts, fmt.Sprint(place.Chat.ID()))
		}
		for _, p := range []*Person{wilhelmine, bartholo} {
			_, id, _ := strings.Cut(p.ID(), ":")
			texts = append(texts, id)
		}
		wilhelmine.At(alone).Writes("/coin")
		if found := s.found(storetest.Copies(s, s.Store), texts...); len(found) > 0 {
			s.Errorf("found %v", found)
		}

		privacy := bartholo.Asks("/privacy")
		if g, ok := s.Place.(*Group); ok { // where the bot may not write to him, and by a press: in a window
			g.Own(bartholo.who).Close()
			want := "Das ist nur für dich: Schreib mir /mydata in unserem eigenen Chat."
			s.Says(bartholo.Writes("/mydata"), want+" https://t.me/KnobelBot?start=mydata")
			told := bartholo.PressesOn(privacy, ":/mydata")
			if s.Says(told, want); !g.Window(told) {
				s.Errorf("%q goes by unread", told)
			}
			g.Own(bartholo.who).Reopen()
			own := s.In(g.At(g.Own(bartholo.who)))
			bartholo.At(own).Writes("/start mydata")
			if m := bartholo.Reads("Hier ist alles"); !json.Valid(m.File) ||
				!strings.Contains(string(m.File), "Bartholomäus") {
				s.Errorf("the file is\n%s", m.File)
			}
			wilhelmine.Writes("/mydata")
			wilhelmine.Reads("It is on its way to you, in our own chat.")
		} else {
			s.Says(privacy.Text, "Namen, Kennungen, Startwerte und Glückswörter sind in meiner Datenbank "+
				"verschlüsselt.")
			wilhelmine.Writes("/mydata")
		}
		m := wilhelmine.Reads("Here is all that I keep of you.")
		s.Says(string(m.File), wilhelmine.ID(), "Wilhelmine Zwetschge", `"stakes"`)
		if g, ok := s.Place.(*Group); ok {
			s.Says(string(m.File), fmt.Sprint("telegram:", g.Chat.ID()))
		}
		if !m.Alone || !json.Valid(m.File) || strings.Contains(string(m.File), bartholo.ID()) {
			s.Errorf("a file for all: %v, with\n%s", !m.Alone, m.File)
		}
		for _, said := range s.Messages(-1) {
			if said.File != nil {
				s.Error("everybody sees a file")
			}
		}

		page := wilhelmine.Asks("/forget")
		own := fnv.New32a()
		own.Write([]byte(wilhelmine.ID()))
		yes := fmt.Sprintf("/forget yes %08x", own.Sum32())
		button, ok := page.Button(":" + yes)
		if !ok {
			s.Fatalf("no button carries %s on\n%s\n%v", yes, page.Text, page.Buttons)
		}
		if !page.Alone {
			s.Says(bartholo.Sends(page, button.Data), "Der Knopf gehört jemand anderem. Sag selbst /forget.")
		}
		s.Says(wilhelmine.Sends(page, button.Data), "You are forgotten. What is left is called gone 1. Farewell.")
		s.Shows("gone 1")
		if told := bartholo.Writes("/settle"); strings.Contains(told, "Wilhelmine") {
			s.Errorf("the books say %q", told)
		}
		time.Sleep(time.Minute)
		s.Stop()
		if err := s.Store.Close(); err != nil {
			s.Fatal(err)
		}
		if _, err := store.Rekey(context.Background(), s.File(), storetest.Key(s.T), nil); err != nil {
			s.Fatal(err)
		}
		files := []string{s.File()}
		if found := s.found(files, "Wilhelmine", "Zwetschge", wilhelmine.ID()); len(found) > 0 {
			s.Errorf("forgotten, and found %v", found)
		}
		if found := s.found(files, "Bartholom", bartholo.ID()); len(found) < 2 {
			s.Errorf("of whoever stays is found %v", found)
		}
		s.set.Plain = true // so that what is left is looked at
		s.open()
	})
}
