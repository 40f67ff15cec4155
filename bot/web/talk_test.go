package web

import (
	"crypto/rand"
	"net/http"
	"strings"
	"testing"
)

func TestALineHas280Characters(t *testing.T) {
	_, _, at, c, _ := serveWithBrowser(t, Config{})
	for n, want := range map[int]int{maxLine: http.StatusOK, maxLine + 1: http.StatusRequestEntityTooLarge} {
		res, _ := do(t, c, "POST", at+"/say", `{"text":" `+strings.Repeat("ü", n)+` "}`)
		if res.StatusCode != want {
			t.Errorf("%d characters are answered with %d, not %d", n, res.StatusCode, want)
		}
	}
}

func TestALineShowsSomething(t *testing.T) {
	_, _, at, c, _ := serveWithBrowser(t, Config{})
	for _, text := range []string{" ", "\u200b\u2060", "\u200d \u200d", "\ufe0f", "\u2800\u3164"} {
		if res, _ := do(t, c, "POST", at+"/say", `{"text":"`+text+`"}`); res.StatusCode != http.StatusBadRequest {
			t.Errorf("the line %+q is answered with %d", text, res.StatusCode)
		}
	}
}

func TestALineForNoRoomIsRefusedInASentence(t *testing.T) {
	_, _, at, c, _ := serveWithBrowser(t, Config{})
	res, body := do(t, c, "POST", at+roomPathPrefix+rand.Text()+"/say", `{"text":"hello"}`)
	if res.StatusCode != http.StatusNotFound || strings.Contains(body, "<") {
		t.Errorf("it is answered with %d: %.80s", res.StatusCode, body)
	}
}
