package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Pages and files come compressed to who can read that, pictures and short answers as they are.
func TestAnswersAreCompressed(t *testing.T) {
	url := serve(t, New(Config{}), &pretend{})
	for _, test := range []struct {
		path, accept, method string
		packed               bool
	}{
		{"/table", "gzip, deflate, br, zstd", "GET", true}, {staticAt("js/room.js"), "gzip", "GET", true},
		{staticAt("icon-512.png"), "gzip", "GET", false}, {"/games", "gzip", "GET", false},
		{"/table", "br", "GET", false}, {"/table", "gzip;q=0", "GET", false}, {"/table", "gzip", "HEAD", false},
	} {
		res, _ := do(t, client(t), test.method, url+test.path, "", "Accept-Encoding", test.accept)
		want(t, res, http.StatusOK)
		if packed := res.Header.Get("Content-Encoding") == "gzip"; packed != test.packed {
			t.Errorf("%s %s for who accepts %s: compressed is %v", test.method, test.path, test.accept, packed)
		}
	}
}

// The stream of the room comes compressed, and each event can be read when it happens.
func TestEventsAreCompressed(t *testing.T) {
	w, _, url, c, _ := enters(t, Config{})
	r := must(http.NewRequestWithContext(t.Context(), "GET", url+"/events", nil))
	r.Header.Set("Accept-Encoding", "gzip")
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("it is coded as %q", got)
	}
	z := must(gzip.NewReader(res.Body))
	comes := func(text string) {
		t.Helper()
		for read := ""; !strings.Contains(read, text); {
			one := make([]byte, 1<<16)
			n, err := z.Read(one)
			if read += string(one[:n]); err != nil && err != io.EOF {
				t.Fatalf("%q never comes: %v", text, err)
			}
		}
	}
	comes("retry: 1000\n\n")
	comes("event: feed\n")
	for _, head := range []string{"First", strings.Repeat("Long ", 20_000), "Last"} {
		w.room.post(board(1, head))
		comes(`"head":"` + head)
	}
}
