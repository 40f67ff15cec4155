package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
	"knobel/games"
)

// holdAnswers is a script that makes the page wait for the answers to its presses until a test gives them. Its list
// "asks" holds the presses, oldest first.
const holdAnswers = `(() => {
	globalThis.asks = [];
	const real = globalThis.fetch;
	globalThis.fetch = (to, how) => !String(to).endsWith("/press") ? real(to, how) : new Promise((done) => {
		asks.push({ what: JSON.parse(how.body).press.split(":")[3], answer: (game, move, toast) => {
			const go = (label, to, style) => ({ label, style, press: "1:0:0:/history " + game + " " + to });
			done(new Response(JSON.stringify({ toast, private: { lang: "en", head: "Game " + game + ", move " + move + ".",
				buttons: [[go("▶", move + 1, "primary"), go("▶▶", 9, "")]] } })));
		} });
	});
	return true;
})()`

// answerPress waits for the page's newest press of a kind and answers it with a move of a game. A toast, unless it is
// "", shows that the page has read the answer.
func (b *tab) answerPress(kind string, game, move int, toast string) {
	b.t.Helper()
	asked := `asks.findLast((one) => one.what === ` + quoted(kind) + `)`
	b.until(`Boolean(` + asked + `)`)
	ask[bool](b, fmt.Sprintf(`(%s.answer(%d, %d, %s), true)`, asked, game, move, quoted(toast)))
	if toast != "" {
		b.until(`document.querySelector(".toast .words")?.textContent === ` + quoted(toast))
	}
}

// The page shows the part of an answer that was requested last, and none if the answer was closed meanwhile.
func lastPageWins(t *testing.T, tab *tab) {
	w, b := New(Config{}), &fakeBot{}
	url := serve(t, w, b)
	const head = `document.querySelector(".note .head")?.textContent`
	b.setReply(chat.Reply{Private: &chat.Message{Lang: "en", Head: "Game 1.", Buttons: [][]chat.Button{{
		{Label: "▶", Press: "1:0:0:/history 1 1"}, {Label: "▶▶", Press: "1:0:0:/history 1 9"}}}}})
	tab.open(url+"/table", `document.querySelector(".welcome")?.checkVisibility() && `+nameless)
	ask[bool](tab, `(document.getElementById("text").value = "/history 1",
		document.getElementById("line").requestSubmit(), true)`)
	tab.until(head + ` === "Game 1."`)
	ask[bool](tab, holdAnswers)
	tab.press(labelled("▶"))
	tab.press(labelled("▶▶"))
	tab.answerPress("/history 1 9", 1, 9, "")
	tab.until(head + ` === "Game 1, move 9."`)
	tab.answerPress("/history 1 1", 1, 1, "read")
	if got := ask[string](tab, head); got != "Game 1, move 9." {
		t.Errorf("a late answer shows %q", got)
	}
	tab.press(labelled("▶▶"))
	tab.press(labelled("✕ Close"))
	tab.until(`!document.querySelector(".note")`)
	tab.answerPress("/history 1 9", 1, 9, "read again")
	if ask[bool](tab, `Boolean(document.querySelector(".note"))`) {
		t.Errorf("an answer that is not wanted any more is shown: %s", ask[string](tab, head))
	}
}

// recordSpeech records, in order, the announcements on a page, and the elements that get the focus without a key.
func recordSpeech(b *tab) {
	b.t.Helper()
	ask[bool](b, `(() => {
		globalThis.heard = [];
		new MutationObserver((changes) => changes.flatMap((change) => [...change.addedNodes])
			.forEach((line) => globalThis.heard.push(line.textContent))).observe(document.getElementById("live"), { childList: true });
		document.addEventListener("focusin", ({ target }) => {
			if (target.matches(".head")) globalThis.heard.push(target.textContent);
		});
		return true;
	})()`)
}

