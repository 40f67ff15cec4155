package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestWhoAcceptsGzip(t *testing.T) {
	for header, accepted := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "gzip, deflate, br, zstd": true, "br,gzip;q=0.5": true,
		"deflate; q=1, gzip; q=0.1": true, "gzip;q=0": false, "gzip; q=0.0": false, "gzip;q=x": false, "gzipped": false,
		"*": false, "identity": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", header)
		if got := acceptsGzip(r); got != accepted {
			t.Errorf("Accept-Encoding %q: %v", header, got)
		}
	}
}

func TestAnswersAreCompressed(t *testing.T) {
	long := strings.Repeat("roll the dice ", 200)
	for name, test := range map[string]struct {
		kind, text, accept, method string
		packed                     bool
	}{
		"a long text":                {"text/html; charset=utf-8", long, "gzip", "GET", true},
		"long JSON":                  {"application/json", long, "gzip", "POST", true},
		"a short one":                {"application/json", "{}", "gzip", "GET", false},
		"a picture":                  {"image/png", long, "gzip", "GET", false},
		"for one who does not unzip": {"text/html", long, "br", "GET", false},
		"a head":                     {"text/html", long, "gzip", "HEAD", false},
		"no body":                    {"", "", "gzip", "GET", false},
	} {
		srv := httptest.NewServer(compressed(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			if test.kind != "" {
				rw.Header().Set("Content-Type", test.kind)
			}
			rw.WriteHeader(http.StatusAccepted)
			if test.text != "" {
				io.WriteString(rw, test.text)
			}
		})))
		res, body := do(t, client(t), test.method, srv.URL, "", "Accept-Encoding", test.accept)
		want(t, res, http.StatusAccepted)
		if packed := res.Header.Get("Content-Encoding") == "gzip"; packed != test.packed {
			t.Errorf("%s: compressed: %v", name, packed)
		}
		if test.packed {
			body = string(must(io.ReadAll(must(gzip.NewReader(strings.NewReader(body))))))
		}
		if test.method != "HEAD" && body != test.text {
			t.Errorf("%s: it is %q", name, body)
		}
		srv.Close()
	}
}

// What has been sent of a stream can be read at once, before anything follows; its end is one.
func TestAPackedStreamIsReadEventByEvent(t *testing.T) {
	pipe, to := io.Pipe()
	stream := &packedStream{to: to}
	events := []string{"retry: 1000\n\n", "data: " + strings.Repeat("x", 100_000) + "\n\n", ": still here\n\n"}
	read := make(chan string)
	go func() {
		z, err := gzip.NewReader(pipe)
		if err != nil {
			t.Error(err)
			close(read)
			return
		}
		for _, event := range events {
			got := make([]byte, len(event))
			if _, err := io.ReadFull(z, got); err != nil {
				t.Error(err)
			}
			read <- string(got)
		}
		if rest, err := io.ReadAll(z); len(rest) > 0 || err != nil {
			t.Errorf("the end is %q, %v", rest, err)
		}
		close(read)
	}()
	for _, event := range events {
		if err := stream.write(event); err != nil {
			t.Fatal(err)
		}
		if got := <-read; got != event {
			t.Fatalf("%.40q came as %.40q", event, got)
		}
	}
	if err := stream.close(); err != nil {
		t.Fatal(err)
	}
	to.Close()
	<-read
}

// The stream of the room comes compressed, and each event when it happens.
func TestEventsAreCompressed(t *testing.T) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	c, _ := enter(t, w, url)
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
	head := make([]byte, len(gzipHead))
	if _, err := io.ReadFull(res.Body, head); err != nil || !bytes.Equal(head, gzipHead) {
		t.Errorf("it begins with %x, %v", head, err)
	}
}
