package discordtest_test

// What this Discord takes of emoji, and what it refuses.

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

const emojiPath = "/applications/1198622483471925248/emojis"

// emojiOf is an upload: a name and an empty picture, so many pixels wide and high.
func emojiOf(t *testing.T, name string, side int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, side, side))); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"name":%q,"image":"data:image/png;base64,%s"}`, name,
		base64.StdEncoding.EncodeToString(b.Bytes()))
}

func TestEmojiAreUploadedAndDeleted(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	if status, text := ask(t, s, "POST", emojiPath, emojiOf(t, "die_4", 128)); status != http.StatusCreated {
		t.Fatalf("an upload: %d %s", status, text)
	}
	if status, text := ask(t, s, "POST", emojiPath, emojiOf(t, "die_4", 128)); status != http.StatusBadRequest ||
		!strings.Contains(text, "ALREADY_TAKEN") {
		t.Errorf("the same name: %d %s", status, text)
	}
	all := s.Emoji()
	if len(all) != 1 || all[0].Name != "die_4" || len(all[0].PNG) == 0 {
		t.Fatalf("there are %v", all)
	}
	if _, text := ask(t, s, "GET", emojiPath, ""); !strings.Contains(text, `"id":"`+all[0].ID+`"`) {
		t.Errorf("the list is %s", text)
	}
	s.RefuseEmoji(http.StatusForbidden)
	if status, _ := ask(t, s, "GET", emojiPath, ""); status != http.StatusForbidden {
		t.Errorf("where emoji are refused the list is answered %d", status)
	}
	s.RefuseEmoji(0)
	for _, want := range []int{http.StatusNoContent, http.StatusNotFound} {
		if status, _ := ask(t, s, "DELETE", emojiPath+"/"+all[0].ID, ""); status != want {
			t.Errorf("deleting is answered %d, want %d", status, want)
		}
	}
}

func TestEmojiThatDiscordRefuses(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	for what, c := range map[string]struct{ body, why string }{
		"a short name":      {emojiOf(t, "d", 128), "2"},
		"a name with signs": {emojiOf(t, "die-4", 128), "cannot be called"},
		"a small picture":   {emojiOf(t, "die_4", 64), "64 times 64"},
		"no picture":        {`{"name":"die_4","image":"data:image/png;base64,AAAA"}`, "cannot be read"},
		"a bare picture":    {`{"name":"die_4","image":"AAAA"}`, "no PNG"},
	} {
		if status, text := ask(t, s, "POST", emojiPath, c.body); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", what, status, text)
		}
		if all := s.Forgive(); len(all) != 1 || !strings.Contains(all[0].Why, c.why) {
			t.Errorf("%s: %v", what, all)
		}
	}
}

func TestUnknownEmojiInMessages(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	hall := s.Guild("The Dice").Channel("table")
	id := s.AddEmoji("die_4")
	message := func(text, onButton string) string {
		return `{"content":"` + text + `",` + nobody + `,"components":[{"type":1,"components":[{"type":2,"style":1,` +
			`"custom_id":"a","emoji":{"name":"die_4","id":"` + onButton + `"}}]}]}`
	}
	path := "/channels/" + hall.ID + "/messages"
	if status, text := ask(t, s, "POST", path, message(`<:die_4:`+id+`> \\<:die_5:1>`, id)); status >= 300 {
		t.Errorf("emoji that are there: %d %s", status, text)
	}
	if status, text := ask(t, s, "POST", path, message("x", "1")); status != http.StatusBadRequest ||
		!strings.Contains(text, "Invalid emoji") {
		t.Errorf("an unknown emoji on a button: %d %s", status, text)
	}
	if all := s.Forgive(); len(all) != 0 {
		t.Errorf("so far: %v", all)
	}
	if status, text := ask(t, s, "POST", path, message("<:die_5:"+id+">", id)); status >= 300 {
		t.Errorf("an unknown emoji in a text: %d %s", status, text)
	}
	if all := s.Forgive(); len(all) != 1 || !strings.Contains(all[0].Why, "die_5") {
		t.Errorf("an unknown emoji in a text: %v", all)
	}
}

func TestUploadsThatAreTooFast(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{Uploads: 2})
	for i, want := range []int{http.StatusCreated, http.StatusCreated, http.StatusTooManyRequests} {
		if status, _ := ask(t, s, "POST", emojiPath, emojiOf(t, fmt.Sprint("die_", i), 128)); status != want {
			t.Errorf("upload %d: %d, want %d", i, status, want)
		}
	}
	ask(t, s, "POST", emojiPath, emojiOf(t, "die_9", 128))
	if all := s.Forgive(); len(all) != 1 || !strings.Contains(all[0].Why, "before the time") {
		t.Errorf("who does not wait: %v", all)
	}
}
