package shelf

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"

	"knobel/games"
)

// The file of a solution: a line that says what it is, a line of JSON that says of what, the numbers, each of eight
// bytes, the lowest first, and a sum of all that: SHA-256, of what a program keeps for itself with its key (HMAC).

// magic is the first line.
const magic = "knobel solution 1\n"

// maxAbout is how long the second line may be.
const maxAbout = 8 << 10

// about is what a file says of its numbers.
type about struct {
	Game  string      `json:"game"`
	Rules games.Rules `json:"rules"`
	Seats int         `json:"seats"`
	// Program is the version that has solved it; "" where the solution is for any that gives the numbers the same
	// meaning.
	Program string `json:"program,omitempty"`
	Means   string `json:"means"` // the sum of all that the numbers depend on
	Count   int    `json:"count"`
	Offline bool   `json:"offline,omitempty"` // a running program does not solve this
}

// aboutOf is what a file says of a problem.
func aboutOf(p games.Problem, layout games.Layout) about {
	sum := sha256.Sum256([]byte(layout.Means))
	return about{Game: p.Game(), Rules: p.Rules(), Seats: p.Seats(), Means: hex.EncodeToString(sum[:]),
		Count: layout.Count}
}

// fits reports whether a file has the numbers that are wanted.
func (a about) fits(wanted about) bool {
	return a.Means == wanted.Means && a.Program == wanted.Program && a.Count == wanted.Count
}

// head are the first two lines.
func (a about) head() ([]byte, error) {
	line, err := json.Marshal(a)
	if err == nil && len(line) >= maxAbout {
		err = fmt.Errorf("a solution is described in %d bytes", len(line))
	}
	return fmt.Appendf([]byte(magic), "%s\n", line), err
}

// size is how long the whole file is.
func (a about) size(head int) int64 { return int64(head) + int64(a.Count)*8 + sha256.Size }

// readAbout reads the first two lines, and says how long they are.
func readAbout(r io.Reader) (a about, head int, err error) {
	lines := bufio.NewReader(io.LimitReader(r, int64(len(magic)+maxAbout)))
	first, err := lines.ReadString('\n')
	if err != nil || first != magic {
		return a, 0, errors.New("it is no solution of this format")
	}
	second, err := lines.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(second, &a)
	}
	if err != nil {
		return a, 0, errors.New("it does not say what it is")
	}
	return a, len(first) + len(second), nil
}

// writer writes a solution beside its place, and puts it there when it is whole.
type writer struct {
	file  *os.File
	place string
	out   *bufio.Writer
	sum   hash.Hash
	left  int // numbers to come
	bytes []byte
}

// partly is what the names of files end with that are not whole.
const partly = ".partly"

// create begins a solution.
func create(place string, a about, sum hash.Hash) (*writer, error) {
	head, err := a.head()
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(place), filepath.Base(place)+".*"+partly)
	if err != nil {
		return nil, err
	}
	w := &writer{file: file, place: place, out: bufio.NewWriterSize(file, 1<<18), sum: sum, left: a.Count}
	if _, err := io.MultiWriter(w.out, w.sum).Write(head); err != nil {
		return nil, w.drop(err)
	}
	return w, nil
}

// write adds numbers.
func (w *writer) write(part []float64) error {
	w.left -= len(part)
	for len(part) > 0 {
		some := part[:min(len(part), 1<<12)]
		part = part[len(some):]
		w.bytes = w.bytes[:0]
		for _, v := range some {
			w.bytes = binary.LittleEndian.AppendUint64(w.bytes, math.Float64bits(v))
		}
		w.sum.Write(w.bytes)
		if _, err := w.out.Write(w.bytes); err != nil {
			return err
		}
	}
	return nil
}

// finish puts the file in its place, unless something went wrong before: then nothing of it is left.
func (w *writer) finish(err error) error {
	if err == nil && w.left != 0 {
		err = fmt.Errorf("%d numbers are missing", w.left)
	}
	if err == nil {
		w.out.Write(w.sum.Sum(nil)) // an error stays until Flush
		err = errors.Join(w.out.Flush(), w.file.Chmod(0o644))
	}
	if err != nil {
		return w.drop(err)
	}
	if err := w.file.Close(); err != nil {
		return errors.Join(err, os.Remove(w.file.Name()))
	}
	if err := os.Rename(w.file.Name(), w.place); err != nil {
		return errors.Join(err, os.Remove(w.file.Name()))
	}
	return nil
}

// drop gives up what was written.
func (w *writer) drop(err error) error {
	return errors.Join(err, w.file.Close(), os.Remove(w.file.Name()))
}

// opened is a file with numbers that are read when they are asked for.
type opened struct {
	file *os.File
	from int64
}

// errOther is that of a file which is well as it is.
var errOther = errors.New("it was solved by another version, or for other rules")

// open opens a solution, which has to be what is wanted and to have the sum that it ends with. It calls each with all
// of its numbers, part by part.
func open(place string, wanted about, sum hash.Hash, each func(part []byte)) (o *opened, err error) {
	file, err := openFile(place)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	a, head, err := readAbout(file)
	if err != nil {
		return nil, err
	}
	if !a.fits(wanted) {
		return nil, errOther
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != a.size(head) {
		return nil, fmt.Errorf("it has %d bytes instead of %d", info.Size(), a.size(head))
	}
	return &opened{file, int64(head)}, summed(file, int64(head), info.Size(), sum, each)
}

// summed compares the sum at the end of a file with that of what stands before.
func summed(file io.ReaderAt, head, size int64, sum hash.Hash, each func(part []byte)) error {
	begins := make([]byte, head)
	if _, err := file.ReadAt(begins, 0); err != nil {
		return err
	}
	sum.Write(begins)
	part := make([]byte, 1<<18)
	for at, end := head, size-sha256.Size; at < end; {
		part = part[:min(int64(len(part)), end-at)]
		if _, err := file.ReadAt(part, at); err != nil {
			return err
		}
		sum.Write(part)
		each(part)
		at += int64(len(part))
	}
	ends := make([]byte, sha256.Size)
	if _, err := file.ReadAt(ends, size-sha256.Size); err != nil {
		return err
	}
	if !hmac.Equal(ends, sum.Sum(nil)) {
		return errors.New("its bytes are not those that were written")
	}
	return nil
}

// Read reads numbers from the file.
func (o *opened) Read(to []float64, from int) error {
	part := make([]byte, 8*len(to))
	if _, err := o.file.ReadAt(part, o.from+8*int64(from)); err != nil {
		return err
	}
	decode(to, part)
	return nil
}

// decode reads as many numbers as there is room for.
func decode(to []float64, part []byte) {
	for i := range to {
		to[i] = math.Float64frombits(binary.LittleEndian.Uint64(part[8*i:]))
	}
}

// load reads a whole solution into memory.
func load(place string, wanted about, sum hash.Hash) (games.Numbers, error) {
	all := make(games.Numbers, 0, wanted.Count)
	o, err := open(place, wanted, sum, func(part []byte) {
		n := len(all)
		all = all[:n+len(part)/8]
		decode(all[n:], part)
	})
	if err != nil {
		return nil, err
	}
	return all, o.file.Close()
}
