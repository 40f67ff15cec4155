package bare

// Tests run side by side, each with a chance of its own.

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// placed is the tests that run beside others, or are not to, by name.
var placed sync.Map

// Beside has a test run beside others, from its first house on. Parts of a test run one after the other.
func Beside(t testing.TB) {
	t.Helper()
	test, is := t.(*testing.T)
	if !is || strings.Contains(t.Name(), "/") {
		return
	}
	if _, done := placed.LoadOrStore(t.Name(), true); !done {
		t.Cleanup(func() { placed.Delete(t.Name()) })
		test.Parallel()
	}
}

// Alone keeps a test from running beside others: it changes what all share.
func Alone(t *testing.T) {
	placed.Store(t.Name(), true)
	t.Cleanup(func() { placed.Delete(t.Name()) })
}

// Bubble is synctest.Test for a test that runs beside others.
func Bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	Beside(t)
	synctest.Test(t, test)
}

// chances are those of the tests that run, by name.
var chances sync.Map

// chance is where the seeds of a test come from.
type chance struct {
	sync.Mutex
	from *rand.ChaCha8
}

func (c *chance) Read(p []byte) (int, error) {
	c.Lock()
	defer c.Unlock()
	return c.from.Read(p)
}

// chanceOf lets the dice of a test fall alike whenever it runs, from the first house of it on, so that what fails once
// can be looked at again. For a benchmark it is nil.
func chanceOf(t testing.TB) io.Reader {
	if _, is := t.(*testing.T); !is {
		return nil
	}
	if c, has := chances.Load(t.Name()); has {
		return c.(*chance)
	}
	name := fnv.New64()
	_, _ = name.Write([]byte(t.Name()))
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], name.Sum64())
	c := &chance{from: rand.NewChaCha8(seed)}
	chances.Store(t.Name(), c)
	t.Cleanup(func() { chances.Delete(t.Name()) })
	return c
}
