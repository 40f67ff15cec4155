package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/store"
)

// Long work prints a line per minute, or updates one line on a terminal.
func TestLongWorkShowsHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var errs, bar bytes.Buffer
		p, end := world{err: &errs}.progress("verify a")
		drawn, endBar := world{err: &errs, bar: &bar}.progress("verify b")
		for n := range int64(4) {
			p.set(25*n, 100)
			drawn.set(25*n, 100)
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		end()
		endBar()
		time.Sleep(time.Hour)
		if got := p.stateText(); got != "after 75 of 100" {
			t.Errorf("it came %s", got)
		}
		const want = "verify a: for 1m0s\nverify a: 25 of 100, 25 %, 6m0s left\n" +
			"verify a: 50 of 100, 50 %, 3m0s left\n" +
			"verify a: 75 of 100, 75 %, 1m20s left\n"
		if errs.String() != want {
			t.Errorf("it says:\n%s", errs.String())
		}
		for _, want := range []string{"verify b: for 0s", "25 of 100, 25 %", "75 of 100, 75 %", "3m0s left"} {
			if !strings.Contains(bar.String(), want) {
				t.Errorf("the terminal never shows %q: %q", want, bar.String())
			}
		}
		if frames := strings.Split(bar.String(), "\r"); frames[len(frames)-1] != "\x1b[K" {
			t.Errorf("the bar stays: %q", frames[len(frames)-1])
		}
	})
}

// stopping is a writer that calls cancel once a certain text is written, like a user who presses Ctrl-C.
type stopping struct {
	mu     sync.Mutex
	said   bytes.Buffer
	at     string
	cancel context.CancelFunc
}

func (s *stopping) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.said.Write(p)
	if strings.Contains(s.said.String(), s.at) {
		s.cancel()
	}
	return n, err
}

func (s *stopping) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

// Ctrl-C ends a command with a special exit code, after it has printed its results so far.
func TestStoppedCommandsTellWhatTheyHave(t *testing.T) {
	folder := t.TempDir()
	records := filepath.Join(folder, "records")
	copied, db := filepath.Join(folder, "copy"), filepath.Join(folder, "knobel.db")
	whole, wrong := filepath.Join(folder, "whole"), filepath.Join(folder, "wrong")
	for _, file := range []string{db, whole, wrong} {
		if st, err := store.Open(t.Context(), file); err != nil || st.Close() != nil {
			t.Fatalf("there is no database: %v", err)
		}
	}
	executeSQL(t, wrong, `INSERT INTO postings (id, chat, unit, kind, at) VALUES (1, 'c', 'chips', 'payment', 0)`)
	for _, c := range []struct {
		args          []string
		at            string // the text at which to stop, on the terminal or in the output
		tells, reason string
	}{
		{[]string{"simulate", "shutbox", "--seats", "house:random,house:random", "--games", "1000000000", "--records",
			records}, " %, ", "games of shutbox, seed ", "of 1000000000 games"},
		{[]string{"verify", "-"}, "-:3: ", "-:2: ", "stopped after 0 good records and "},
		{[]string{"review", "-"}, "-:3: ", "", "stopped after 0 games"},
		{[]string{"solve", "maxi-yatzy"}, "solve maxi-yatzy", "", ", without a result"},
		{[]string{"backup", copied}, "backup", "", "; no backup was made"},
		{[]string{"restore", "--force", whole}, "checking", "", "stopped after 0 tables; nothing was changed"},
		{[]string{"doctor", "--mend"}, "comparing", "", "stopped after 0 chats; nothing was changed"},
		{[]string{"doctor"}, "checking the balances", "database ", "problems so far"},
		{[]string{"doctor"}, "ok     version: knobel", "", "knobel: stopped; 0 problems so far"},
		{[]string{"doctor", "--db", wrong}, "FAIL", "contradict each other",
			"knobel: stopped; 3 problems so far"},
		{[]string{"doctor", "--mend"}, "", "", "knobel: stopped; nothing was changed"},
		{[]string{"restore", "--force", whole}, "", "", "knobel: stopped after 0 tables; nothing was changed"},
		{[]string{"move", db, copied}, "", "", "knobel: stopped; nothing was changed"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		told := &stopping{at: c.at, cancel: cancel}
		if c.at == "" { // stop before it begins
			cancel()
		}
		w := worldOf(told, told, map[string]string{"KNOBEL_DB": db})
		w.in, w.bar = endless{ctx}, told
		if code := run(ctx, w, c.args); code != exitStopped {
			t.Errorf("%q ends with %d: %s", c.args, code, told.String())
		}
		cancel()
		if said := told.String(); !strings.Contains(said, c.tells) || !strings.Contains(said, c.reason) {
			t.Errorf("%q says %s", c.args, said)
		}
	}
	if whole, err := os.ReadFile(records); err != nil || len(whole) == 0 || whole[len(whole)-1] != '\n' {
		t.Errorf("the records are not whole: %v", err)
	}
	for _, file := range []string{copied, db + ".restoring-", db + "*.aside"} {
		if left, err := filepath.Glob(file + "*"); err != nil || len(left) > 0 {
			t.Errorf("there are left %q", left)
		}
	}
}

// endless is a file of unreadable records that ends only with ctx: without that, a stopped command would keep reading
// in the background of later tests.
type endless struct{ ctx context.Context }

func (e endless) Read(p []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, io.EOF
	}
	copy(p, "x\n")
	return 2, nil
}
