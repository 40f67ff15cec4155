package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"knobel/games"
)

// Strict decoding of records from JSON, with limits on their size.

// Limits of a record, so that a file from a stranger cannot exhaust the memory.
const (
	// MaxBytes is the largest size of a line.
	MaxBytes = 64 << 20
	// MaxMoves is the largest number of moves.
	MaxMoves = 1_000_000
	maxSeats = 64
	maxRules = 64
	maxDice  = 64 // in one move
)

// keys holds the keys that an object of a record must have, and those that it may have.
type keys struct{ must, may []string }

// shapesOf returns the keys of every object by its place in a line, depending on the line's shape and first row. The
// keys of "rules" are up to the game, so they are not included.
func shapesOf(line []byte) map[string]keys {
	var told struct {
		Shape  games.Shape                  `json:"shape"`
		Result []map[string]json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(line, &told); err != nil {
		told.Shape, told.Result = "", nil // the check of the keys reports the error
	}
	first := map[string]json.RawMessage{}
	if len(told.Result) > 0 {
		first = told.Result[0]
	}
	all := map[string]keys{
		"seats[]":     {must: []string{"entropy"}, may: []string{"name", "house", "out"}},
		"dice":        {must: []string{"scheme", "commitment", "seed"}},
		"moves[]":     {must: []string{"seat", "move"}, may: []string{"dice", "auto"}},
		"house_rules": {must: []string{"version"}, may: []string{"name"}},
	}
	top := keys{must: []string{"record", "table", "game", "rules", "stake"}, may: []string{"voided", "house_rules"}}
	row, word, other := keys{}, "score", "total"
	switch {
	case told.Shape.Owed():
		top.must = append([]string{"shape"}, top.must...)
		row.must = []string{"settlement"}
	case first["difference"] != nil: // differences have no stake
		top.must, top.may = top.must[:4], append(top.may, "rounding")
		row, word, other = keys{must: []string{"difference"}, may: []string{"settlement"}}, other, word
		all["result[].difference"] = keys{must: []string{"n", "d"}}
	default:
		top.may = append(top.may, "box")
		row.must = []string{"pool"}
		all["box"] = keys{must: []string{"in", "out"}}
	}
	if first[word] == nil && first[other] != nil {
		word = other
	}
	if word == "total" { // "points" may count instead of the total
		row.may = append(row.may, "points")
	}
	top.must = append(top.must, "unit", "seats", "dice", "moves", "result")
	row.must = append([]string{"seat", word, "place"}, row.must...)
	all[""], all["result[]"] = top, row
	return all
}

// Decode returns the record of one line. It is strict: every key must be known, spelled exactly and occur once, and
// nothing may follow the record. The error is a sentence for the author of the file.
func Decode(line []byte) (Record, error) {
	var r Record
	if len(line) > MaxBytes {
		return r, fmt.Errorf("a record has at most %d bytes", MaxBytes)
	}
	if !utf8.Valid(line) {
		return r, errors.New("the line is not UTF-8")
	}
	if err := checkVersion(line); err != nil {
		return r, err
	}
	s := shape{decoder: json.NewDecoder(bytes.NewReader(line)), shapes: shapesOf(line)}
	s.decoder.UseNumber()
	if err := s.value("", ""); err != nil {
		return r, err
	}
	if _, err := s.decoder.Token(); !errors.Is(err, io.EOF) {
		return r, errors.New("something follows the record on its line")
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, plain(err)
	}
	return r, checkSizes(r)
}

// checkVersion returns an error unless the line is a record of Version. It runs first, because the keys of other
// versions are unknown.
func checkVersion(line []byte) error {
	var head struct {
		Version json.RawMessage `json:"record"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return plain(err)
	}
	switch version := string(head.Version); version {
	case fmt.Sprint(Version):
		return nil
	case "":
		return errors.New(`this is no record: the key "record" is missing`)
	default:
		return fmt.Errorf("a record of version %.20s cannot be read, only version %d", version, Version)
	}
}

// plain returns an error of the JSON decoder as a sentence that names the place.
func plain(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s: a JSON %s cannot stand here", orRecord(wrong.Field), wrong.Value)
	}
	return fmt.Errorf("the line is not JSON: %w", err)
}

func checkSizes(r Record) error {
	switch {
	case len(r.Moves) > MaxMoves:
		return fmt.Errorf("a record has at most %d moves", MaxMoves)
	case len(r.Seats) > maxSeats || len(r.Result) > maxSeats:
		return fmt.Errorf("a record has at most %d seats", maxSeats)
	case len(r.Rules) > maxRules:
		return fmt.Errorf("a record has at most %d rules", maxRules)
	}
	for i, m := range r.Moves {
		if len(m.Dice) > maxDice {
			return fmt.Errorf("moves[%d]: a move throws at most %d dice", i, maxDice)
		}
	}
	return nil
}

// shape checks the keys of a line's objects, which encoding/json would accept in any case and any number.
type shape struct {
	decoder *json.Decoder
	shapes  map[string]keys
}

// value checks the next value. where is its place, for errors; kind is the same without indices.
func (s *shape) value(kind, where string) error {
	token, err := s.decoder.Token()
	if err != nil {
		return plain(err)
	}
	switch token {
	case json.Delim('{'):
		if _, known := s.shapes[kind]; !known && kind != "rules" {
			return fmt.Errorf("%s: an object cannot stand here", where)
		}
		return s.object(kind, where)
	case json.Delim('['):
		return s.array(kind, where)
	case "":
		if kind == "seats[].house" {
			return fmt.Errorf("%s: an empty text cannot stand here", where)
		}
	case nil:
		if kind != "result[].score" {
			return fmt.Errorf("%s: null cannot stand here", where)
		}
	}
	if _, object := s.shapes[kind]; object || kind == "rules" {
		return fmt.Errorf("%s: an object must stand here", orRecord(where))
	}
	return nil
}

// object checks the keys of an object of a kind and consumes its end; where names it in errors.
func (s *shape) object(kind, where string) error {
	var seen []string
	for s.decoder.More() {
		token, err := s.decoder.Token()
		if err != nil {
			return plain(err)
		}
		key, _ := token.(string)
		if slices.Contains(seen, key) {
			return fmt.Errorf("%s: the key %.40q stands twice", orRecord(where), key)
		}
		if want := s.shapes[kind]; kind != "rules" && !slices.Contains(want.must, key) &&
			!slices.Contains(want.may, key) {
			return fmt.Errorf("%s: the key %.40q is unknown", orRecord(where), key)
		}
		if seen = append(seen, key); len(seen) > maxRules {
			return fmt.Errorf("%s: there are too many keys", orRecord(where))
		}
		if err := s.value(join(kind, key), join(where, key)); err != nil {
			return err
		}
	}
	for _, key := range s.shapes[kind].must {
		if !slices.Contains(seen, key) {
			return fmt.Errorf("%s: the key %q is missing", orRecord(where), key)
		}
	}
	_, err := s.decoder.Token()
	return err
}

func (s *shape) array(kind, where string) error {
	if strings.Count(kind, "[]") > 1 {
		return fmt.Errorf("%s: a list cannot stand here", where)
	}
	for i := 0; s.decoder.More(); i++ {
		if err := s.value(kind+"[]", fmt.Sprintf("%s[%d]", where, i)); err != nil {
			return err
		}
	}
	_, err := s.decoder.Token()
	return err
}

func join(place, key string) string {
	if place == "" {
		return key
	}
	return place + "." + key
}

func orRecord(where string) string {
	if where == "" {
		return "record"
	}
	return where
}

// ReadLines reads the records of a file, one a line. It calls good with each record without a fault, and tell with
// every fault and its line, counted from 1. Blank lines are skipped; a file without records is a fault at line 0. It
// returns the number of lines that are not blank. err is an error of reading r only.
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
			tell(number, faulty("%s", strings.ToUpper(err.Error()[:1])+err.Error()[1:]))
			continue
		}
		faults := Verify(rec, known, solutions)
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
