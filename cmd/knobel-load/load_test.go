package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	code, out, complained := typed(t, nil, nil, "load", "--program", build(t), "--chats", "20", "--for", "3s", "--rate", "2", "--json")
	if code != 0 {
		t.Fatalf("ends with %d: %s", code, complained)
	}
	var b borne
	if err := json.Unmarshal([]byte(out), &b); err != nil {
		t.Fatal(err)
	}
	if b.Chats != 20 || b.Presses == 0 || 2*b.Lost > b.Presses || b.Busy > 0 || b.Violations > 0 || b.Drawn == 0 || b.CPU <= 0 || b.P50 <= 0 || b.P99 < b.P50 {
		t.Errorf("%+v", b)
	}
}

func TestLoadIsToldWhatToDo(t *testing.T) {
	for args, says := range map[string]string{
		"--chats 0":   "give at least one chat",
		"--on matrix": `no platform "matrix": choose discord or telegram`,
		"--rate -1":   "a rate and a time above 0",
	} {
		code, _, complained := typed(t, nil, nil, append([]string{"load"}, strings.Fields(args)...)...)
		if code == 0 || !strings.Contains(complained, says) {
			t.Errorf("%s: ends with %d and %q", args, code, complained)
		}
	}
	if _, out, _ := typed(t, nil, nil, "--help"); strings.Contains(out, "\n  load ") {
		t.Error("load stands in the help")
	}
}
