package store

// Who somebody is stands in the database sealed, where the operator has given a
// key: names, and the ids that platforms know people, chats, places, messages
// and updates by. This is the boundary, and it goes by types. A statement's
// argument that is such a text is passed as sealedID, sealedName or
// sealedAccount, and a column that holds one is read into a pointer to that
// type:
//
//	tx.get(`SELECT name FROM players WHERE id = $1`, []any{sealedID(id)}, (*sealedName)(&p.Name))
//
// Without a key these are the texts themselves. The same text is always sealed
// alike, so that look-ups, joins, UNIQUE and foreign keys go on sealed texts as
// they do on others; what SQL cannot do is look into them, or put them in
// order. Of an id the platform's name and the colon stay readable, of an account
// "player:". The empty text stays empty, and NULL is NULL.
//
// So do the secrets: the seeds and words that the dice are made of, and those of the
// installation. A database that was sealed by a version that left these open has them
// sealed when it is opened, see secrets.go.
//
// A new column of text is listed in columns.go, or in columns_test.go: a test fails on one that is not.

// Sealer seals texts so that the database alone does not give them away. It is safe for concurrent
// use.
type Sealer interface {
	// Seal returns a text without colons that only Open with the same key and
	// purpose turns back. The same text and purpose are always sealed alike.
	Seal(text, purpose string) (string, error)
	// Open returns what was sealed, or an error for what was not sealed with
	// this key for this purpose.
	Open(sealed, purpose string) (string, error)
}

type (
	// sealedID is an id of a person, a chat, a place, a message or an update: the platform's name,
	// a colon and the sealed part. "house:<strategy>", in columns that may hold it, identifies no
	// person and is not sealed.
	sealedID string
	// sealedName is a person's name, or another text that identifies people, such as JSON with ids
	// in it: sealed as a whole.
	sealedName string
	// sealedAccount is the name of an account: of a player's the id is sealed.
	sealedAccount string
	// sealedSeed is the seed of a table, sealedWord a seat's luck word, sealedSecret
	// a setting of the installation: sealed as a whole.
	sealedSeed   []byte
	sealedWord   string
	sealedSecret string
)

const (
	ofPlayer = "player:" // begins the account of a player
	ofHouse  = "house:"  // begins the account of a house strategy
)

// idOrNull is an argument: NULL for no id.
func idOrNull(id string) any {
	if id == "" {
		return nil
	}
	return sealedID(id)
}

// collectIDs returns the ids of a query's only column.
func collectIDs(tx *Tx, query string, args ...any) ([]string, error) {
	ids, err := collect[sealedID](tx, query, args...)
	return plain(ids), err
}

func plain[T ~string](opened []T) []string {
	all := make([]string, len(opened))
	for i, text := range opened {
		all[i] = string(text)
	}
	return all
}
