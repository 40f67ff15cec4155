package bot_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store/storetest"
)

// TestTextThatIsNoneIsAnswered sends zero bytes and bytes that are no text wherever a person may write, in a database
// without a key: no engine stores them, and no person reads of an internal error.
func TestTextThatIsNoneIsAnswered(t *testing.T) {
	h := bare.New(t)
	if err := h.Store.Close(); err != nil {
		t.Fatal(err)
	}
	h.File, h.Plain = storetest.Empty(t), true // what is sealed is other text
	h.Open()
	anna := h.Person("Anna")
	anna.Admin = true
	for _, bad := range []string{"a\x00b", "\x00", "a\xffb", "\xff"} {
		for _, line := range []string{"/coin 5 " + bad, "/season " + bad, "/season start " + bad, "/house save " + bad,
			"/luck " + bad, "/settings unit=" + bad, "/settings zone=" + bad, "/language " + bad, "/leaderboard " + bad,
			"/settle " + bad, "/settle paid 5 " + bad, "/stats " + bad, "/rules " + bad, "/" + bad, "/help " + bad,
			"/history " + bad} {
			if r := anna.Writes(line); broken(r) {
				t.Errorf("%q: %+v", line, r)
			}
		}
		odd := anna.Event()
		odd.Command, odd.Name, odd.Locale = "coin", "Anna"+bad, bad
		if r := h.Bot.Handle(t.Context(), odd); broken(r) {
			t.Errorf("by %q: %+v", odd.Name, r)
		}
		for _, press := range []string{"1:1:0:" + bad, bad, "1:1:0:!join " + bad, "1:0:0:/settle " + bad} {
			if r := anna.Taps(press); broken(r) {
				t.Errorf("%q: %+v", press, r)
			}
		}
		if log := h.Log.String(); strings.Contains(log, "zero byte") {
			t.Fatalf("logged:\n%s", log)
		}
	}
}

// broken reports whether a person reads of an error of ours.
func broken(r chat.Reply) bool { return strings.Contains(r.Toast, "on our side") }