// An announced step is not announced again by the board that follows, in the same words or with more.
func stepsAreHeardOnce(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &fakeBot{})
	tab.open(url+"/table", cameIn)
	tab.turnOnAnimations()
	m := chat.Message{Table: 1, Lang: "en", Head: "Anna is to throw.", Accent: 0,
		State:  chat.State{Live: true, Turn: 1},
		People: []chat.Person{{Name: "Anna", State: "to-move"}, {Seat: 1, Name: "Ben"}}}
	ref := must(w.Post(t.Context(), roomPlace, m))
	tab.until(newest + `?.querySelector(".head").textContent === "Anna is to throw."`)
	recordSpeech(tab)
	for i, now := range []struct {
		said, head string
		told       []string
	}{
		{"Anna struck Poker.", "Anna struck Poker. Ben rolls.", nil},
		{"Ben closed 7: 27 open.", "Ben closed 7: 27 open, 9 left.", nil},
		{"Ben struck Chance. Anna wins with 27 points.", "Anna wins with 27 points.", []string{"Ben struck Chance."}},
	} {
		m.Turn += 2
		m.Head, m.Told = now.head, now.told
		m.Steps = []chat.Step{
			{Turn: m.Turn - 1, Said: fmt.Sprint("Step ", i, "."), Dice: []chat.Die{{Face: 3, Sides: 6}}},
			{Turn: m.Turn, Said: now.said, Dice: []chat.Die{{Face: i + 4, Sides: 6}}}}
		done(t, w.Edit(t.Context(), roomPlace, ref, m))
		tab.until(`!` + stepping + ` && ` + newest + `.querySelector(".head").textContent === ` + quoted(now.head))
	}
	want := []string{"Step 0.", "Anna struck Poker. Ben rolls.", "Step 1.", "Ben closed 7: 27 open, 9 left.",
		"Step 2.", "Anna wins with 27 points. Ben struck Chance."}
	if heard := ask[[]string](tab, `globalThis.heard`); !slices.Equal(heard, want) {
		t.Errorf("what is read out is\n%s", strings.Join(heard, "\n"))
	}
}

// countSounds is a script that counts the sounds that the page plays: noise, and tones.
const countSounds = `(() => {
	window.played = { noise: 0, tones: 0 };
	const source = AudioContext.prototype.createBufferSource, tone = AudioContext.prototype.createOscillator;
	AudioContext.prototype.createBufferSource = function () { window.played.noise++; return source.call(this); };
	AudioContext.prototype.createOscillator = function () { window.played.tones++; return tone.call(this); };
	return true;
})()`

// Sounds are off until a person turns them up; then dice, tiles and the end have sounds. The volume is stored.
func soundsHeard(t *testing.T, tab *tab) {
	w := New(Config{})
	tab.open(serve(t, w, &fakeBot{})+"/table", welcomed)
	ask[bool](tab, countSounds)
	table := int64(0)
	plays := func() {
		table++
		thrown := board(table, "Anna is to choose.")
		thrown.People = []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}}
		ref := must(w.Post(t.Context(), roomPlace, thrown))
		tab.until(newest + `?.dataset.table === "` + fmt.Sprint(table) + `"`)
		thrown.Dice = []chat.Die{{Face: 6, Sides: 6}, {Face: 4, Sides: 6}}
		for _, m := range []chat.Message{thrown, wonBoard(table, "Anna")} {
			done(t, w.Edit(t.Context(), roomPlace, ref, m))
			tab.until(newest + `.querySelectorAll(".die").length === 2`)
		}
		tab.until(newest + `.classList.contains("over")`)
	}
	plays()
	if got := ask[map[string]int](tab, `window.played`); got["noise"]+got["tones"] != 0 {
		t.Errorf("before anybody wants sounds, %v are played", got)
	}
	turn := func(key string, times int, label string) {
		tab.openPeople()
		ask[bool](tab, `(document.getElementById("volume").focus(), true)`)
		for range times {
			tab.do(chromedp.KeyEvent(key))
		}
		tab.until(`document.getElementById("volume-label").textContent === ` + quoted(label))
		wantAccessible(t, tab, "the volume "+label)
		tab.backToTable()
	}
	turn(kb.ArrowRight, 4, "Sounds")
	tab.until(`window.played.noise > 0`)
	ask[bool](tab, `(window.played = { noise: 0, tones: 0 }, true)`)
	plays()
	tab.until(`window.played.noise >= 3 && window.played.tones === 3`)
	tab.reload()
	tab.until(newest + `?.classList.contains("over")`)
	ask[bool](tab, countSounds)
	turn("", 0, "Sounds")
	if at := ask[string](tab, `document.getElementById("volume").value`); at != "4" {
		t.Errorf("sounds are remembered at %s", at)
	}
	turn(kb.ArrowLeft, 4, "Sounds (off)")
	ask[bool](tab, `(window.played = { noise: 0, tones: 0 }, true)`)
	plays()
	if got := ask[map[string]int](tab, `window.played`); got["noise"]+got["tones"] != 0 {
		t.Errorf("once sounds are off, %v are played", got)
	}
}
