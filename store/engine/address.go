package engine

// Addresses of PostgreSQL databases: parsing, defaults, and showing them without the password.

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
	// connectTimeout is the timeout of a connection attempt, unless the address sets connect_timeout.
	connectTimeout = 5 * time.Second
	// maxConns is the largest number of connections for changes and views, unless the address sets pool_max_conns.
	maxConns = 8
	// queryTimeout is the timeout of a short query outside of changes and views, such as one for the database's size.
	queryTimeout = 10 * time.Second
)

// IsServer reports whether name is the address of a PostgreSQL database (which may hold a password), not a file name.
func IsServer(name string) bool {
	return strings.Contains(name, "://") || strings.Contains(name, "password=") || strings.HasPrefix(name, "host=")
}

// errAddress is the error for an address that cannot be parsed. Its text omits the address, which may hold a password.
var errAddress = errors.New("the database URL cannot be read: use " +
	"postgres://name:password@host:port/database, with %XX for special characters in the password")

// parseURL parses address. It returns errAddress if address is not a URL of PostgreSQL, or has an @ in a wrong place,
// which may put a part of the password into another part of the URL.
func parseURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || !strings.HasPrefix(address, u.Scheme+"://") {
		return nil, errAddress
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(address, u.Scheme+"://"), "@")
	if u.User == nil && strings.Contains(address, "@") || strings.Contains(rest, "@") {
		return nil, errAddress
	}
	return u, nil
}

// Shown returns address without its password and with no parameter but search_path. If address cannot be parsed, Shown
// returns "postgres://…".
func Shown(address string) string {
	u, err := parseURL(address)
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

// parseAddress returns the connection settings of address, with Knobel's defaults where address sets none. name is
// address without its password. The errors do not quote address, because of the password.
func parseAddress(address string) (config *pgxpool.Config, name string, err error) {
	u, err := parseURL(address)
	if err != nil {
		return nil, "", err
	}
	name = Shown(address)
	config, err = pgxpool.ParseConfig(address)
	if err != nil {
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			err = inner // the outer errors repeat the address
		}
		return nil, "", fmt.Errorf("database URL %s: %w", name, err)
	}
	parameters := u.Query()
	if !parameters.Has("pool_max_conns") {
		config.MaxConns = maxConns
	}
	if !parameters.Has("connect_timeout") {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if !parameters.Has("application_name") {
		config.ConnConfig.RuntimeParams["application_name"] = "knobel"
	}
	return config, name, nil
}

// maxUnchecked is the idle time after which a connection is checked before its next use.
const maxUnchecked = time.Second

// needsPing reports whether a connection has to be pinged before its next use, because it was idle for longer than
// maxUnchecked and is closed or has unread bytes. Pinging every idle connection would cost a round trip each. needsPing
// does not notice a broken connection that the network has not reported yet.
func needsPing(_ context.Context, p stdlib.ShouldPingParams) bool {
	return p.IdleDuration > maxUnchecked && !isSilent(p.Conn.PgConn().Conn())
}

// oneLine is an error whose text is in one line: line breaks and tabs are replaced by "; ".
type oneLine struct{ error }

func (e oneLine) Error() string {
	return strings.Join(strings.FieldsFunc(e.error.Error(), func(r rune) bool { return r == '\n' || r == '\t' }), "; ")
}
func (e oneLine) Unwrap() error { return e.error }
