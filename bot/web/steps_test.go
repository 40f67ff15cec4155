package web

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"knobel/store/storetest"
)

// moves has the page move as it does where nobody asks it not to.
func (b *tab) moves() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}},
		})
		return err
	}))
}

// watches notes all dice that lie on the last board of a page, one throw after the other, with whose they are said
// to be, and how often the board showed steps.
func watches(b *tab) {
	b.t.Helper()
	ask[bool](b, `(() => {
		globalThis.lay = [];
		globalThis.stepped = 0;
		new MutationObserver((changes) => {
			const board = [...document.querySelectorAll("#entries .board")].at(-1);
			const faces = board?.querySelector(".dice").dataset.faces ?? "";
			const whose = board?.querySelector(".whose").textContent ?? "";
			const now = faces + " | " + whose;
			if (board?.classList.contains("stepping")) globalThis.stepped++;
			if (faces && now !== globalThis.lay.at(-1)) globalThis.lay.push(now);
		}).observe(document.getElementById("entries"), { subtree: true, childList: true, attributes: true });
		return true;
	})()`)
}

// throwsOf are the throws of the first table as its record has them, and whose they are: those with the same faces one
// after the other once.
func throwsOf(b *tab) []string {
	b.t.Helper()
	all := ask[[]string](b, `fetch("/record?table=1").then((answer) => answer.json()).then((record) => {
		const names = [...document.querySelectorAll(".seat .name")].map((node) => node.textContent);
		return record.moves.filter((move) => move.dice?.length)
			.map((move) => move.dice.join(" ") + " | " + names[move.seat] + "'s throw");
	})`)
	return slices.Compact(all)
}

const (
	stepping = `document.querySelector(".stepping")`
	ended    = `document.querySelector(".board.over") && !` + stepping
)

// Everything that a house throws is seen, one after the other, and whose it is; a press shows at once how all stands.
func stepsAreSeen(t *testing.T, tab *tab) {
	url, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	annaComes(tab, url)
	tab.moves()
	command(tab, "/shutbox 0 tiles=1-6")
	tab.press(labelled("+ House (plays anything)"))
	tab.until(`document.querySelectorAll(".seat").length === 2 && ` + rested)
	watches(tab)
	tab.press(labelled("▶ Start"))
	tab.until(`Boolean(` + mover + `)`)
	for range 100 {
		tab.until(ended + ` || (!` + stepping + ` && Boolean(` + next + `) && ` + rested + `)`)
		if ask[bool](tab, `Boolean(`+ended+`)`) {
			break
		}
		before := ask[string](tab, `[...document.querySelectorAll(".board")].at(-1).innerText`)
		tab.press(next)
		tab.until(`[...document.querySelectorAll(".board")].at(-1).innerText !== ` + quoted(before))
	}
	want, got := throwsOf(tab), ask[[]string](tab, `globalThis.lay`)
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(want) < 3 {
		t.Errorf("thrown was\n%s\nseen was\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}

	// the next game in a hurry
	tab.press(labelled("↻ Rematch"))
	tab.press(labelled("▶ Start"))
	for range 100 {
		tab.until(`[...document.querySelectorAll(".board")].at(-1).matches(".over, .stepping") || Boolean(` + next + `)`)
		if ask[bool](tab, `Boolean(`+stepping+`)`) {
			break
		}
		before := ask[string](tab, `[...document.querySelectorAll(".board")].at(-1).innerText`)
		tab.press(next)
		tab.until(`[...document.querySelectorAll(".board")].at(-1).innerText !== ` + quoted(before))
	}
	if !ask[bool](tab, `(() => {
		const steps = `+stepping+`;
		steps.querySelector(".head").click();
		return !steps.classList.contains("stepping") && Boolean(steps.querySelector(".buttons button"));
	})()`) {
		t.Error("a press does not show at once how all stands")
	}
}

// At the end of a game Anna sees Ben's last throw and all that the house throws; a page without movement shows how all
// stands at once.
func endIsSeen(t *testing.T, tab *tab) {
	url, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	annaComes(tab, url)
	tab.moves()
	command(tab, "/shutbox 0 tiles=1-6")
	ben := beside(t, tab, url, "Ben")
	ben.press(labelled("Sit down"))
	tab.until(`document.querySelectorAll(".seat").length === 2 && ` + rested)
	tab.press(labelled("+ House (plays anything)"))
	tab.until(`document.querySelectorAll(".seat").length === 3 && ` + rested)
	watches(tab)
	watches(ben)
	tab.press(labelled("▶ Start"))
	tab.until(`Boolean(` + mover + `)`)
	for range 200 {
		tab.until(ended + ` || (!` + stepping + ` && (` + mover + ` === "Ben" || Boolean(` + next + `)))`)
		if ask[bool](tab, `Boolean(`+ended+`)`) {
			break
		}
		before := ask[string](tab, `document.querySelector(".board").innerText`)
		who, name := tab, ask[string](tab, `(`+mover+`) ?? ""`)
		switch name {
		case "":
			continue // the end has come
		case "Ben":
			who = ben
		}
		who.until(mover + ` === ` + quoted(name) + ` && Boolean(` + next + `) && ` + rested)
		who.press(next)
		tab.until(`document.querySelector(".board").innerText !== ` + quoted(before))
	}
	want, got := throwsOf(tab), ask[[]string](tab, `globalThis.lay`)
	last := len(want) - 1
	for last > 0 && !strings.HasSuffix(want[last], "Ben's throw") {
		last--
	}
	end := strings.Join(want[last:], "\n")
	if !strings.HasSuffix(strings.Join(got, "\n"), end) || last == 0 || last == len(want)-1 {
		t.Errorf("in the end was thrown\n%s\nAnna has seen\n%s", end, strings.Join(got, "\n"))
	}
	if n := ask[int](ben, `globalThis.stepped`); n != 0 {
		t.Errorf("a page without movement showed steps %d times", n)
	}
}

// beside is a page of somebody else, in a browser of their own.
func beside(t *testing.T, b *tab, url, name string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	other := &tab{t: t, ctx: ctx}
	other.look(390, "light")
	other.do(chromedp.Navigate(url + "/table"))
	other.comesIn(name)
	return other
}
