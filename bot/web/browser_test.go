package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store/storetest"
)

// tab is a page in a headless browser.
type tab struct {
	t   *testing.T
	ctx context.Context
	shy page.ScriptIdentifier // the script of keepProposals, "" if not active
}

// browser opens a headless browser that is closed with the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	return openBrowser(t, needs.Browser(t))
}

// openBrowser opens the browser that is the program at path. It is closed with the test.
func openBrowser(t *testing.T, path string) context.Context {
	t.Helper()
	profile, err := os.MkdirTemp("", "knobel-browser-*")
	done(t, err)
	// The browser's helper processes may write into the folder after its end: files left over are harmless.
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("lang", "en-US"), chromedp.Flag("host-resolver-rules", "MAP *.test 127.0.0.1"),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("autoplay-policy", "document-user-activation-required"),
		chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(fakes.Patience),
	)
	ctx := context.WithoutCancel(t.Context())
	if late, has := t.Deadline(); has { // a hanging step is reported before the deadline ends all tests
		until, cancel := context.WithDeadline(ctx, late.Add(-time.Minute))
		t.Cleanup(cancel)
		ctx = until
	}
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
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

// do carries out actions in the browser, or ends the test.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatalf("in the browser: %v", err)
	}
}

// runCommand makes the browser carry out a command of its protocol.
func runCommand[P, R any](b *tab, command cdp.Command[P, R], params P) (result R) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) (err error) {
		result, err = cdp.Call(ctx, target, command, params)
		return err
	}))
	return result
}

// onEveryPage makes every page from now on begin with a script, and returns its id.
func (b *tab) onEveryPage(script string) page.ScriptIdentifier {
	b.t.Helper()
	return runCommand(b, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}).Identifier
}

// ask returns the value of an expression in the page; it waits for a promise.
func ask[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("ask the page %s: %v", expression, err)
	}
	return value
}

// until waits until an expression is true in the page, or in the next page if this one is left meanwhile. An expression
// that cannot be evaluated yet is not true.
func (b *tab) until(expression string) {
	b.t.Helper()
	script := fmt.Sprintf(`new Promise((done) => {
		const end = Date.now() + %d;
		const seen = () => { try { return %s } catch { return false } };
		const look = () => seen() ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20);
		look();
	})`, fakes.Patience.Milliseconds(), expression)
	var ok bool
	var err error
	for range 3 {
		ok, err = chromedp.Run(b.ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
		if err == nil || !strings.Contains(err.Error(), "navigated") {
			break
		}
	}
	if err != nil {
		b.t.Fatalf("wait for %s: %v", expression, err)
	}
	if !ok {
		b.t.Fatalf("the page never came to %s; it says:\n%s", expression, ask[string](b, `document.body.innerText`))
	}
}

// open opens a URL and waits until an expression is true there.
func (b *tab) open(url, expression string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.until(expression)
}

// reload loads the page again. It waits for a sign in the page itself, because the browser's own event can be missed.
func (b *tab) reload() {
	b.t.Helper()
	ask[bool](b, `(() => { window.left = true; setTimeout(() => location.reload()); return true })()`)
	b.until(`!window.left && document.readyState === "complete"`)
}

// setLook sets the width and theme of the page, without animations, and makes it the window in front.
func (b *tab) setLook(width int64, theme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 800))
	runCommand(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	runCommand(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
}

// storePicture stores a picture of the whole page in the folder for artifacts, if there is one, once the toast is gone.
func (b *tab) storePicture(name string) {
	b.t.Helper()
	folder := os.Getenv("KNOBEL_ARTIFACTS")
	if folder == "" {
		return // no folder, no picture
	}
	ask[bool](b, `(document.getElementById("toasts")?.replaceChildren(), true)`)
	width := ask[int64](b, `innerWidth`)
	b.do(chromedp.EmulateViewport(width, ask[int64](b, `document.documentElement.scrollHeight`)))
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err = errors.Join(err, os.MkdirAll(folder, 0o755)); err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644)
	}
	if err != nil {
		b.t.Fatalf("take a picture: %v", err)
	}
	b.do(chromedp.EmulateViewport(width, 800))
}

