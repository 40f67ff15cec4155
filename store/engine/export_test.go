package engine

import "os"

// NameBy is Name on a disk that keeps the names in the folder of a file by a function.
var NameBy = name

// CutOff is Finish of a process that ends after some of its steps, as a crash ends
// it, without links where the file system knows none. It reports whether these were all.
func (r *Restoring) CutOff(after int, links bool) (all bool, err error) {
	part := r.DB.File()
	if err := r.DB.Close(); err != nil {
		return false, err
	}
	aside := r.to + "." + moment() + ".aside"
	steps := r.steps(part, aside)
	for _, step := range steps[:after] {
		if err := step(); err != nil {
			return false, err
		}
		if is, err := os.Stat(r.to); err == nil && names(is) > 1 && !links {
			if err := os.Remove(r.to); err != nil {
				return false, err
			}
		}
	}
	return after == len(steps), r.lock.release()
}
