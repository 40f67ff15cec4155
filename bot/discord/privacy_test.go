package discord

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// A game on a server: nothing on the disk tells who was there, and what is
// stored of somebody comes to them alone, as a file.
func TestPrivacy(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Wilhelmine Zwetschge", "en-US"), s.server.Person("Bartholomäus", "de")
	s.sit(anna, "shutbox", with("stake", 5), ben)
	direct := s.server.Direct()
	s.answer(direct.Slash(anna, "coin"))
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := s.store.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{s.store.File(), s.store.File() + "-wal", copied} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"Wilhelmine", "Bartholom", anna.ID, ben.ID, s.guild.ID, s.hall.ID, direct.ID} {
			if bytes.Contains(content, []byte(text)) {
				t.Errorf("%s is in %s", text, filepath.Base(file))
			}
		}
	}

	if a := s.answer(s.hall.Slash(ben, "privacy")); !private(a, "Namen, Kennungen, Startwerte und Glückswörter sind in meiner Datenbank verschlüsselt.") {
		t.Errorf("answers %q", a.Message.Text())
	}
	a := s.answer(s.hall.Slash(anna, "mydata"))
	if !private(a, "Here is all that I keep of you.") || len(a.Message.Attachments) != 1 {
		t.Fatalf("answers %q with %d files", a.Message.Text(), len(a.Message.Attachments))
	}
	f := a.Message.Attachments[0]
	if f.Name != "knobel.json" || !json.Valid(f.Content) || !strings.Contains(string(f.Content), "discord:"+anna.ID) ||
		strings.Contains(string(f.Content), ben.ID) {
		t.Errorf("%s holds\n%s", f.Name, f.Content)
	}

	page := s.answer(s.hall.Slash(anna, "forget")).Message
	for _, b := range page.Buttons() {
		if b.Label == "Forget me" {
			if a := s.answer(s.hall.Press(anna, page.ID, b.CustomID)); !strings.Contains(a.Message.Text(), "You are forgotten.") {
				t.Errorf("answers %q", a.Message.Text())
			}
		}
	}
	s.until("her name is off the board", func() bool {
		board, _ := s.hall.Last()
		return strings.Contains(board.Text(), "gone 1")
	})
	if a := s.answer(s.hall.Slash(ben, "settle")); strings.Contains(a.Message.Text(), "Wilhelmine") {
		t.Errorf("the books say %q", a.Message.Text())
	}
	s.sound()
}
