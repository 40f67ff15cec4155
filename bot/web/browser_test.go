package web

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// chromium finds a browser: the one that CHROMIUM names, or one on the path.
func chromium(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("CHROMIUM"); name != "" {
		return name
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		t.Fatal("no Chromium on the path and CHROMIUM names none: the long tests need one")
	}
	t.Skip("skipped: no Chromium on the path and CHROMIUM names none")
	return ""
}

// browser opens a headless browser that is closed with the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("lang", "en-US"), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.UserDataDir(t.TempDir()),
	)
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Logf("close the browser: %v", err)
		}
		cancel()
	})
	run(t, ctx)
	return ctx
}

// run does what is asked in the browser, or ends the test.
func run(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatalf("in the browser: %v", err)
	}
}

// ask evaluates an expression in the page, and waits where it is a promise.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("ask the page %s: %v", expression, err)
	}
	return value
}

// until waits until an expression is true in the page.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	ok := ask[bool](t, ctx, `new Promise((done) => {
		const end = Date.now() + 10000;
		const look = () => (`+expression+`) ? done(true) : Date.now() > end ? done(false) : requestAnimationFrame(look);
		look();
	})`)
	if !ok {
		t.Fatalf("the page never came to %s; it says:\n%s", expression, ask[string](t, ctx, `document.body.innerText`))
	}
}

// look says how the page is looked at: width and theme.
func look(width int64, theme string) chromedp.Action[chromedp.Void] {
	return chromedp.Steps(
		chromedp.EmulateViewport(width, 800),
		chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{
					{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
				},
			})
			return err
		}),
	)
}

// screenshot keeps a picture of the whole page where pictures are wanted.
func screenshot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("KNOBEL_ARTIFACTS")
	if folder == "" {
		folder = t.TempDir()
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	width := ask[int64](t, ctx, `innerWidth`)
	height := ask[int64](t, ctx, `document.documentElement.scrollHeight`)
	run(t, ctx, chromedp.EmulateViewport(width, height))
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatalf("take a picture: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

// everyLook takes the widths and themes that are looked at.
func everyLook(do func(width int64, theme string)) {
	for _, width := range []int64{390, 1280} {
		for _, theme := range []string{"light", "dark"} {
			do(width, theme)
		}
	}
}