// spot is the place of a button in the window.
type spot struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Under string  `json:"under"`
}

// press clicks, with a mouse, the middle of the element that the script finds, after scrolling to it. An element that
// is covered, or has moved away before the click, is pressed again: late news moves a board.
func (b *tab) press(button string) {
	b.t.Helper()
	for late := time.Now().Add(fakes.Patience); ; {
		fault := b.click(button)
		if fault == "" {
			return
		}
		if time.Now().After(late) {
			b.t.Fatalf("%s %s", button, fault)
		}
		// The page may be scrolling to news now.
		ask[bool](b, `new Promise((done) => {
			let frames = 20;
			const next = () => frames-- ? requestAnimationFrame(next) : done(true);
			next();
		})`)
	}
}

// click is one try to press. It returns why the button could not be pressed, "": it was.
func (b *tab) click(button string) string {
	b.t.Helper()
	b.until(runs + ` && Boolean(` + button + `)`)
	at := ask[spot](b, `(() => {
		const button = `+button+`;
		const means = (node) => node?.dataset.press ?? node?.textContent;
		const meant = means(button);
		globalThis.missed = true;
		document.addEventListener("click", ({ target }) => {
			globalThis.missed = !button.contains(target) && means(target.closest("button, a")) !== meant;
		}, { once: true, capture: true });
		button.scrollIntoView({ block: "center", behavior: "instant" });
		const { x, y, width, height } = button.getBoundingClientRect();
		const at = { x: x + width / 2, y: y + height / 2, under: "" };
		const top = document.elementFromPoint(at.x, at.y);
		if (!button.contains(top)) at.under = top ? top.outerHTML.slice(0, 200) : "nothing";
		return at;
	})()`)
	if at.Under != "" {
		return "lies under " + at.Under
	}
	b.do(chromedp.MouseClickXY(at.X, at.Y))
	missed, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`Boolean(globalThis.missed)`))
	if err == nil && missed { // an error means that the click led to another page
		return "moves away from the mouse"
	}
	return ""
}

// quoted returns text as a string literal of a script.
func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(raw)
}

// labelled returns a script that finds the last visible button or link with a text.
func labelled(text string) string {
	return `[...document.querySelectorAll("button, a")].filter((b) => b.checkVisibility() && b.textContent.trim() === ` + quoted(text) + `).at(-1)`
}

// keepProposals makes new visitors keep their proposed names from now on, until enterName.
func (b *tab) keepProposals() {
	b.t.Helper()
	b.shy = b.onEveryPage(keepsProposal)
}

// keepsProposal is a script that closes the question for a name as soon as the page shows it.
const keepsProposal = `(() => {
	const look = new MutationObserver(() => {
		const asks = document.querySelector("dialog#names[open]");
		if (!asks) return;
		look.disconnect();
		asks.dispatchEvent(new Event("cancel", { cancelable: true }));
	});
	look.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["open"] });
})()`

// askForName makes the next page ask a new visitor for a name.
func (b *tab) askForName() {
	b.t.Helper()
	if b.shy == "" {
		return
	}
	runCommand(b, page.RemoveScriptToEvaluateOnNewDocument,
		page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: b.shy})
	b.shy = ""
}

// enterName enters a name where the page asks for one.
func (b *tab) enterName(name string) {
	b.t.Helper()
	b.until(`document.activeElement.id === "names-name"`)
	b.do(chromedp.KeyEvent(name + "\r"))
	b.until(`!document.getElementById("names").open`)
}

// enterAsAnna opens the main room and enters the name Anna.
func enterAsAnna(tab *tab, url string) {
	tab.t.Helper()
	tab.askForName()
	tab.do(chromedp.Navigate(url + "/table"))
	tab.enterName("Anna")
	tab.until(`document.getElementById("welcome").checkVisibility()`)
}

// openMenu is a script that finds the button of the menu or, on a phone, of the view with the same parts.
const openMenu = `[...document.querySelectorAll("#menu-open, .bottom [data-tab=more]")].find((b) => b.checkVisibility())`

