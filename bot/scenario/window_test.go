package scenario

// The browser table in a real browser, in real time: the first person has its page open in a window, clicks what
// they see there, and types. All others are pages as in the stories of bubbles.

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/storetest"
)

// Stories over the page itself. A click costs a browser some hundred times what a press costs in a bubble: they are
// told in the long run.
func TestInAWindow(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	stories := map[string]func(*Stage){
		"an evening is settled": eveningSettled,
		"Würfelpoker":           func(s *Stage) { wuerfelpokerOf(s, s.Person("Anna", "de"), s.Person("Ben", "en")) },
	}
	browser := chromium(t)
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			story(Setting{}.stage(t, storetest.Empty(t), &Window{Browsers: OnWeb(t, Net{}), browser: browser}))
		})
	}
}

// chromium opens a browser without a window, until the test ends.
func chromium(t *testing.T) context.Context {
	t.Helper()
	profile, err := os.MkdirTemp("", "knobel-window-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) }) // what the browser's helpers still write does no harm
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(needs.Browser(t)), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("lang", "en-US"), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(fakes.Patience))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Logf("close the browser: %v", err)
		}
		cancel()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open the browser: %v", err)
	}
	return ctx
}

// Window is a browser table whose first page is open in a window. The lock of Browsers guards what it shows.
type Window struct {
	*Browsers
	browser context.Context // with an empty window
	ctx     context.Context // with the page, nil: not opened yet
	hand    sync.Mutex      // held during an action
	user    string
	shown   shot
}

// shot is what the page shows.
type shot struct {
	Feed, Alone []Message
	Toast       string
	number      int
}

//go:embed testdata/window.js
var story string

// ask evaluates an expression in the page, and waits where it is a promise.
func ask[T any](p *Window, expression string) (T, error) {
	late, cancel := context.WithTimeout(p.ctx, fakes.Patience)
	defer cancel()
	return chromedp.Run(late, chromedp.Evaluate[T](story+expression, chromedp.EvalAwaitPromise))
}

// does does something in the page.
func (p *Window) does(actions ...chromedp.Action[chromedp.Void]) {
	if err := chromedp.Do(p.ctx, actions...); err != nil && p.ctx.Err() == nil {
		p.t.Errorf("in the browser: %v", err)
	}
}

// called is a command of the browser's protocol as something to do.
func called[P any](command cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}

// until waits for something to hold in the page, also in the next one where this one is left.
func (p *Window) until(condition string) {
	for {
		_, err := ask[bool](p, `new Promise((done) => {
			const look = () => (`+condition+`) ? done(true) : requestAnimationFrame(look);
			look();
		})`)
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "navigated") {
			p.t.Fatalf("wait for %s: %v", condition, err)
		}
	}
}

// Meet adds a person. The first one opens the page, chooses their language and enters a name there.
func (p *Window) Meet(name, language string) int {
	if p.ctx != nil {
		return 1 + p.Browsers.Meet(name, language)
	}
	var closes context.CancelFunc
	p.ctx, closes = context.WithCancel(p.browser)
	p.t.Cleanup(closes)
	calm := []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}
	p.does(chromedp.EmulateViewport(390, 600),
		called(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: calm}),
		called(network.ClearBrowserCookies, cdp.Empty{}), chromedp.Navigate(p.at+"/table"))
	asked := `document.querySelector("#names[open]")`
	if p.until(asked); language != "en" {
		picks := fmt.Sprintf(`picker = document.getElementById("lang"); picker.value = %q;
			picker.dispatchEvent(new Event("change"))`, language)
		if _, err := ask[bool](p, picks); err != nil {
			p.t.Fatal(err)
		}
		p.until(fmt.Sprintf(`document.documentElement?.lang === %q && %s`, language, asked))
	}
	p.does(chromedp.Focus("#names-name"), called(input.InsertText, input.InsertTextParams{Text: name}),
		chromedp.KeyEvent("\r"))
	p.until(`document.querySelector("#names:not([open])")`)
	kept := p.known()
	p.user = userOf(kept)
	p.looker = p.page(language, kept)
	p.open.Go(p.follow)
	return 0
}

// known are the cookies that the page has.
func (p *Window) known() (all []*http.Cookie) {
	p.does(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		kept, err := cdp.Call(ctx, target, network.GetCookies, network.GetCookiesParams{})
		for _, c := range kept.Cookies {
			all = append(all, &http.Cookie{Name: c.Name, Value: c.Value})
		}
		return err
	}))
	return all
}

