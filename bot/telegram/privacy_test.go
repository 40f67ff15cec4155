package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/telegram/telegramtest"
	"knobel/store"
	"knobel/store/storetest"
)

// People unlike anything else in a file.
var (
	wilhelmine = telegramtest.Person{ID: 7081726354, First: "Wilhelmine", Last: "Zwetschge", Language: "en"}
	bartholo   = telegramtest.Person{ID: 7192837465, First: "Bartholomäus", Language: "de"}
)

// grep looks for texts in the bytes of some files.
func grep(t *testing.T, files []string, texts ...string) (found []string) {
	t.Helper()
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found = append(found, fmt.Sprintf("%s in %s", text, filepath.Base(file)))
			}
		}
	}
	return found
}

// says wants a press answered so.
func (e *evening) says(query, text string) {
	e.t.Helper()
	if told := e.answer(query).Text; told != text {
		e.t.Errorf("a press is answered %q", told)
	}
}

func fnv32(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return h.Sum32()
}

// An evening in a group and in a private chat: nothing on the disk tells who was
// there, their data come to them alone, and once forgotten they are nowhere.
func TestPrivacy(t *testing.T) {
	e := newEvening(t)
	alone := e.in(e.server.Private(wilhelmine), 0)
	e.sit("/shutbox 5", wilhelmine, bartholo)
	alone.group.Say(wilhelmine, "/coin")
	alone.reads("Wilhelmine")
	texts := []string{
		"Wilhelmine", "Zwetschge", "Bartholom", fmt.Sprint(wilhelmine.ID), fmt.Sprint(bartholo.ID), fmt.Sprint(e.group.ID()),
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := e.store.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if found := grep(t, []string{e.file, e.file + "-wal", copied}, texts...); len(found) > 0 {
		t.Errorf("found %v", found)
	}

	e.group.Say(bartholo, "/mydata") // to whom the bot may not write
	e.reads("Das ist nur für dich: Schreib mir /mydata in unserem eigenen Chat. https://t.me/KnobelBot?start=mydata")
	e.group.Say(bartholo, "/privacy") // and by a press: in a window, which stays until it is read
	if told := e.press(bartholo, "/mydata"); !told.Alert || !strings.Contains(told.Text, "Das ist nur für dich: Schreib mir /mydata") {
		t.Errorf("told %+v", told)
	}
	own := e.in(e.server.Private(bartholo), 0)
	own.group.Say(bartholo, "/start mydata")
	if m := own.reads("Hier ist alles"); !json.Valid(m.Document) || !strings.Contains(string(m.Document), "Bartholomäus") {
		t.Errorf("the file is\n%s", m.Document)
	}
	e.group.Say(wilhelmine, "/mydata")
	e.reads("It is on its way to you, in our own chat.")
	m := alone.reads("Here is all that I keep of you.")
	for _, want := range []string{"telegram:7081726354", "Wilhelmine Zwetschge", `"stakes"`, "telegram:" + fmt.Sprint(e.group.ID())} {
		if !strings.Contains(string(m.Document), want) {
			t.Errorf("%s is not in\n%s", want, m.Document)
		}
	}
	for _, said := range e.messages() {
		if said.Document != nil {
			t.Error("a file stands in the group")
		}
	}

	e.group.Say(wilhelmine, "/forget")
	e.reads("Shall I forget you?")
	page, yes, _ := e.carries(fmt.Sprintf(":/forget yes %08x", fnv32(fmt.Sprint("telegram:", wilhelmine.ID))))
	e.says(e.group.PressData(bartholo, page.ID, yes), "Der Knopf gehört jemand anderem. Sag selbst /forget.")
	e.says(e.group.PressData(wilhelmine, page.ID, yes), "You are forgotten. What is left is called gone 1. Farewell.")
	e.reads("gone 1 ") // on the board
	e.stop()
	if _, err := store.Rekey(context.Background(), e.file, storetest.Key(t), nil); err != nil {
		t.Fatal(err)
	}
	if found := grep(t, []string{e.file, e.file + "-wal"}, "Wilhelmine", "Zwetschge", fmt.Sprint(wilhelmine.ID)); len(found) > 0 {
		t.Errorf("forgotten, and found %v", found)
	}
	if found := grep(t, []string{e.file, e.file + "-wal"}, "Bartholom", fmt.Sprint(bartholo.ID)); len(found) < 2 {
		t.Errorf("of whoever stays is found %v", found)
	}
}