// backToTable closes the menu, or on a phone shows the table again.
func (b *tab) backToTable() {
	b.t.Helper()
	ask[bool](b, `(() => {
		const menu = document.getElementById("menu");
		if (menu.matches(":popover-open")) menu.hidePopover();
		const table = document.querySelector('.bottom [data-tab="players"]');
		if (table.checkVisibility()) table.click();
		return true;
	})()`)
}

// openPeople opens the menu, which lists the people at the browser.
func (b *tab) openPeople() {
	b.t.Helper()
	b.until(`Boolean(document.querySelector("#persons .person")) && ` + cameIn)
	if !ask[bool](b, `document.getElementById("persons").checkVisibility()`) {
		b.press(openMenu)
	}
	b.until(`document.getElementById("persons").checkVisibility()`)
}

// everyLook calls do for each width and theme to check.
func everyLook(do func(width int64, theme string)) {
	for _, width := range []int64{390, 1280} {
		for _, theme := range []string{"light", "dark"} {
			do(width, theme)
		}
	}
}

// Steps on a page, and scripts for its parts, that several stories need.

// Scripts that return the newest board of the page, and whether its game is over.
const (
	newest = `document.querySelector("#tables > .board")`
	isOver = newest + `?.classList.contains("over")`
)

// Parts of the page while Würfelpoker is played.
const (
	mover   = `document.querySelector('.plate[data-state="to-move"] .own')?.textContent`
	diceLie = `document.querySelectorAll(".dice button").length === 5`
	rested  = `!document.querySelector(".busy")`

	// runs: the page hears presses, which in a room takes some requests.
	runs = `(!document.querySelector("body.room") || document.body.dataset.ready)`
	// nameless: the page does not ask for a name. While it asks, all keys go to that question.
	nameless = `!document.getElementById("names").open`
	// cameIn: the page's script runs, and does not ask for a name.
	cameIn = `document.body.dataset.ready && ` + nameless
	// welcomed: the page has nothing to show yet, and does not ask for a name.
	welcomed = `document.getElementById("welcome").checkVisibility() && ` + nameless
)

// command types a command into the line that the slash key opens, and sends it.
func command(tab *tab, text string) {
	tab.t.Helper()
	tab.until(cameIn)
	openLine(tab)
	tab.do(chromedp.KeyEvent(text))
	tab.until(`document.getElementById("text").value === ` + quoted(text))
	tab.do(chromedp.KeyEvent("\r"))
	tab.until(`document.getElementById("text").value === "" && ` + rested)
}

// openLine opens the empty line for commands.
func openLine(tab *tab) {
	tab.t.Helper()
	ask[bool](tab, `(() => {
		const slash = new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true });
		if (document.getElementById("line").hidden) document.body.dispatchEvent(slash);
		const line = document.getElementById("text");
		line.value = "";
		line.focus();
		return true;
	})()`)
}

// windows are the sizes in which the mover must see all controls; the last is 1280×720 at 200 %.
var windows = [][2]int64{{320, 568}, {360, 640}, {390, 844}, {640, 400}, {1280, 720}, {1366, 657}, {1366, 768},
	{1536, 730}, {1920, 1080}, {640, 360}}

// reloadIn opens the page again in a language.
func (b *tab) reloadIn(lang string) {
	b.t.Helper()
	ask[bool](b, `fetch("/look", {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"lang":"`+lang+
		`"}'}).then((r) => r.ok)`)
	b.reload()
	b.until(`document.documentElement.lang === ` + quoted(lang) + ` && ` + cameIn)
}

// turnOnAnimations turns the page's animations on, as they are unless a person asks for less motion.
func (b *tab) turnOnAnimations() {
	b.t.Helper()
	runCommand(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}})
}

const (
	stepping = `document.querySelector(".stepping")`
	ended    = `document.querySelector(".board.over") && !` + stepping
)

// TestMain runs more tests at once than there are processors: stories wait for their browser most of the time.
func TestMain(m *testing.M) {
	fakes.AtOnce(2 * runtime.GOMAXPROCS(0))
	os.Exit(storetest.Main(m))
}
