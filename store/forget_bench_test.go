package store

import (
	"fmt"
	"testing"
)

// BenchmarkForget is how long somebody who wants to be forgotten keeps the
// writer in a database of 1,000,000 results. Short runs have a hundredth of
// them.
func BenchmarkForget(b *testing.B) {
	s := opened(b)
	c := million(b, s)
	behind(b, s, `UPDATE tables SET saved = zeroblob(300), seed = zeroblob(32), commitment = HEX(zeroblob(32)), board = 'telegram:-1/' || id`)
	for n := 0; b.Loop(); n++ {
		err := s.Update(b.Context(), func(tx *Tx) error {
			_, err := tx.Forget(fmt.Sprint("telegram:", 700_000_001+n%(c.chats*regulars)))
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
