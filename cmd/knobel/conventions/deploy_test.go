package conventions

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ciVariables lists variables that only CI reads, not the program.
var ciVariables = []string{"KNOBEL_VULNDB", "KNOBEL_VULNDB_REQUIRED"}

// Every variable that the files for operators mention exists.
func TestOperatorsReadWhatIs(t *testing.T) {
	known := knownSettings(t)
	for _, pattern := range []string{"deploy/*.*", "deploy/*/*.*", "docs/operation.md", "docs/de/operation.md",
		"docs/scale.md", "README.md", "README.de.md", "Dockerfile"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			check(t, err)
			for _, name := range regexp.MustCompile(`\bKNOBEL_[A-Z_]*[A-Z]\b`).FindAllString(string(text), -1) {
				plain := strings.TrimSuffix(name, "_FILE")
				if !slices.Contains(known, name) && !slices.Contains(known, plain) &&
					!strings.HasPrefix(name, "KNOBEL_TEST") && !slices.Contains(ciVariables, name) {
					t.Errorf("%s speaks of %s, which nothing reads", file, name)
				}
			}
		}
	}
}

// knownSettings returns the environment variables that the program reads.
func knownSettings(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "cmd/knobel/*.go"))
	check(t, err)
	var known []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code, err := os.ReadFile(file)
		check(t, err)
		for _, m := range regexp.MustCompile(`"(KNOBEL_[A-Z_]+)"`).FindAllStringSubmatch(string(code), -1) {
			known = append(known, m[1])
		}
	}
	if len(known) < 8 {
		t.Fatalf("only %v", known)
	}
	return known
}

// Every third-party program that CI runs is named with its full version, and the containers run with minimal rights.
func TestWhatIsDeployedIsPinnedAndBare(t *testing.T) {
	docker := document(t, "Dockerfile")
	var named []string
	for _, file := range []string{".ci/run", ".ci/vulnerabilities"} {
		named = append(named, regexp.MustCompile(`\S+@v\S+`).FindAllString(document(t, file), -1)...)
		if strings.Contains(document(t, file), "@latest") {
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
	for _, want := range []string{"USER 65532:65532", "FROM scratch", `CMD ["/knobel", "health"]`, "CGO_ENABLED=0",
		"-trimpath"} {
		if !strings.Contains(docker, want) {
			t.Errorf("the Dockerfile has no %s", want)
		}
	}
	if !strings.Contains(document(t, "deploy/knobel.service"), "KNOBEL_KEY_FILE") {
		t.Error("deploy/knobel.service does not speak of KNOBEL_KEY_FILE")
	}
	for _, file := range []string{"deploy/compose.yaml", "deploy/replicas.yaml"} {
		for _, want := range []string{
			`user: "65532:65532"`, "read_only: true", "cap_drop: [ALL]", "no-new-privileges:true",
			`["CMD", "/knobel", "health"]`, "KNOBEL_KEY_FILE", "127.0.0.1:8080:8080",
		} {
			if !strings.Contains(document(t, file), want) {
				t.Errorf("%s has no %s", file, want)
			}
		}
	}
}

// Variables that tests and CI read are documented for developers or in docs/operation.md.
func TestVariablesOfTestsAreWrittenDown(t *testing.T) {
	// set by a test for the process that it starts
	inner := []string{"KNOBEL_TEST_CRASHING", "KNOBEL_TEST_STOPPING"}
	told := document(t, "CONTRIBUTING.md") + document(t, "docs/development.md") + document(t, "docs/operation.md")
	known, found := knownSettings(t), 0
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() ||
			!strings.HasSuffix(path, "_test.go") && filepath.Base(filepath.Dir(path)) != ".ci" {
			return err
		}
		for _, m := range regexp.MustCompile(`(?:env\("|Env\("|\$\{)(KNOBEL_[A-Z_]+)`).FindAllStringSubmatch(document(t,
			path), -1) {
			if slices.Contains(known, m[1]) || slices.Contains(inner, m[1]) {
				continue
			}
			found++
			if !strings.Contains(told, "`"+m[1]) {
				t.Errorf("%s reads %s, which is written down nowhere", path, m[1])
			}
		}
		return nil
	})
	if err != nil || found < 10 {
		t.Errorf("%d are read (%v)", found, err)
	}
}

// Only cmd/knobel/platforms.go contains the names of platforms; no other file of the program does.
func TestPlatformsAreListedOnce(t *testing.T) {
	const list = "cmd/knobel/platforms.go"
	names := regexp.MustCompile(`\bname: ("[a-z]+")`).FindAllStringSubmatch(document(t, list), -1)
	files, err := filepath.Glob(filepath.Join(root, "cmd/knobel/*.go"))
	if err != nil || len(names) < 3 || len(files) < 30 {
		t.Fatalf("%d names and %d files were found (%v)", len(names), len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "/platforms.go") {
			continue
		}
		for _, name := range names {
			if code, _ := os.ReadFile(file); strings.Contains(string(code), name[1]) {
				t.Errorf("%s names the platform %s: have its entry in %s say what is asked for", file, name[1], list)
			}
		}
	}
}
