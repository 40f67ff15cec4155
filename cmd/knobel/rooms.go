package main

import "fmt"

// Who may enter a room of the browser table.
const (
	roomsOpen   = "open"   // everyone with the address
	roomsSecret = "secret" // everyone with the address and the secret
)

// parseRooms reports whether rooms need the secret; "" is roomsOpen.
func parseRooms(text string) (secret bool, err error) {
	switch text {
	case "", roomsOpen:
		return false, nil
	case roomsSecret:
		return true, nil
	}
	return false, fmt.Errorf("%q is neither %s nor %s", text, roomsOpen, roomsSecret)
}
