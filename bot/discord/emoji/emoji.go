// Package emoji holds the pictures in texts and on buttons on Discord: dice, tiles, the box (jackpot), signs of seats.
// It depends on neither Discord nor a game. The pictures are readable 22 pixels high on dark and light, and never
// differ by colour alone: a kept die is a padlock, a shut tile lies, a chosen tile leans, seats have shapes.
//
// Emoji names are words for screen readers, followed by the version of the picture's kind. When a picture changes, its
// kind needs a new version, so that the picture is uploaded again.
package emoji

import (
	"embed"
	"fmt"
	"strconv"
)

// The largest numbers that have pictures.
const (
	// Faces is the number of faces of a usual die.
	Faces = 6
	// ManyFaces is the number of faces of the large die, which some games use.
	ManyFaces = 20
	// Tiles is the highest tile in most variants of Shut the Box, MostTiles the highest in the largest variant.
	Tiles, MostTiles = 12, 24
)

// Kind is a set of pictures, such as the faces of a die. Boards show all pictures of a kind or none.
type Kind string

// The kinds of pictures, in the order in which they are uploaded.
const (
	Dice      Kind = "dice"
	Throws    Kind = "throws"
	LowTiles  Kind = "low tiles"
	Seats     Kind = "seats"
	Box       Kind = "box"
	HighTiles Kind = "high tiles"
	LargeDie  Kind = "large die"
)

// Picture is one picture that is uploaded as an emoji.
type Picture struct {
	Kind Kind
	// Name is the emoji's name without the version, such as "die_4_kept".
	Name    string
	Version int
}

//go:embed pictures
var pictures embed.FS

// FullName returns the emoji's name with the version: "die_4_kept_k1".
func (p Picture) FullName() string { return p.Name + "_k" + strconv.Itoa(p.Version) }

// PNG returns the picture as a PNG file. It panics if the file is missing.
func (p Picture) PNG() []byte {
	png, err := pictures.ReadFile("pictures/" + p.FullName() + ".png")
	if err != nil {
		panic(err) // a test reads all of them
	}
	return png
}

// The names of pictures, without versions.

// Die returns the name of the picture of a die with this number of sides that shows face; "" if there is none. isKept:
// the player keeps the die for the next roll.
func Die(face, sides int, isKept bool) string {
	switch {
	case sides == ManyFaces && !isKept:
		return fmt.Sprintf("large_die_%d", face)
	case sides != Faces:
		return ""
	case isKept:
		return fmt.Sprintf("die_%d_kept", face)
	}
	return fmt.Sprintf("die_%d", face)
}

// Tile returns the name of the picture of tile n. isOpen: it is not shut. isPicked: a player has chosen the open tile.
func Tile(n int, isOpen, isPicked bool) string {
	switch {
	case !isOpen:
		return fmt.Sprintf("tile_%d_shut", n)
	case isPicked:
		return fmt.Sprintf("tile_%d_chosen", n)
	}
	return fmt.Sprintf("tile_%d", n)
}

// signs are the names of the signs of the first ten seats. Their colours are those of the boards, in the same order.
var signs = [...]string{"blue_circle", "red_square", "green_triangle", "yellow_diamond", "purple_star", "teal_hexagon",
	"orange_cross", "pink_heart", "olive_drop", "brown_moon"}

// Seat returns the name of the picture with the sign of seat n, counted from 0. Signs repeat after ten seats.
func Seat(n int) string { return "seat_" + signs[n%len(signs)] }

// The names of the jackpot and of buttons that roll one or two dice.
const (
	TheBox  = "the_box"
	OneDie  = "one_die"
	TwoDice = "two_dice"
)

// versions are the present versions of the kinds of pictures.
var versions = map[Kind]int{Dice: 1, Throws: 1, LowTiles: 1, Seats: 1, Box: 1, HighTiles: 1, LargeDie: 1}

// All returns all pictures, in the order in which they are uploaded.
func All() (all []Picture) {
	add := func(kind Kind, names ...string) {
		for _, name := range names {
			all = append(all, Picture{Kind: kind, Name: name, Version: versions[kind]})
		}
	}
	for face := 1; face <= Faces; face++ {
		add(Dice, Die(face, Faces, false), Die(face, Faces, true))
	}
	add(Throws, OneDie, TwoDice)
	tiles := func(kind Kind, from, to int) {
		for n := from; n <= to; n++ {
			add(kind, Tile(n, true, false), Tile(n, false, false), Tile(n, true, true))
		}
	}
	tiles(LowTiles, 1, Tiles)
	for i := range signs {
		add(Seats, Seat(i))
	}
	add(Box, TheBox)
	tiles(HighTiles, Tiles+1, MostTiles)
	for face := 1; face <= ManyFaces; face++ {
		add(LargeDie, Die(face, ManyFaces, false))
	}
	return all
}
