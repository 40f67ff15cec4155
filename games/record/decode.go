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

// Limits of a record, so that a record from a stranger cannot exhaust the memory.
const (
	// MaxBytes is the largest size of a line with a record, in bytes.
	MaxBytes = 64 << 20
	// MaxMoves is the largest number of moves of a record.
	MaxMoves = 1_000_000
	maxSeats = 64
	maxRules = 64
	maxDice  = 64 // thrown by one move
)

// keys holds the keys that a JSON object of a record must have (must) and those that it may also have (may).
type keys struct{ must, may []string }

// objectKeys returns the allowed keys of every JSON object in line, by the path of the object without indices: "" for
// the record, "seats[]", "result[].difference". Which keys are allowed depends on the value of "shape" and on the first
// row of "result". The object "rules" is left out, because the game decides its keys.
func objectKeys(line []byte) map[string]keys {
	var head struct {
		Shape  games.Shape                  `json:"shape"`
		Result []map[string]json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		head.Shape, head.Result = "", nil // the check of the keys reports the error
	}
	first := map[string]json.RawMessage{}
	if len(head.Result) > 0 {
		first = head.Result[0]
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
	case head.Shape.Owed():
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
	if word == "total" { // "points" may decide instead of the total
		row.may = append(row.may, "points")
	}
	top.must = append(top.must, "unit", "seats", "dice", "moves", "result")
	row.must = append([]string{"seat", word, "place"}, row.must...)
	all[""], all["result[]"] = top, row
	return all
}

// Decode returns the record that line spells in JSON. It is strict: every key must be known, spelled exactly and occur
// once, and nothing may follow the record. The error is a sentence for the author of the file.
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
	s := keyChecker{decoder: json.NewDecoder(bytes.NewReader(line)), keys: objectKeys(line)}
	s.decoder.UseNumber()
	if err := s.checkValue("", ""); err != nil {
		return r, err
	}
	if _, err := s.decoder.Token(); !errors.Is(err, io.EOF) {
		return r, errors.New("unexpected data after the record")
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, jsonError(err)
	}
	return r, checkSizes(r)
}

// checkVersion returns an error unless line is a record of the version Version. Decode calls it first, because the keys
// of other versions are unknown.
func checkVersion(line []byte) error {
	var head struct {
		Version json.RawMessage `json:"record"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return jsonError(err)
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

// jsonError returns err, an error of encoding/json, as a sentence. For a value of the wrong type it names the key.
func jsonError(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s: a JSON %s is not allowed here", pathOrRecord(wrong.Field), wrong.Value)
	}
	return fmt.Errorf("the line is not JSON: %w", err)
}

// checkSizes returns an error if r has too many moves, seats or rules, or a move with too many dice.
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
			return fmt.Errorf("moves[%d]: a move rolls at most %d dice", i, maxDice)
		}
	}
	return nil
}

// keyChecker checks the keys of all objects of a record. encoding/json alone would accept a key in another case, and
// the same key several times.
type keyChecker struct {
	decoder *json.Decoder
	keys    map[string]keys // the result of objectKeys
}

// checkValue reads the next value and returns an error if a value of this kind is not allowed there. path names its
// place in errors: "seats[2].name"; pattern is path without the indices: "seats[].name".
func (s *keyChecker) checkValue(pattern, path string) error {
	token, err := s.decoder.Token()
	if err != nil {
		return jsonError(err)
	}
	switch token {
	case json.Delim('{'):
		if _, known := s.keys[pattern]; !known && pattern != "rules" {
			return fmt.Errorf("%s: an object is not allowed here", path)
		}
		return s.checkObject(pattern, path)
	case json.Delim('['):
		return s.checkArray(pattern, path)
	case "":
		if pattern == "seats[].house" {
			return fmt.Errorf("%s: an empty text is not allowed here", path)
		}
	case nil:
		if pattern != "result[].score" {
			return fmt.Errorf("%s: null is not allowed here", path)
		}
	}
	if _, object := s.keys[pattern]; object || pattern == "rules" {
		return fmt.Errorf("%s: must be an object", pathOrRecord(path))
	}
	return nil
}

// checkObject reads an object after its "{" and returns an error if its keys or values are wrong. The parameters are
// explained at checkValue.
func (s *keyChecker) checkObject(pattern, path string) error {
	var seen []string
	for s.decoder.More() {
		token, err := s.decoder.Token()
		if err != nil {
			return jsonError(err)
		}
		key, _ := token.(string)
		if slices.Contains(seen, key) {
			return fmt.Errorf("%s: the key %.40q appears twice", pathOrRecord(path), key)
		}
		if want := s.keys[pattern]; pattern != "rules" && !slices.Contains(want.must, key) &&
			!slices.Contains(want.may, key) {
			return fmt.Errorf("%s: the key %.40q is unknown", pathOrRecord(path), key)
		}
		if seen = append(seen, key); len(seen) > maxRules {
			return fmt.Errorf("%s: there are too many keys", pathOrRecord(path))
		}
		if err := s.checkValue(joinPath(pattern, key), joinPath(path, key)); err != nil {
			return err
		}
	}
	for _, key := range s.keys[pattern].must {
		if !slices.Contains(seen, key) {
			return fmt.Errorf("%s: the key %q is missing", pathOrRecord(path), key)
		}
	}
	_, err := s.decoder.Token()
	return err
}

// checkArray reads an array after its "[" and returns an error if its values are wrong. The parameters are explained at
// checkValue.
func (s *keyChecker) checkArray(pattern, path string) error {
	if strings.Count(pattern, "[]") > 1 {
		return fmt.Errorf("%s: a list is not allowed here", path)
	}
	for i := 0; s.decoder.More(); i++ {
		if err := s.checkValue(pattern+"[]", fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	_, err := s.decoder.Token()
	return err
}

// joinPath returns the path of the value with this key in the object at path.
func joinPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// pathOrRecord returns path, or "record" if it is empty.
func pathOrRecord(path string) string {
	if path == "" {
		return "record"
	}
	return path
}

// ReadLines reads and verifies records, one in each line of r. It calls onRecord with each record without a fault, and
// onFault with every fault; line is the number of the line, from 1. Blank lines are skipped. A file without records is
// a fault at line 0. records is the number of lines that are not blank. err is only set if r cannot be read. known
// lists the games that records may be of; solutions caches perfect play, and if it is nil such play is not checked.
func ReadLines(r io.Reader, known []games.Game, solutions *Solutions, onRecord func(line int, r Record),
	onFault func(line int, f Fault)) (records int, err error) {
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
			onFault(number, newFault("%s", strings.ToUpper(err.Error()[:1])+err.Error()[1:]))
			continue
		}
		faults := Verify(rec, known, solutions)
		for _, fault := range faults {
			onFault(number, fault)
		}
		if len(faults) == 0 {
			onRecord(number, rec)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		onFault(number+1, newFault("A record has at most %d bytes", MaxBytes))
		return records + 1, nil
	case err != nil:
		return records, fmt.Errorf("read records: %w", err)
	case records == 0:
		onFault(0, newFault("There is no record in this file"))
	}
	return records, nil
}
