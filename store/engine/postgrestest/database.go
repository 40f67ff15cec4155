package postgrestest

// Databases for tests.

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"knobel/bot/fakes"
)

// exec runs a statement in the database called database, on a new connection.
func (s *Server) exec(database, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), fakes.Patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.Address(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// Database creates a database, which is deleted when the test ends, and returns its name. It is empty or, unless
// template is "", a copy of the database template, to which nothing may be connected.
func (s *Server) Database(tb testing.TB, template string) string {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	name := fmt.Sprintf("test%d", s.made)
	statement := "CREATE DATABASE " + name
	if template != "" {
		statement += " TEMPLATE " + template
	}
	if err := s.exec("postgres", statement); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if s.gone.Load() {
			return // the server is down, and its folder is deleted with all databases
		}
		if err := s.exec("postgres", "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			tb.Error(err)
		}
	})
	return name
}

// Template creates a database called name, to be copied by Database, and calls fill with its address.
func (s *Server) Template(name string, fill func(address string) error) error {
	if err := s.exec("postgres", "CREATE DATABASE "+name); err != nil {
		return err
	}
	return fill(s.Address(name))
}
