package standin_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"knobel/bot/standin"
)

func TestFindSpecs(t *testing.T) {
	root := t.TempDir()
	checkout, specs := filepath.Join(root, "knobel"), filepath.Join(root, "shared", "specs")
	for _, folder := range []string{filepath.Join(checkout, "deep", "er"), specs} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(checkout, "go.mod"), filepath.Join(specs, "a.json")} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KNOBEL_SPECS", "")
	t.Chdir(filepath.Join(checkout, "deep", "er"))
	if folder, err := standin.FindSpecs("a.json"); err != nil || !same(t, folder, specs) {
		t.Errorf("beside the checkout: %q, %v", folder, err)
	}
	if _, err := standin.FindSpecs("b.json"); !errors.Is(err, standin.ErrNoSpecs) {
		t.Errorf("another description: %v", err)
	}
	t.Setenv("KNOBEL_SPECS", "elsewhere")
	if folder, err := standin.FindSpecs("b.json"); err != nil || folder != "elsewhere" {
		t.Errorf("as said: %q, %v", folder, err)
	}
	t.Setenv("KNOBEL_SPECS", "")
	t.Chdir(root)
	if _, err := standin.FindSpecs("a.json"); !errors.Is(err, standin.ErrNoSpecs) {
		t.Errorf("outside a checkout: %v", err)
	}
}

func same(t *testing.T, a, b string) bool {
	t.Helper()
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return os.SameFile(one, two)
}

// Nobody sleeps through news, however close together they come.
func TestNewsWakesEverybody(t *testing.T) {
	var news standin.News
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
		trouble standin.Trouble
		status  int // 0: no answer
	}{
		{standin.Trouble{}, http.StatusNoContent}, {standin.Trouble{HTML: true}, http.StatusBadGateway},
		{standin.Trouble{Cut: true}, 0}, {standin.Trouble{Hang: true}, http.StatusOK},
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
		if f, ok := standin.Take(&list, fits); !ok || f != "a" || strings.Join(list, " ") != want {
			t.Errorf("took %q, %v, left %v", f, ok, list)
		}
	}
	if _, ok := standin.Take(&list, fits); ok {
		t.Error("took what is not there")
	}
}
