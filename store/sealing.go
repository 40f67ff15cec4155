package store

// Encryption of columns. If the operator has given a key, names are stored encrypted (sealed), like the ids of
// people, chats, places, messages and updates. The Go type of an argument or variable says so: an argument of a
// statement is passed as sealedID, sealedName or sealedAccount, and a column is read into a pointer to that type:
//
//	tx.get(`SELECT name FROM players WHERE id = $1`, []any{sealedID(id)}, (*sealedName)(&p.Name))
//
// Without a key the texts are stored as they are. Equal texts are always encrypted to equal texts, so look-ups, joins,
// UNIQUE and foreign keys work, but SQL can neither order texts nor read their parts. The platform's name and the colon
// of an id stay readable, and so does "player:" in the name of an account. The empty text stays empty, and NULL is
// NULL.
//
// Secrets are encrypted as well: the seeds and words that the dice are made of, and the settings of the installation.
// Older versions stored them in plain text; they are encrypted when the database is opened, see secrets.go.
//
// A new column of text must be listed in columns.go or testdata/columns.txt: a test fails for a column that is missing.

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"sync"
)

// Sealer encrypts texts with one key. It is safe for concurrent use.
type Sealer interface {
	// Seal returns text encrypted for a purpose, such as "name". The result has no colons. For the same text and
	// purpose it is always the same.
	Seal(text, purpose string) (string, error)
	// Open returns the text from which Seal has made sealed, with the same key and purpose, or an error.
	Open(sealed, purpose string) (string, error)
}

type (
	// sealedID is an id of a person, a chat, a place, a message or an update: the platform's name, a colon and a part
	// that is encrypted. "house:<strategy>" identifies no person and stays readable.
	sealedID string
	// sealedName is a person's name, or another text that identifies people. All of it is encrypted.
	sealedName string
	// sealedAccount is the name of an account. Only the id of a player in it is encrypted.
	sealedAccount string
	// sealedSeed is the seed of a table, sealedWord the luck word of a seat, sealedSecret the value of a setting. All
	// of it is encrypted.
	sealedSeed   []byte
	sealedWord   string
	sealedSecret string
)

// contents maps each sealed type to its kind of content.
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
	ofHouse  = "house:"  // begins the account of a computer player's strategy
)

// collectIDs returns the ids, decrypted, from all rows of a query with one column. o describes the query in errors.
func collectIDs(tx *Tx, o operation, query string, args ...any) ([]string, error) {
	return collectBy(tx, o, func(id *string) []any { return []any{(*sealedID)(id)} }, query, args...)
}

// converter encrypts and decrypts values of the sealed types; it is an engine.Converter. It keeps results in a cache,
// because each button press needs the ids and names of the people at a table.
type converter struct {
	key   Sealer // nil: texts are stored as they are
	mu    *sync.Mutex
	known map[conversion]string // the cached results
}

// conversion is a text to be encrypted or decrypted, with its kind of content. It is a key of the cache.
type conversion struct {
	content
	text     string
	decrypts bool // false: it has to be encrypted
}

// maxRemembered is the largest number of cached texts. A full cache is emptied.
const maxRemembered = 8192

// newConverter returns a converter with an empty cache. A nil key means plain text.
func newConverter(key Sealer) converter {
	return converter{key: key, mu: &sync.Mutex{}, known: map[conversion]string{}}
}

// convert returns the encrypted or decrypted text of the conversion wanted, from the cache if possible.
func (c converter) convert(wanted conversion) (string, error) {
	if c.key == nil {
		return wanted.text, nil
	}
	c.mu.Lock()
	text, ok := c.known[wanted]
	c.mu.Unlock()
	if ok {
		return text, nil
	}
	do := Sealer.Seal
	if wanted.decrypts {
		do = Sealer.Open
	}
	text, err := wanted.convert(c.key, do, wanted.text)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxRemembered {
		clear(c.known)
	}
	c.known[wanted] = text
	return text, nil
}

// Encode returns arg encrypted, as a value for the database driver, and true, if arg has a sealed type. Otherwise it
// returns nil and false.
func (c converter) Encode(arg any) (driver.Value, bool, error) {
	holds, isSealed := contents[reflect.TypeOf(arg)]
	if !isSealed {
		return nil, false, nil
	}
	if seed, isSeedType := arg.(sealedSeed); isSeedType {
		text, err := c.convert(conversion{isSeed, string(seed), false})
		return []byte(text), true, err
	}
	text, err := c.convert(conversion{holds, reflect.ValueOf(arg).String(), false})
	return text, true, err
}

// Into returns a sql.Scanner that decrypts a column into variable, if variable is a pointer to a sealed type. Otherwise
// it returns variable itself.
func (c converter) Into(variable any) any {
	switch variable.(type) {
	case *string, *int64, *int, *bool, *[]byte:
		return variable // frequent types need no reflection
	}
	pointer := reflect.ValueOf(variable)
	if pointer.Kind() != reflect.Pointer {
		return variable
	}
	holds, isSealed := contents[pointer.Type().Elem()]
	if !isSealed {
		return variable
	}
	return decrypter{c, holds, pointer.Elem()}
}

// decrypter is a sql.Scanner that decrypts a column into a variable of a sealed type. A column of seeds holds bytes,
// any other column texts.
type decrypter struct {
	converter converter
	holds     content
	variable  reflect.Value
}

// Scan decrypts the value of a column into the variable.
func (d decrypter) Scan(value any) error {
	sealed, ok := value.(string)
	if bytes, isBytes := value.([]byte); d.holds == isSeed && (isBytes || value == nil) {
		sealed, ok = string(bytes), true
	}
	if !ok {
		return fmt.Errorf("%T is not encrypted text", value)
	}
	text, err := d.converter.convert(conversion{d.holds, sealed, true})
	if d.holds != isSeed {
		d.variable.SetString(text)
	} else {
		d.variable.SetBytes(append([]byte(nil), text...)) // nil if it is empty
	}
	return err
}
