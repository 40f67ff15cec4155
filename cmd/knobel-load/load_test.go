package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// typed runs a command line and returns its output.
func typed(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	c := command()
	c.SetArgs(args)
	c.SetOut(&out)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestLoad(t *testing.T) {
	t.Parallel()
	out, err := typed(t, "--chats", "20", "--for", "1s", "--rate", "2", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var b result
	if err := json.Unmarshal([]byte(out), &b); err != nil {
		t.Fatal(err)
	}
	if b.Chats != 20 || b.Presses == 0 || 2*b.Lost > b.Presses || b.Busy > 0 || b.Violations > 0 || b.Drawn == 0 ||
		b.CPU <= 0 || b.P50 <= 0 || b.P99 < b.P50 {
		t.Errorf("%+v", b)
	}
}

func TestLoadIsToldWhatToDo(t *testing.T) {
	for args, says := range map[string]string{
		"--chats 0":   "use at least one chat",
		"--on matrix": `unknown platform "matrix": use discord or telegram`,
		"--rate -1":   "a rate and a time above 0",
	} {
		if out, err := typed(t, strings.Fields(args)...); err == nil || out != "" ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: ends with %q and %v", args, out, err)
		}
	}
}
