package engine

// What the address of a database says.

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
	// connectWithin is how long making a connection may take, unless the address says connect_timeout.
	connectWithin = 5 * time.Second
	// maxConns is how many connections there are at most, unless the address says pool_max_conns.
	maxConns = 8
	// askWithin is how long a question about the database itself may take.
	askWithin = 10 * time.Second
)

// IsServer reports whether the name of a database is an address, or meant to be one, and no file: whatever may hold a
// password.
func IsServer(name string) bool {
	return strings.Contains(name, "://") || strings.Contains(name, "password=") || strings.HasPrefix(name, "host=")
}

// errAddress does not show what was read: a password may stand anywhere in it.
var errAddress = errors.New("the address of the database cannot be read: give " +
	"postgres://name:password@host:port/database, with %XX for what is no letter or digit in the password")

// readable returns the parts of an address. One in which a password may have gone elsewhere is refused.
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

// Shown is an address without the password and whatever else is said behind it; of one that cannot be read nothing is
// shown.
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

// parse reads an address. Errors do not hold it: there is a password in it.
func parse(address string) (config *pgxpool.Config, name string, err error) {
	u, err := readable(address)
	if err != nil {
		return nil, "", err
	}
	name = Shown(address)
	config, err = pgxpool.ParseConfig(address)
	if err != nil {
		return nil, "", fmt.Errorf("the address of the database %s: %w", name, cause(err))
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

// unheard is how long a connection has to be out of use before it is in doubt.
const unheard = time.Second

// isInDoubt reports whether the server is asked for a sign of life on a connection before it is used. A press that
// comes after a quiet while would wait for that once more than others, over a network that is slow; the end of a
// connection is seen without asking, unless the network has kept it back.
func isInDoubt(_ context.Context, p stdlib.ShouldPingParams) bool {
	return p.IdleDuration > unheard && !isSilent(p.Conn.PgConn().Conn())
}

// oneLine is an error whose text is one line.
type oneLine struct{ error }

func (e oneLine) Error() string {
	return strings.Join(strings.FieldsFunc(e.error.Error(), func(r rune) bool { return r == '\n' || r == '\t' }), "; ")
}
func (e oneLine) Unwrap() error { return e.error }

// cause is the innermost error: those around it repeat the address.
func cause(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}
