package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store/storetest"
)

// maxMemory is the maximum resident memory of a command in megabytes, for any size of the database.
const maxMemory = 200

// maxGrowth is the maximum growth of a command's private memory in megabytes for five times as many games. It is not 0,
// because the amount of garbage varies.
const maxGrowth = 8

// TestMemoryDoesNotGrowWithTheDatabase runs doctor on databases of different sizes, and moves them to a server and back
// to a file. The memory must not grow, with all games in one chat or in many, and stay limited with many games.
func TestMemoryDoesNotGrowWithTheDatabase(t *testing.T) {
	needs.Long(t)
	program := build(t)
	// The program keeps totals in memory, so there are few people, who have few totals.
	inOne := func(tables int) many { return many{tables, 1, 3} }
	inMany := func(tables int) many { return many{tables, tables / 20, tables / 10} }
	for _, test := range []struct {
		name  string
		sizes []int // the last one is the largest
		of    func(tables int) many
		moves bool
	}{
		{"doctor, one chat", []int{2_000, 10_000, 1_000_000}, inOne, false},
		{"doctor, many chats", []int{2_000, 10_000, 1_000_000}, inMany, false},
		{"moves", []int{1_000, 5_000, 100_000}, inOne, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before map[string]memory
			for _, tables := range test.sizes {
				var env []string
				if tables <= 10_000 {
					env = []string{"GOGC=20"} // with less garbage, fewer games suffice to show growth
				}
				used := test.of(tables).measured(t, program, env, test.moves)
				for command, m := range used {
					t.Logf("%d games: %s in %v", tables, command, m)
					if m.most > maxMemory {
						t.Errorf("%s takes %d MB with %d games", command, m.most, tables)
					}
					if more := m.own - before[command].own; env != nil && before != nil && more > maxGrowth {
						t.Errorf("%s takes %d MB more with %d games", command, more, tables)
					}
				}
				before = used
			}
		})
	}
}

// measured creates the database and returns the memory by command: doctor or, if moves, move to a server and back.
func (m many) measured(t *testing.T, program string, env []string, moves bool) map[string]memory {
	t.Helper()
	folder := t.TempDir()
	file, back := filepath.Join(folder, "knobel.db"), filepath.Join(folder, "back.db")
	m.fill(t, file)
	if !moves {
		return map[string]memory{"doctor": measure(t, program, env, "doctor", "--db", file)}
	}
	address := filepath.Join(folder, "address")
	writePrivate(t, address, []byte(storetest.OnServer(t)+"\n"))
	there := measure(t, program, env, "move", file, "@"+address)
	return map[string]memory{"move there": there, "move back": measure(t, program, env, "move", "@"+address, back)}
}

// memory is the peak memory of a process in megabytes: own is private, most includes mapped files, such as the program
// and the index of the write-ahead log.
type memory struct {
	own, most int
	took      time.Duration
}

func (m memory) String() string {
	return fmt.Sprintf("%d MB, %d MB of them its own, %v", m.most, m.own, m.took.Round(time.Second/10))
}

// measure runs a command and samples its memory, because the system reports a peak of the total only.
func measure(t *testing.T, program string, env []string, args ...string) (m memory) {
	t.Helper()
	run := exec.Command(program, args...)
	var said bytes.Buffer
	run.Env, run.Stdout, run.Stderr = append([]string{}, env...), &said, &said
	began := time.Now()
	check(t, run.Start())
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	looks := time.NewTicker(10 * time.Millisecond)
	defer looks.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("knobel %s: %v\n%s", strings.Join(args, " "), err, said.String())
			}
			if m.most == 0 {
				t.Fatalf("knobel %s has ended before its memory was looked at", strings.Join(args, " "))
			}
			m.took = time.Since(began)
			return m
		case <-looks.C:
			m.look(run.Process.Pid)
		}
	}
}

// look samples the memory of a process. It is a no-op if that has ended.
func (m *memory) look(pid int) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), " kB"), ":")
		kB, _ := strconv.Atoi(strings.TrimSpace(value))
		switch name {
		case "VmHWM":
			m.most = max(m.most, kB/1024)
		case "RssAnon":
			m.own = max(m.own, kB/1024)
		}
	}
}
