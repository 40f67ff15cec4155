package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

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
