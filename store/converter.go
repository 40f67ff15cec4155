package store

// How the values of statements are sealed and opened.

import (
	"database/sql/driver"
	"fmt"
	"sync"
)

// converter seals and opens. It remembers what it has sealed and
// opened lately: the people of a table and its place come at every press.
type converter struct{ by Sealer }

func newConverter(by Sealer) converter { return converter{rememberingOf(by)} }

// Encode is as of engine.Converter, for the sealed types.
func (c converter) Encode(arg any) (value driver.Value, ok bool, err error) {
	by := c.by
	switch x := arg.(type) {
	case sealedID:
		value, err = isID.seal(by, string(x))
	case sealedName:
		value, err = isName.seal(by, string(x))
	case sealedAccount:
		value, err = isAccount.seal(by, string(x))
	case sealedWord:
		value, err = isWord.seal(by, string(x))
	case sealedSecret:
		value, err = isSecret.seal(by, string(x))
	case sealedSeed:
		var sealed string
		sealed, err = isSeed.seal(by, string(x))
		value = []byte(sealed)
	default:
		return nil, false, nil
	}
	return value, true, err
}

// Into is as of engine.Converter, for the sealed types.
func (c converter) Into(variable any) any {
	switch into := variable.(type) {
	case *sealedID:
		return opening{by: c.by, holds: isID, text: (*string)(into)}
	case *sealedName:
		return opening{by: c.by, holds: isName, text: (*string)(into)}
	case *sealedAccount:
		return opening{by: c.by, holds: isAccount, text: (*string)(into)}
	case *sealedWord:
		return opening{by: c.by, holds: isWord, text: (*string)(into)}
	case *sealedSecret:
		return opening{by: c.by, holds: isSecret, text: (*string)(into)}
	case *sealedSeed:
		return opening{by: c.by, seed: into}
	}
	return variable
}

// opening is a sql.Scanner for a sealed text, or for a sealed seed, whose column holds bytes.
type opening struct {
	by    Sealer
	holds content
	text  *string
	seed  *sealedSeed
}

// Scan opens the value of a column.
func (o opening) Scan(value any) (err error) {
	if o.seed != nil {
		sealed, _ := value.([]byte) // NULL is an empty one
		seed, err := isSeed.open(o.by, string(sealed))
		*o.seed = []byte(seed)
		return err
	}
	sealed, ok := value.(string)
	if !ok {
		return fmt.Errorf("a %T is no sealed text", value)
	}
	*o.text, err = o.holds.open(o.by, sealed)
	return err
}

// maxRemembered is the number of cached texts each way.
const maxRemembered = 4096

// remembering is a Sealer that remembers what it has sealed
// and opened lately: the people of a table and its place come at every press.
type remembering struct {
	by            Sealer
	mu            sync.Mutex
	sealed, opens map[purposeful]string
}

// purposeful is a text with its purpose.
type purposeful struct{ text, purpose string }

// rememberingOf makes one of a key, nil of none.
func rememberingOf(by Sealer) Sealer {
	if by == nil {
		return nil
	}
	return &remembering{by: by, sealed: map[purposeful]string{}, opens: map[purposeful]string{}}
}

// Seal is as of the Sealer.
func (r *remembering) Seal(text, purpose string) (string, error) {
	return r.lookUp(r.sealed, purposeful{text, purpose}, r.by.Seal)
}

// Open is as of the Sealer.
func (r *remembering) Open(sealed, purpose string) (string, error) {
	return r.lookUp(r.opens, purposeful{sealed, purpose}, r.by.Open)
}

func (r *remembering) lookUp(
	known map[purposeful]string, of purposeful, work func(string, string) (string, error),
) (string, error) {
	r.mu.Lock()
	text, ok := known[of]
	r.mu.Unlock()
	if ok {
		return text, nil
	}
	text, err := work(of.text, of.purpose)
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(known) >= maxRemembered {
		clear(known)
	}
	known[of] = text
	return text, nil
}
