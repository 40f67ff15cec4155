package store

// Encryption of columns. If the operator has given a key, names are stored encrypted (sealed), and so are the ids of
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

// Sealer encrypts texts. It is safe for concurrent use.
type Sealer interface {
	// Seal returns the encrypted text, without colons, always the same for a text and a purpose.
	Seal(text, purpose string) (string, error)
	// Open returns the text that was sealed with the same key and purpose, or an error.
	Open(sealed, purpose string) (string, error)
}

type (
	// sealedID is an id of a person, a chat, a place, a message or an update: the platform's name, a colon and a part
	// that is encrypted. "house:<strategy>" identifies no person and stays readable.
	sealedID string
	// sealedName is a person's name, or another text that identifies people. All of it is encrypted.
	sealedName string
	// sealedAccount is the name of an account. In that of a player the id is encrypted.
	sealedAccount string
	// sealedSeed is the seed of a table, sealedWord the luck word of a seat, sealedSecret the value of a setting. All
	// of it is encrypted.
	sealedSeed   []byte
	sealedWord   string
	sealedSecret string
)

// contents maps each type of encrypted texts to its kind of content.
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

// collectIDs returns the decrypted ids in the only column of a query.
func collectIDs(tx *Tx, o operation, query string, args ...any) ([]string, error) {
	return collectBy(tx, o, func(id *string) []any { return []any{(*sealedID)(id)} }, query, args...)
}

// converter encrypts and decrypts values of the sealed types; it is an engine.Converter. It caches texts, because each
// button press needs the ids and names of the people at a table.
type converter struct {
	by    Sealer // nil: texts are stored as they are
	mu    *sync.Mutex
	known map[conversion]string
}

// conversion is a text of one kind of content, to be encrypted or, with opens, to be decrypted. It is a key of the cache.
type conversion struct {
	content
	text  string
	opens bool
}

// maxRemembered is the largest number of cached texts. A full cache is emptied.
const maxRemembered = 8192

func newConverter(by Sealer) converter {
	return converter{by: by, mu: &sync.Mutex{}, known: map[conversion]string{}}
}

// convert returns the text of a lookup, encrypted or decrypted, from the cache if it is there.
func (c converter) convert(of conversion) (string, error) {
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
	text, err := of.convert(c.by, work, of.text)
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

// Encode returns an argument as the driver takes it, encrypted, and true, if it is of a sealed type; otherwise nil and
// false.
func (c converter) Encode(arg any) (driver.Value, bool, error) {
	holds, is := contents[reflect.TypeOf(arg)]
	if !is {
		return nil, false, nil
	}
	if seed, is := arg.(sealedSeed); is {
		text, err := c.convert(conversion{isSeed, string(seed), false})
		return []byte(text), true, err
	}
	text, err := c.convert(conversion{holds, reflect.ValueOf(arg).String(), false})
	return text, true, err
}

// Into returns a variable for Scan in place of a pointer to a sealed type: it decrypts the column. It returns any other
// variable itself.
func (c converter) Into(variable any) any {
	switch variable.(type) {
	case *string, *int64, *int, *bool, *[]byte:
		return variable // frequent types need no reflection
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

// opening is a sql.Scanner that decrypts a column into a variable of a sealed type. The column of a seed holds bytes,
// all others texts.
type opening struct {
	by    converter
	holds content
	into  reflect.Value
}

// Scan decrypts the value of a column into the variable.
func (o opening) Scan(value any) error {
	sealed, is := value.(string)
	if bytes, seed := value.([]byte); o.holds == isSeed && (seed || value == nil) {
		sealed, is = string(bytes), true
	}
	if !is {
		return fmt.Errorf("a %T is no sealed text", value)
	}
	text, err := o.by.convert(conversion{o.holds, sealed, true})
	if o.holds != isSeed {
		o.into.SetString(text)
	} else {
		o.into.SetBytes(append([]byte(nil), text...)) // nil if it is empty
	}
	return err
}
