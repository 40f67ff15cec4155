package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/sheet/sets"
)

// The front page comes with the cards of all games. Only visitors who have not given the secret read that it is
// needed.
func TestTheFrontPageShowsGamesAndSaysThatTheSecretIsNeeded(t *testing.T) {
	const needed = "You need the password of this Knobel for that."
	open := serve(t, New(Config{}), &fakeBot{})
	_, page := do(t, newClient(t), "GET", open, "")
	_, rest, _ := strings.Cut(page, `<script type="application/json" id="games">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var all []opening
	if err := json.Unmarshal([]byte(text), &all); err != nil || len(all) != 1 || all[0].Game != "Shut the Box" {
		t.Errorf("the page comes with %s, %v", text, err)
	}
	if strings.Contains(page, needed) {
		t.Error("without a secret, one is said to be needed")
	}
	guarded := serve(t, New(Config{Secret: "open sesame"}), &fakeBot{})
	c := newClient(t)
	if _, page := do(t, c, "GET", guarded, ""); !strings.Contains(page, needed) {
		t.Error("a stranger is not told that the secret is needed")
	}
	signIn(t, c, guarded, "open sesame", http.StatusSeeOther)
	if _, page := do(t, c, "GET", guarded, ""); strings.Contains(page, needed) {
		t.Error("a visitor who has given the secret is asked for it again")
	}
}

// The front page learns the game in a room, the names of the others, and whose turn it is. A stranger learns
// nothing.
func TestARoomTellsWhatIsPlayedNow(t *testing.T) {
	w, _, at, c, v := serveWithBrowser(t, Config{})
	wants := func(what string, want roomNow) {
		t.Helper()
		_, body := do(t, c, "GET", at+"/now", "")
		var got roomNow
		done(t, json.Unmarshal([]byte(body), &got))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	wants("nothing", roomNow{})
	m := board(1, "in play")
	m.Game = "Balut"
	m.People = []chat.Person{{Seat: 0, User: v.user(0), Name: "Anna", State: games.ToMove},
		{Seat: 1, User: "web:other.0", Name: "Ben"}, {Seat: 2, Name: "Computer", House: true}}
	ref := w.room.post(m)
	wants("her turn", roomNow{Game: "Balut", Others: []string{"Ben"}, Turn: "Anna", Mine: true})
	m.People[0].State, m.People[1].State = "", games.ToMove
	done(t, w.room.edit(ref, m))
	wants("his turn", roomNow{Game: "Balut", Others: []string{"Ben"}, Turn: "Ben"})
	if _, body := do(t, newClient(t), "GET", at+"/now", ""); strings.TrimSpace(body) != "{}" {
		t.Errorf("a stranger learns %s", body)
	}
	m.Record = 7
	done(t, w.room.edit(ref, m))
	wants("over", roomNow{})
}

// The front page shows both ways to play without scrolling on the smallest phone, then the way back into the room that
// this browser visited last, and the rooms that it has visited until they are removed from its list.
func frontPage(t *testing.T, tab *tab) {
	at := serve(t, New(Config{}), &fakeBot{})
	tab.open(at, `document.body.dataset.ready`)
	wantNoFaults(t, tab, "front")
	tab.do(chromedp.EmulateViewport(320, 568))
	wantAccessible(t, tab, "the front page, 320")
	for _, way := range []string{"Play with friends", "Main room"} {
		if !ask[bool](tab, labelled(way)+`.getBoundingClientRect().bottom <= innerHeight && scrollY === 0`) {
			t.Errorf("%q is not seen at once", way)
		}
	}
	tab.press(labelled("Play with friends"))
	tab.until(`location.pathname.startsWith("/r/") && JSON.parse(localStorage["knobel-rooms"] ?? "[]").length === 1`)
	room := ask[string](tab, `location.pathname`)
	tab.open(at, `document.querySelector(".visited a")?.getAttribute("href") === `+quoted(room))
	tab.until(labelled("Continue: Your room") + `.getAttribute("href") === ` + quoted(room))
	wantAccessible(t, tab, "the front page with a room")
	tab.storePicture("front-rooms-390-light")
	tab.press(`document.querySelector("#been summary")`)
	tab.press(`document.querySelector(".visited button")`)
	tab.until(`!document.getElementById("been").checkVisibility() && document.getElementById("continue").hidden`)
	tab.open(at, `document.body.dataset.ready`)
	if ask[bool](tab, `Boolean(document.querySelector(".visited"))`) {
		t.Error("a room that was taken off the list is on it again")
	}
}

// The card of a game on the front page makes a room with that game. In the room, the gallery is in the document while
// it is open: each game has a card, a filter leaves one family, Escape closes it, and a card opens the game's lobby.
func gamesOnCards(t *testing.T, tab *tab) {
	const (
		cards = `[...document.querySelectorAll(".game-card")].filter((card) => card.checkVisibility())`
		here  = `document.getElementById("gallery")`
	)
	more := []games.Game{}
	for _, g := range sets.All() {
		more = append(more, g)
	}
	url := serveGames(t, more...)
	tab.askForName()
	tab.open(url, cards+`.length === 12`)
	wantNoFaults(t, tab, "front-games")
	tab.press(cards + `.find((card) => card.textContent.startsWith("Yahtzee"))`)
	tab.enterName("Anna")
	tab.until(labelled("Change game") + `?.checkVisibility()`)
	if ask[bool](tab, `/kniffel/i.test(document.body.innerText) || `+here+` !== null`) {
		t.Error("a table of Yahtzee says Kniffel")
	}
	tab.press(labelled("Change game"))
	tab.until(here + `?.open && document.activeElement.id === "gallery-title"`)
	wantNoFaults(t, tab, "gallery")
	for _, fault := range ask[[]string](tab, cards+`
		.map((card) => [card.innerText.replace(/\s+/g, " "), card.querySelector("img")])
		.filter(([text, img]) => !/1–10 players \d+ min$/.test(text) || text.length > 250 || img.naturalWidth < 40)
		.map(([text]) => text)`) {
		t.Error("a card is not complete:", fault)
	}
	first := ask[[]string](tab, cards+`.slice(0, 3).map((card) => card.innerText.split("\n").slice(0, 2).join())`)
	if !strings.HasPrefix(first[1], "Würfelpoker,dice poker") || !strings.HasPrefix(first[2], "Yahtzee") {
		t.Errorf("the gallery begins with %q", first)
	}
	family := `[...` + here + `.querySelectorAll(".seg button")].at(-1)`
	tab.press(family)
	tab.until(cards + `.length === 11 && ` + family + `.ariaPressed === "true"`)
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(here + ` === null && document.activeElement.textContent === "Change game"`)
	tab.press(labelled("Change game"))
	tab.press(cards + `.find((card) => card.textContent.startsWith("Shut the Box"))`)
	tab.until(here + ` === null && document.getElementById("where").textContent.startsWith("Shut the Box")`)
	if ask[bool](tab, `document.body.innerText.includes("10 chips")`) {
		t.Error("a new table has a stake")
	}
}
