package engine

// The address of a database.

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	// connectWithin is the timeout of a connection attempt, unless the address sets connect_timeout.
	connectWithin = 5 * time.Second
	// maxConns is the largest number of connections, unless the address sets pool_max_conns.
	maxConns = 8
	// askWithin is the timeout of a question about the database itself.
	askWithin = 10 * time.Second
)

// IsServer reports whether the name of a database is meant as an address, which may hold a password, and not as a file.
func IsServer(name string) bool {
	return strings.Contains(name, "://") || strings.Contains(name, "password=") || strings.HasPrefix(name, "host=")
}

// errAddress does not quote the address: a password may be anywhere in it.
var errAddress = errors.New("the address of the database cannot be read: give " +
	"postgres://name:password@host:port/database, with %XX for what is no letter or digit in the password")

// readable returns the parts of an address. It refuses one whose password may be in another part.
func readable(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || !strings.HasPrefix(address, u.Scheme+"://") {
		return nil, errAddress
	}
	_, behind, _ := strings.Cut(strings.TrimPrefix(address, u.Scheme+"://"), "@")
	if u.User == nil && strings.Contains(address, "@") || strings.Contains(behind, "@") {
		return nil, errAddress
	}
	return u, nil
}

// Shown returns an address without the password and the parameters, or nothing if it cannot be read.
func Shown(address string) string {
	u, err := readable(address)
	if err != nil {
		return "postgres://…"
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		shown.User = url.User(name)
	}
	if schema := u.Query().Get("search_path"); schema != "" {
		shown.RawQuery = url.Values{"search_path": {schema}}.Encode()
	}
	return shown.String()
}

// parse reads an address. Its errors do not quote it, because of the password.
func parse(address string) (config *pgxpool.Config, name string, err error) {
	u, err := readable(address)
	if err != nil {
		return nil, "", err
	}
	name = Shown(address)
	config, err = pgxpool.ParseConfig(address)
	if err != nil {
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			err = inner // those around the innermost repeat the address
		}
		return nil, "", fmt.Errorf("the address of the database %s: %w", name, err)
	}
	said := u.Query()
	if !said.Has("pool_max_conns") {
		config.MaxConns = maxConns
	}
	if !said.Has("connect_timeout") {
		config.ConnConfig.ConnectTimeout = connectWithin
	}
	if !said.Has("application_name") {
		config.ConnConfig.RuntimeParams["application_name"] = "knobel"
	}
	return config, name, nil
}

// unheard is how long a connection has to be idle before it is checked.
const unheard = time.Second

// isInDoubt reports whether the server is pinged on a connection before it is used. After a pause that would cost a
// press one more round trip; a closed connection is seen without asking, unless the network has held it back.
func isInDoubt(_ context.Context, p stdlib.ShouldPingParams) bool {
	return p.IdleDuration > unheard && !isSilent(p.Conn.PgConn().Conn())
}

// oneLine is an error whose text is one line.
type oneLine struct{ error }

func (e oneLine) Error() string {
	return strings.Join(strings.FieldsFunc(e.error.Error(), func(r rune) bool { return r == '\n' || r == '\t' }), "; ")
}
func (e oneLine) Unwrap() error { return e.error }
