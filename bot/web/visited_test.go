package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

// The rooms that the front page lists, one after the other.
const listedRooms = `[...document.querySelectorAll(".visited a")].map((a) => a.getAttribute("href")).join(" ")`

// A room that is not at its address any more is taken off the list, whether its page was open or slept when the host
// renewed the address. A room that leads a browser on has one entry, at its new address.
func deadRoomsLeaveTheList(t *testing.T, tab *tab) {
	w := New(Config{})
	at := serve(t, w, &pretend{})
	anna, _ := enter(t, w, at)
	room := makes(t, anna, at)
	renews := func() {
		t.Helper()
		room = send[roomPath](t, anna, at+room+"/renew", struct{}{}).Path
	}
	visits := func() {
		t.Helper()
		tab.do(chromedp.Navigate(at + room))
		tab.until(`JSON.parse(localStorage["knobel-rooms"])[0].path === ` + quoted(room))
	}
	lists := func(wanted, when string) {
		t.Helper()
		tab.do(chromedp.Navigate(at))
		tab.until(`document.body.dataset.ready`)
		if got := ask[string](tab, listedRooms); got != wanted {
			t.Errorf("%s the list holds %q, not %q", when, got, wanted)
		}
	}
	const nowhere = `document.querySelector("h1")?.textContent === "There is no room here" &&
		document.readyState === "complete"` // its script has run
	visits()
	renews()
	tab.until(nowhere)
	lists("", "after a page that was open has lost its room")

	visits()
	lists(room, "before the address is renewed")
	renews()
	tab.press(`document.querySelector(".visited a")`)
	tab.until(nowhere)
	lists("", "after a page that slept has found no room")

	visits()
	table := board(1, "Dora is to throw.")
	for _, one := range w.rooms.at("web:r-1").presents() {
		table.People = append(table.People, chat.Person{Seat: len(table.People), User: one.user, Name: one.Name})
	}
	if _, err := w.Post(t.Context(), "web:r-1", table); err != nil {
		t.Fatal(err)
	}
	lists(room, "before a room leads on")
	renews()
	tab.press(`document.querySelector(".visited a")`)
	tab.until(`location.pathname === ` + quoted(room) + ` && location.hash === "" &&
		JSON.parse(localStorage["knobel-rooms"])[0].path === location.pathname`)
	lists(room, "after a room has led on")

	for _, one := range w.rooms.at("web:r-1").presents() {
		send[struct{}](t, anna, at+room+"/out", asked{one.ID})
	}
	tab.press(`document.querySelector(".visited a")`)
	tab.until(`document.querySelector("h1")?.textContent === "You are not in this room any more" &&
		document.readyState === "complete"`)
	lists("", "after somebody who was away was shown out")
}
