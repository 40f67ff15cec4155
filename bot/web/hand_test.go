package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store/storetest"
)

// windows are the sizes at which whoever is to move has everything at hand; the last is 1280×720 at 200 %.
var windows = [][2]int64{{320, 568}, {360, 640}, {390, 844}, {640, 400}, {1280, 720}, {1366, 657}, {1366, 768},
	{1536, 730}, {1920, 1080}, {640, 360}}

// pictured are the sizes of which pictures are kept in any case: a picture takes longer than to measure a page.
var pictured = [][2]int64{{390, 844}, {320, 568}, {1366, 657}}

// outOfHand is a script that lists the buttons of the board that is played on which cannot be pressed where they
// lie: without moving the page, and but for those that mark the way on, by no more than moving within their bar.
const outOfHand = `(() => {
	const bar = document.querySelector("#entries > .board[data-table] > .at-hand");
	if (!bar) return ["there is no bar"];
	const before = scrollY;
	const found = [];
	const lies = (button) => {
		const { x, y, width, height, top, bottom } = button.getBoundingClientRect();
		const under = document.elementFromPoint(x + width / 2, y + height / 2);
		const whole = top >= -0.5 && bottom <= innerHeight + 0.5;
		return whole && button.contains(under) ? "" : "lies at " + Math.round(top) + " to " + Math.round(bottom) +
			" of " + innerHeight + " under " + (under?.outerHTML.slice(0, 80) ?? "nothing");
	};
	const buttons = [...bar.querySelectorAll("button")].filter((button) => button.checkVisibility());
	bar.scrollTop = 0;
	for (const button of buttons) {
		let where = lies(button);
		if (where && !button.matches(".primary, .success")) {
			bar.scrollTop += button.getBoundingClientRect().bottom - bar.getBoundingClientRect().bottom + 12;
			where = lies(button);
			bar.scrollTop = 0;
		}
		if (where) found.push(button.textContent + " " + where);
	}
	if (buttons.length === 0) found.push("the bar is empty");
	if (scrollY !== before) found.push("the page moved");
	if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the window");
	const { top, bottom } = document.querySelector("#entries .head").getBoundingClientRect();
	if (top < document.querySelector(".bar").getBoundingClientRect().bottom || bottom > bar.getBoundingClientRect().top) {
		found.push("the headline is not seen");
	}
	return found;
})()`

// atHand opens the page anew in the smallest window, as somebody does who comes to see whose turn it is, and then looks
// at it in windows of every size: in every other one with two pixels of the screen to one of the page.
func atHand(t *testing.T, tab *tab, phase string) {
	t.Helper()
	for i, size := range windows {
		fine := 1 + float64(i%2)
		tab.do(chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateScale(fine)))
		if i == 0 {
			tab.reload()
			tab.until(`document.querySelector("#entries > .board .at-hand button") && document.readyState === "complete"`)
		}
		where := fmt.Sprintf("%s at %d×%d, scale %v", phase, size[0], size[1], fine)
		found := ask[[]string](tab, laidOut)
		for _, fault := range found {
			t.Errorf("%s: %s", where, fault)
		}
		if len(found) > 0 || slices.Contains(pictured, size) {
			tab.window(fmt.Sprintf("hand-%s-%dx%d", strings.ReplaceAll(phase, " ", "-"), size[0], size[1]))
		}
	}
	tab.look(390, "light")
}

