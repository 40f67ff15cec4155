package fakes_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"knobel/bot/fakes"
)

// Nobody sleeps through news, however close together they come.
func TestNewsWakesEverybody(t *testing.T) {
	var news fakes.News
	var mu sync.Mutex
	count := 0
	var waiting sync.WaitGroup
	for range 20 {
		waiting.Go(func() {
			err := news.Wait(t.Context(), func() bool {
				mu.Lock()
				defer mu.Unlock()
				return count == 1000
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range 1000 {
		mu.Lock()
		count++
		mu.Unlock()
		news.Tell()
	}
	waiting.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := news.Wait(ctx, func() bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("in vain: %v", err)
	}
}

func TestTroubleStrikes(t *testing.T) {
	closing := make(chan struct{})
	close(closing) // who hangs is let go at once
	for _, c := range []struct {
		trouble fakes.Trouble
		status  int // 0: no answer
	}{
		{fakes.Trouble{}, http.StatusNoContent}, {fakes.Trouble{HTML: true}, http.StatusBadGateway},
		{fakes.Trouble{Cut: true}, 0}, {fakes.Trouble{Hang: true}, http.StatusOK},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !c.trouble.Strikes(w, r, http.StatusBadGateway, closing) {
				w.WriteHeader(http.StatusNoContent)
			}
		}))
		status := 0
		if answer, err := http.Get(server.URL); err == nil {
			status = answer.StatusCode
			if err := answer.Body.Close(); err != nil {
				t.Error(err)
			}
		}
		server.Close()
		if status != c.status {
			t.Errorf("%+v answers %d", c.trouble, status)
		}
	}
}

func TestTake(t *testing.T) {
	list := strings.Fields("a b a")
	fits := func(s string) bool { return s == "a" }
	for _, want := range []string{"b a", "b"} {
		if f, ok := fakes.Take(&list, fits); !ok || f != "a" || strings.Join(list, " ") != want {
			t.Errorf("took %q, %v, left %v", f, ok, list)
		}
	}
	if _, ok := fakes.Take(&list, fits); ok {
		t.Error("took what is not there")
	}
}
