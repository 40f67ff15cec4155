package store

// How the values of statements are sealed and opened, for one connection.

import (
	"database/sql/driver"
	"fmt"
)

// converter seals and opens for one connection. It remembers what it has sealed and
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

// Decode is as of engine.Converter, for the sealed types.
func (c converter) Decode(value driver.Value, into any) (ok bool, err error) {
	var text *string
	var holds content
	switch into := into.(type) {
	case *sealedID:
		text, holds = (*string)(into), isID
	case *sealedName:
		text, holds = (*string)(into), isName
	case *sealedAccount:
		text, holds = (*string)(into), isAccount
	case *sealedWord:
		text, holds = (*string)(into), isWord
	case *sealedSecret:
		text, holds = (*string)(into), isSecret
	case *sealedSeed:
		sealed, _ := value.([]byte) // the driver has NULL for an empty one
		seed, err := isSeed.open(c.by, string(sealed))
		*into = []byte(seed)
		return true, err
	default:
		return false, nil
	}
	sealed, isText := value.(string)
	if !isText {
		return true, fmt.Errorf("a %T is no sealed text", value)
	}
	*text, err = holds.open(c.by, sealed)
	return true, err
}

// maxRemembered is how many texts a connection remembers each way.
const maxRemembered = 4096

// remembering is a Sealer for one connection that remembers what it has sealed
// and opened lately: the people of a table and its place come at every press.
type remembering struct {
	by            Sealer
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
	return lookUp(r.sealed, purposeful{text, purpose}, r.by.Seal)
}

// Open is as of the Sealer.
func (r *remembering) Open(sealed, purpose string) (string, error) {
	return lookUp(r.opens, purposeful{sealed, purpose}, r.by.Open)
}

func lookUp(known map[purposeful]string, of purposeful, work func(string, string) (string, error)) (string, error) {
	if text, ok := known[of]; ok {
		return text, nil
	}
	text, err := work(of.text, of.purpose)
	if err != nil {
		return "", err
	}
	if len(known) >= maxRemembered {
		clear(known)
	}
	known[of] = text
	return text, nil
}
