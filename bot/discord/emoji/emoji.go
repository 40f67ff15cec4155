// Package emoji holds the pictures that stand in texts and on buttons on Discord: dice, tiles, the
// box and the signs of seats. It knows neither Discord nor a game. The pictures are readable 22
// pixels high, on a dark and on a light ground, and tell nothing by colour alone: a die that is
// kept is a padlock, a shut tile lies, one that is chosen leans, and seats have forms.
//
// Names are words, as those who hear their screen read hear them, and end with the version of the
// picture: a changed picture needs a new version of its kind, under which it is uploaded anew.
package emoji

import (
	"embed"
	"fmt"
	"strconv"
)

// The largest numbers that are drawn.
const (
	// Faces is how many faces a usual die has.
	Faces = 6
	// ManyFaces is how many faces the large die has.
	ManyFaces = 20
	// Tiles is the highest tile of most boxes, and MostTiles that of the largest.
	Tiles, MostTiles = 12, 24
)

// Kind is a set of pictures that are of use together: a row of dice is drawn with pictures where
// all of them are there.
type Kind string

// The kinds, in the order of their use.
const (
	Dice      Kind = "dice"
	Throws    Kind = "throws"
	LowTiles  Kind = "low tiles"
	Seats     Kind = "seats"
	Box       Kind = "box"
	HighTiles Kind = "high tiles"
	LargeDie  Kind = "large die"
)

// Picture is one of them.
type Picture struct {
	Kind Kind
	// Name is what it is called, without the version: "die_4_kept".
	Name    string
	Version int
	file    string
}

//go:embed pictures
var pictures embed.FS

// FullName is the name with the version, as it is uploaded: "die_4_kept_k1".
func (p Picture) FullName() string { return p.Name + "_k" + strconv.Itoa(p.Version) }

// PNG is the picture as a file.
func (p Picture) PNG() []byte {
	png, err := pictures.ReadFile("pictures/" + p.file + ".png")
	if err != nil {
		panic(err) // a test reads all of them
	}
	return png
}

// The names of pictures.

// Die is a usual die that shows a face, kept or as it was thrown.
func Die(face int, isKept bool) string {
	if isKept {
		return fmt.Sprintf("die_%d_kept", face)
	}
	return fmt.Sprintf("die_%d", face)
}

// Large is the large die that shows a face.
func Large(face int) string { return fmt.Sprintf("large_die_%d", face) }

// Tile is a tile that stands, leans because it is chosen, or lies.
func Tile(n int, isOpen, isPicked bool) string {
	switch {
	case !isOpen:
		return fmt.Sprintf("tile_%d_shut", n)
	case isPicked:
		return fmt.Sprintf("tile_%d_chosen", n)
	}
	return fmt.Sprintf("tile_%d", n)
}

// signs are those of ten seats, in the colours that boards have for them.
var signs = [...]string{"blue_circle", "red_square", "green_triangle", "yellow_diamond", "purple_star", "teal_hexagon",
	"orange_cross", "pink_heart", "olive_drop", "brown_moon"}

// Seat is the sign of a seat, counted from 0; those beyond the tenth begin again.
func Seat(n int) string { return "seat_" + signs[n%len(signs)] }

// The pictures that are alone in their name.
const (
	TheBox  = "the_box"
	OneDie  = "one_die"
	TwoDice = "two_dice"
)

// versions are those of the pictures.
var versions = map[Kind]int{Dice: 1, Throws: 1, LowTiles: 1, Seats: 1, Box: 1, HighTiles: 1, LargeDie: 1}

// All are all pictures, kind by kind.
func All() (all []Picture) {
	add := func(kind Kind, names ...string) {
		for _, name := range names {
			p := Picture{Kind: kind, Name: name, Version: versions[kind]}
			p.file = p.FullName()
			all = append(all, p)
		}
	}
	for face := 1; face <= Faces; face++ {
		add(Dice, Die(face, false), Die(face, true))
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
		add(LargeDie, Large(face))
	}
	return all
}