// follow looks at the page, and again whenever it changes, until the test ends.
func (p *Window) follow() {
	for before := 0; p.ctx.Err() == nil; {
		now, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](story+fmt.Sprintf("story.changed(%d)", before),
			chromedp.EvalAwaitPromise))
		if err == nil {
			before = p.sees(now).number
		} else if p.ctx.Err() == nil {
			p.t.Errorf("look at the page: %v", err)
			return
		}
	}
}

// sees notes what the page shows, unless something newer is known.
func (p *Window) sees(raw string) (now shot) {
	number, text, _ := strings.Cut(raw, " ")
	err := json.Unmarshal([]byte(text), &now)
	if now.number, _ = strconv.Atoi(number); err != nil || now.number == 0 {
		p.t.Errorf("a page shows %q: %v", raw, err)
	}
	p.do(func() {
		if now.number > p.shown.number {
			p.shown = now
		}
	})
	return now
}

// quoted is a text as a script spells it.
func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(raw)
}

// ID returns a person's id.
func (p *Window) ID(who int) string {
	if who > 0 {
		return p.Browsers.ID(who - 1)
	}
	return p.user
}

// Messages are those that a page shows; what everybody sees is what the window shows them all.
func (p *Window) Messages(who int) []Message {
	if p.ctx == nil || who > 0 {
		return p.Browsers.Messages(who - 1)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if who < 0 {
		return p.offered(p.shown.Feed, p.looker.feed)
	}
	return slices.Concat(p.shown.Feed, p.shown.Alone)
}

// Wait waits for something that happens on a page, and until all pages show the newest.
func (p *Window) Wait(ctx context.Context, holds func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, fakes.Patience)
	defer cancel()
	return p.Browsers.Wait(ctx, func() bool { return p.current() && holds() })
}

// CatchUp reports whether all pages show what one would show that is opened now.
func (p *Window) CatchUp() bool { return p.Browsers.CatchUp() && p.current() }

// current reports whether the buttons of all boards are those that the stream of events has told the same visitor of.
func (p *Window) current() bool {
	offered := func(all []Message) (presses []string) {
		for _, m := range all {
			for _, button := range m.Buttons {
				// What picks may stand on the dice alone, and what plays the choice where there is one to play.
				if !picks(button.Data) && !strings.HasSuffix(button.Data, ":!play") {
					presses = append(presses, button.Data)
				}
			}
		}
		slices.Sort(presses)
		return presses
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ctx == nil || slices.Equal(offered(p.shown.Feed), offered(p.looker.sees()))
}

// Write types a command.
func (p *Window) Write(who int, line string) Deed {
	if who > 0 {
		return p.Browsers.Write(who-1, line)
	}
	stood := p.Messages(who)
	p.hand.Lock()
	defer p.hand.Unlock()
	ready, err := ask[string](p, "story.ready()")
	if err != nil {
		p.t.Errorf("type %s: %v", line, err)
	}
	p.sees(ready)
	p.does(called(input.InsertText, input.InsertTextParams{Text: line}), chromedp.KeyEvent("\r"))
	return func() (string, bool) {
		p.mu.Lock()
		told := p.shown.Toast
		p.mu.Unlock()
		if told != "" {
			return told, true
		}
		return came(stood, p.Messages(who))
	}
}

// Press clicks a button, wherever on the page it stands.
func (p *Window) Press(who int, on, data string) Deed {
	if who > 0 {
		return p.Browsers.Press(who-1, on, data)
	}
	told, answered := "", false
	p.open.Go(func() {
		p.hand.Lock()
		defer p.hand.Unlock()
		text := p.clicks(data)
		p.do(func() { told, answered = text, true })
	})
	return func() (string, bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return told, answered
	}
}

// clicks clicks what carries this, and returns what the person alone is told.
func (p *Window) clicks(data string) (told string) {
	stood := p.Messages(0)
	for {
		at, err := ask[*struct{ X, Y float64 }](p, "story.aim("+quoted(data)+")")
		if err != nil {
			return err.Error()
		}
		if at == nil {
			return "there is no such button any more"
		}
		p.does(chromedp.MouseClickXY(at.X, at.Y))
		answer, err := ask[string](p, "story.answered()")
		if err != nil {
			return err.Error()
		}
		if answer == "missed" {
			continue
		}
		now := p.sees(answer)
		if text, ok := came(stood, now.Alone); ok && now.Toast == "" && len(now.Alone[len(now.Alone)-1].Buttons) == 0 {
			return text
		}
		return now.Toast
	}
}
