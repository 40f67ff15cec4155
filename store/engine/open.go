package engine

// Opening a database by its name.

import "context"

// Open opens the database of a name, a file or the address of a database on a server, and brings its schema up to date;
// a missing file is created. It refuses a newer version's database, one that another instance uses, one that the store
// does not accept and any other file, in a sentence for the operator, and leaves these as they were.
func Open(ctx context.Context, name string, o Options) (DB, error) {
	if IsServer(name) {
		return newServer(ctx, name, o, false)
	}
	return newFile(ctx, name, o, true)
}

// OpenReadOnly opens an existing database, a file also while another instance uses it. It changes nothing in it and
// refuses one whose schema is not this version's.
func OpenReadOnly(ctx context.Context, name string, o Options) (DB, error) {
	if IsServer(name) {
		return newServer(ctx, name, o, true)
	}
	return readFile(ctx, name, o)
}

// OpenOffline brings an unused database up to date, and keeps others away while use runs.
func OpenOffline(ctx context.Context, name string, o Options, use func(Offline) error) error {
	if IsServer(name) {
		return offServer(ctx, name, o, use)
	}
	return offFile(ctx, name, o, use)
}
