package dice

import "errors"

// Fallen are dice as they once fell, to play an old move again.
type Fallen struct {
	faces []int
	wrong bool
}

// NewFallen returns dice that show these faces, one after the other.
func NewFallen(faces []int) *Fallen { return &Fallen{faces: faces} }

// Throw returns the next faces. A die that did not fall then, or that lacks its
// face, shows a one.
func (f *Fallen) Throw(count, sides int) []int {
	thrown := make([]int, count)
	for i := range thrown {
		thrown[i] = 1
		if i < len(f.faces) && f.faces[i] >= 1 && f.faces[i] <= sides {
			thrown[i] = f.faces[i]
		} else {
			f.wrong = true
		}
	}
	f.faces = f.faces[min(count, len(f.faces)):]
	return thrown
}

// errOthers says that a move has not thrown the dice that it once threw.
var errOthers = errors.New("other dice were thrown")

// Err is nil when the dice that fell then have been thrown, all of them and no
// others.
func (f *Fallen) Err() error {
	if f.wrong || len(f.faces) > 0 {
		return errOthers
	}
	return nil
}
