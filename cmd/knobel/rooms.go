package main

import "fmt"

// Who may come into a room of the browser table that somebody has made.
const (
	roomsOpen   = "open"   // whoever has the address
	roomsSecret = "secret" // whoever has the address and the secret
)

// parseRooms reads who may come into a room: "" is roomsOpen.
func parseRooms(text string) (secret bool, err error) {
	switch text {
	case "", roomsOpen:
		return false, nil
	case roomsSecret:
		return true, nil
	}
	return false, fmt.Errorf("%q is neither %s nor %s", text, roomsOpen, roomsSecret)
}
