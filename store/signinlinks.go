package store

// SaveWay keeps a link of its owner's own, in place of the one before. Owner and
// code are fingerprints, and sealed is opened by nothing that is stored.
func (tx Chats) SaveWay(owner, code, sealed string) error {
	err := tx.run(`
		INSERT INTO ways (owner, code, sealed) VALUES ($1, $2, $3)
		ON CONFLICT (owner) DO UPDATE SET code = excluded.code, sealed = excluded.sealed`, owner, code, sealed)
	return wrapped(err, "save a link")
}

// RenewWay changes what the owner's link leads to, if it has this code still: one
// that was revoked, or has made room for another, does not come back.
func (tx Chats) RenewWay(owner, code, sealed string) error {
	return wrapped(tx.run(`UPDATE ways SET sealed = $3 WHERE owner = $1 AND code = $2`, owner, code, sealed),
		"renew a link")
}

// Way returns what a link leads to, "" where none has this code.
func (tx Chats) Way(code string) (sealed string, err error) {
	err = tx.get(`SELECT sealed FROM ways WHERE code = $1`, []any{code}, &sealed)
	return sealed, wrapped(orNone(err), "read a link")
}

// DropWay takes the owner's link away, if they have one.
func (tx Chats) DropWay(owner string) error {
	return wrapped(tx.run(`DELETE FROM ways WHERE owner = $1`, owner), "drop a link")
}