// laidOut is a script that lists what is out of hand, and all other faults, once the bar knows how high the line below
// it is.
const laidOut = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
	const stands = scrollY === 0 ? [] : ["the page stands " + scrollY + " pixels down"];
	done([...stands, ...` + outOfHand + `, ...` + faults + `]);
})))`

// The buttons of whoever is to move lie within the window, under nothing else, in every phase and in every game of
// an evening: nobody looks for what to press.
func handyBar(t *testing.T, tab *tab) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, &fakes.Restless{}, zehntausend.Game{})
	annaComes(tab, url)
	for game := 1; game <= 20; game++ {
		command(tab, "/shutbox 10")
		tab.until(`Boolean(` + labelled("▶ Start") + `) && ` + rested)
		measured := game == 1 || game == 2 || game == 20
		switch {
		case game == 1:
			benSitsDown(tab)
		case measured: // else Anna plays alone
			tab.playsAs("Ben")
			tab.press(labelled("Sit down"))
			tab.until(`document.querySelectorAll("#entries .seat").length === 2 && ` + rested)
		}
		if measured {
			atHand(t, tab, fmt.Sprintf("game %d lobby", game))
		}
		tab.press(labelled("▶ Start"))
		tab.until(`Boolean(` + next + `) && !Boolean(` + labelled("▶ Start") + `) && ` + rested)
		if measured {
			atHand(t, tab, fmt.Sprintf("game %d throw", game))
		}
		tab.press(next)
		tab.until(`document.querySelectorAll(".dice .die").length > 0 && ` + rested)
		if !measured {
			end(tab)
			continue
		}
		atHand(t, tab, fmt.Sprintf("game %d thrown", game))
		endTable(tab)
		atHand(t, tab, fmt.Sprintf("game %d over", game))
	}
	if n := ask[int](tab, `document.querySelectorAll("#earlier .old").length`); n != 19 {
		t.Errorf("%d games of before are lines", n)
	}
	if high := ask[int](tab, `document.documentElement.scrollHeight`); high > 1900 {
		t.Errorf("after twenty games the page is %d pixels high", high)
	}
}

// What is chosen on the board, and what is played by it, is at hand in the other games as well.
func handyOthers(t *testing.T, tab *tab) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, &fakes.Restless{}, zehntausend.Game{})
	annaComes(tab, url)
	command(tab, "/wuerfelpoker")
	tab.until(`document.querySelector(".seat .name")?.textContent === "Anna"`)
	benSitsDown(tab)
	atHand(t, tab, "poker lobby")
	tab.press(labelled("▶ Start"))
	tab.until(`Boolean(` + labelled("Throw") + `) && ` + rested)
	atHand(t, tab, "poker throw")
	tab.press(labelled("Throw"))
	tab.until(diceLie + ` && ` + rested)
	atHand(t, tab, "poker keep")
	tab.press(labelled("Write…"))
	tab.until(`Boolean(` + labelled("Back") + `) && ` + rested)
	atHand(t, tab, "poker write")
	endTable(tab)
	atHand(t, tab, "poker over")
	for _, game := range []struct{ name, opens string }{{"aside", "/zehntausend"}, {"box of 24", "/shutbox tiles=24"},
		{"three hundred", "/shutbox variant=three-hundred"}, {"two rows", "/shutbox variant=canoga"}} {
		command(tab, game.opens)
		tab.until(`Boolean(` + labelled("Sit down") + `) && ` + rested)
		tab.playsAs("Ben")
		tab.press(labelled("Sit down"))
		tab.until(`document.querySelectorAll("#entries .seat").length === 2 && ` + rested)
		if game.name == "aside" {
			atHand(t, tab, "aside lobby")
		}
		tab.press(labelled("▶ Start"))
		tab.until(`Boolean(` + next + `) && !Boolean(` + labelled("▶ Start") + `) && ` + rested)
		if game.name == "aside" {
			atHand(t, tab, "aside throw")
		}
		tab.press(next)
		tab.until(`document.querySelectorAll("#entries .dice .die").length > 0 && ` + rested)
		atHand(t, tab, game.name+" thrown")
		endTable(tab)
	}
	atHand(t, tab, "two rows over")
}

// The end of a game that was won has everything at hand, too: another game, this one again, its picture.
func handyEnd(t *testing.T, tab *tab) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, &fakes.Restless{}, zehntausend.Game{})
	twoBegin(tab, url, "/shutbox 10")
	wonAtHand(t, tab, "won")
	command(tab, "/zehntausend target=1000")
	tab.until(`Boolean(` + labelled("Sit down") + `) && ` + rested)
	tab.playsAs("Ben")
	tab.press(labelled("Sit down"))
	tab.until(newest + `.querySelectorAll(".seat").length === 2 && ` + rested)
	tab.press(labelled("▶ Start"))
	tab.until(`!Boolean(` + labelled("▶ Start") + `) && ` + rested)
	wonAtHand(t, tab, "aside won")
}

// wonAtHand plays the newest table to its end, and measures that.
func wonAtHand(t *testing.T, tab *tab, phase string) {
	t.Helper()
	const (
		stops = `[...document.querySelectorAll(".at-hand button")].find((b) => b.textContent.startsWith("Stop with "))`
		goes  = `(` + stops + ` ?? ` + next + `)`
		lies  = newest + `.innerText`
	)
	tab.until(`Boolean(` + goes + `) && ` + rested)
	for !ask[bool](tab, isOver) {
		stood := ask[string](tab, lies)
		tab.press(goes)
		tab.until(`(` + isOver + ` || ` + lies + ` !== ` + quoted(stood) + ` && Boolean(` + goes + `)) && ` + rested)
	}
	tab.until(`Boolean(` + labelled("↻ Rematch") + `) && Boolean(` + labelled("Save picture") + `)`)
	atHand(t, tab, phase)
}

// endTable has both end the table.
func endTable(tab *tab) {
	tab.t.Helper()
	tab.playsAs("Anna")
	end(tab)
}

// end has whoever plays end the table, together with all others at this browser.
func end(tab *tab) {
	tab.t.Helper()
	command(tab, "/abandon")
	const ended = `document.querySelectorAll("#entries > .board.over").length === 1`
	sure := `(` + labelled("Yes, end it") + ` || ` + begins("End it (") + `)`
	tab.until(`(` + ended + ` || Boolean(` + sure + `)) && ` + rested)
	if !ask[bool](tab, ended) {
		tab.press(sure)
	}
	tab.until(ended + ` && ` + rested)
}
