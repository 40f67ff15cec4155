package games

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
)

// What games have in common in how they are made.

// Fixed returns an option of a game with exactly these values, each with a sentence of its own.
func Fixed(game, name string, values ...string) Option {
	return Option{Name: name, Values: values, Say: func(value string) Line {
		return Say(game+".option."+name+".value."+value, nil)
	}}
}

// Random returns any legal move, each alike: the strategy of a house.
func Random(m Match, s Seat, r Rand) Move {
	moves := m.Moves(s)
	return moves[r.IntN(len(moves))]
}

// Decode reads exactly one JSON value, with no other fields than those of the state.
func Decode(saved []byte, state any) error {
	d := json.NewDecoder(bytes.NewReader(saved))
	d.DisallowUnknownFields()
	if err := d.Decode(state); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

// Folder returns a folder that is embedded.
func Folder(embedded embed.FS, name string) fs.FS {
	sub, err := fs.Sub(embedded, name)
	if err != nil {
		panic(err)
	}
	return sub
}
