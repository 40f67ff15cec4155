package store

// Encryption of columns. If the operator has given a key, names are stored sealed, and so are the ids of people, chats,
// places, messages and updates. A type says which: an argument of a statement is passed as sealedID, sealedName or
// sealedAccount, and a column is read into a pointer to that type:
//
//	tx.get(`SELECT name FROM players WHERE id = $1`, []any{sealedID(id)}, (*sealedName)(&p.Name))
//
// Without a key the texts are stored as they are. The same text is always sealed alike, so look-ups, joins, UNIQUE and
// foreign keys work on sealed texts, but SQL can neither order them nor see their parts. The platform's name and the
// colon of an id stay readable, and "player:" of an account. The empty text stays empty, and NULL is NULL.
//
// Secrets are sealed, too: the seeds and words that the dice are made of, and those of the installation. Older versions
// left them open; they are sealed when the database is opened, see secrets.go.
//
// A new column of text is listed in columns.go or testdata/columns.txt: a test fails on one that is not.

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"sync"
)

// Sealer encrypts texts. It is safe for concurrent use.
type Sealer interface {
	// Seal returns the encrypted text, without colons, always the same for a text and a purpose.
	Seal(text, purpose string) (string, error)
	// Open returns the text that was sealed with the same key and purpose, or an error.
	Open(sealed, purpose string) (string, error)
}

type (
	// sealedID is an id of a person, a chat, a place, a message or an update: the platform's name, a colon and the
	// sealed part. "house:<strategy>" identifies no person and is not sealed.
	sealedID string
	// sealedName is a person's name, or another text that identifies people, sealed as a whole.
	sealedName string
	// sealedAccount is the name of an account: of a player's the id is sealed.
	sealedAccount string
	// sealedSeed is the seed of a table, sealedWord a seat's luck word, sealedSecret a setting: sealed as a whole.
	sealedSeed   []byte
	sealedWord   string
	sealedSecret string
)

// contents holds the sealed types.
var contents = map[reflect.Type]content{
	reflect.TypeFor[sealedID]():      isID,
	reflect.TypeFor[sealedName]():    isName,
	reflect.TypeFor[sealedAccount](): isAccount,
	reflect.TypeFor[sealedSeed]():    isSeed,
	reflect.TypeFor[sealedWord]():    isWord,
	reflect.TypeFor[sealedSecret]():  isSecret,
}

const (
	ofPlayer = "player:" // begins the account of a player
	ofHouse  = "house:"  // begins the account of a house strategy
)

// collectIDs returns the ids of a query's only column.
func collectIDs(tx *Tx, o operation, query string, args ...any) ([]string, error) {
	return collectBy(tx, o, func(id *string) []any { return []any{(*sealedID)(id)} }, query, args...)
}

// converter seals and opens values of the sealed types. It has a cache: each press seals and opens the people of a
// table and its place.
type converter struct {
	by    Sealer // nil: nothing is sealed
	mu    *sync.Mutex
	known map[lookup]string
}

// lookup is a text of a column, to be sealed or opened.
type lookup struct {
	content
	text  string
	opens bool
}

// maxRemembered is the number of cached texts.
const maxRemembered = 8192

func newConverter(by Sealer) converter {
	return converter{by: by, mu: &sync.Mutex{}, known: map[lookup]string{}}
}

// lookUp returns a text sealed or opened.
func (c converter) lookUp(of lookup) (string, error) {
	if c.by == nil {
		return of.text, nil
	}
	c.mu.Lock()
	text, ok := c.known[of]
	c.mu.Unlock()
	if ok {
		return text, nil
	}
	work := Sealer.Seal
	if of.opens {
		work = Sealer.Open
	}
	text, err := of.with(c.by, work, of.text)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxRemembered {
		clear(c.known)
	}
	c.known[of] = text
	return text, nil
}

// Encode is as of engine.Converter.
func (c converter) Encode(arg any) (driver.Value, bool, error) {
	holds, is := contents[reflect.TypeOf(arg)]
	if !is {
		return nil, false, nil
	}
	if seed, is := arg.(sealedSeed); is {
		text, err := c.lookUp(lookup{isSeed, string(seed), false})
		return []byte(text), true, err
	}
	text, err := c.lookUp(lookup{holds, reflect.ValueOf(arg).String(), false})
	return text, true, err
}

// Into is as of engine.Converter, for pointers to the sealed types.
func (c converter) Into(variable any) any {
	switch variable.(type) {
	case *string, *int64, *int, *bool, *[]byte:
		return variable // without a look at its type
	}
	pointer := reflect.ValueOf(variable)
	if pointer.Kind() != reflect.Pointer {
		return variable
	}
	holds, is := contents[pointer.Type().Elem()]
	if !is {
		return variable
	}
	return opening{c, holds, pointer.Elem()}
}

// opening is a sql.Scanner for a sealed text, or for a sealed seed, whose column holds bytes.
type opening struct {
	by    converter
	holds content
	into  reflect.Value
}

// Scan opens the value of a column.
func (o opening) Scan(value any) error {
	sealed, is := value.(string)
	if bytes, seed := value.([]byte); o.holds == isSeed && (seed || value == nil) {
		sealed, is = string(bytes), true
	}
	if !is {
		return fmt.Errorf("a %T is no sealed text", value)
	}
	text, err := o.by.lookUp(lookup{o.holds, sealed, true})
	if o.holds != isSeed {
		o.into.SetString(text)
	} else {
		o.into.SetBytes(append([]byte(nil), text...)) // nil if it is empty
	}
	return err
}
