package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/web"
)

// elsewhere are variables that are not the program's own: of tests and of CI.
var elsewhere = []string{"KNOBEL_VULNDB", "KNOBEL_VULNDB_REQUIRED"}

// Whatever the files for operators say of variables and flags is there.
func TestOperatorsReadWhatIs(t *testing.T) {
	known := knownSettings(t)
	for _, pattern := range []string{"../../deploy/*", "../../docs/operation.md", "../../README.md", "../../README.de.md", "../../Dockerfile"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range regexp.MustCompile(`\bKNOBEL_[A-Z_]*[A-Z]\b`).FindAllString(string(text), -1) {
				plain := strings.TrimSuffix(name, "_FILE")
				if !slices.Contains(known, name) && !slices.Contains(known, plain) && !strings.HasPrefix(name, "KNOBEL_TEST") && !slices.Contains(elsewhere, name) {
					t.Errorf("%s speaks of %s, which nothing reads", file, name)
				}
			}
		}
	}
}

// knownSettings are the variables that the program asks for.
func knownSettings(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(KNOBEL_[A-Z_]+)"`).FindAllStringSubmatch(string(code), -1) {
			known = append(known, m[1])
		}
	}
	if len(known) < 8 {
		t.Fatalf("only %v", known)
	}
	return known
}

// Every program of others that CI takes is named with its whole version, and the
// container is as little as it can be.
func TestWhatIsDeployedIsPinnedAndBare(t *testing.T) {
	text := func(file string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	docker, compose := text("Dockerfile"), text("deploy/compose.yaml")
	var named []string
	for _, file := range []string{".ci/run", ".ci/vulnerabilities"} {
		named = append(named, regexp.MustCompile(`\S+@v\S+`).FindAllString(text(file), -1)...)
		if strings.Contains(text(file), "@latest") {
			t.Errorf("%s takes whatever is latest", file)
		}
	}
	if len(named) != 2 {
		t.Errorf("found %v", named)
	}
	for _, one := range named {
		if !regexp.MustCompile(`@v\d+\.\d+\.\d+$`).MatchString(one) {
			t.Errorf("%s is no whole version", one)
		}
	}
	for _, want := range []string{"USER 65532:65532", "FROM scratch", `CMD ["/knobel", "health"]`, "CGO_ENABLED=0", "-trimpath"} {
		if !strings.Contains(docker, want) {
			t.Errorf("the Dockerfile has no %s", want)
		}
	}
	for _, want := range []string{
		`user: "65532:65532"`, "read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", `["CMD", "/knobel", "health"]`, "KNOBEL_KEY_FILE", "127.0.0.1:8080:8080",
	} {
		if !strings.Contains(compose, want) {
			t.Errorf("compose.yaml has no %s", want)
		}
	}
}

// Profiles are for this machine alone.
func profilesStayHere(t *testing.T, program string) {
	listen, profiles := freePort(t), freePort(t)
	s := start(t, program, listen, filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_PROFILE="+profiles)
	s.until("profiles are served", func() bool { return strings.Contains(s.said.String(), "profiles are served") })
	if status, text := asked(t, "http://"+profiles+"/debug/pprof/goroutine?debug=1"); status != 200 || !strings.Contains(text, "goroutine profile") {
		t.Errorf("from here: %d %s", status, text)
	}
	if status, _ := asked(t, "http://"+profiles+"/debug/pprof/", "Host", "knobel.example"); status == 200 {
		t.Error("by another's name")
	}
	if status, text := asked(t, "http://"+listen+"/debug/pprof/"); status == 200 && strings.Contains(text, "profile") {
		t.Error("at the browser table")
	}
	taken := launch(t, program, []string{"KNOBEL_DB=" + filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_LISTEN=" + freePort(t), "KNOBEL_PROFILE=" + profiles})
	<-taken.ended
	if taken.err == nil || !strings.Contains(taken.said.String(), profiles+" is taken by another program: choose another port with --profile or KNOBEL_PROFILE") {
		t.Errorf("where profiles are served already: %v %s", taken.err, taken.said)
	}
	s.leave()
	for _, wide := range []string{":6060", "0.0.0.0:6060", "192.0.2.1:6060"} {
		if web.Loopback(wide) {
			t.Errorf("%s is taken for loopback", wide)
		}
	}
	open := launch(t, program, []string{"KNOBEL_DB=" + filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_LISTEN=" + freePort(t), "KNOBEL_PROFILE=:0"})
	<-open.ended
	if open.err == nil || !strings.Contains(open.said.String(), "profiles are for this machine alone") {
		t.Errorf("beyond this machine: %v %s", open.err, open.said)
	}
}
