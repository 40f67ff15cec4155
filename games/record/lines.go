package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"knobel/games"
)

// ReadLines reads the records of a file, one a line. It calls good with each record without a
// fault, and tell with every fault and its line, counted from 1. Blank lines are skipped; a file
// without records is a fault at line 0. It returns the number of lines that are not blank; the
// error is the reader's.
func ReadLines(r io.Reader, known []games.Game, solutions *Solutions, good func(line int, r Record),
	tell func(line int, f Fault)) (records int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, MaxBytes+1)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		records++
		rec, err := Decode(line)
		if err != nil {
			tell(number, faulty("%s", upperFirst(err.Error())))
			continue
		}
		faults := VerifyWith(rec, known, solutions)
		for _, fault := range faults {
			tell(number, fault)
		}
		if len(faults) == 0 {
			good(number, rec)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		tell(number+1, faulty("A record has at most %d bytes", MaxBytes))
		return records + 1, nil
	case err != nil:
		return records, fmt.Errorf("read records: %w", err)
	case records == 0:
		tell(0, faulty("There is no record in this file"))
	}
	return records, nil
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
