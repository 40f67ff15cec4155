package conventions

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// imageFiles lists the files that name third-party images.
var imageFiles = []string{"Dockerfile", "deploy/compose.yaml", "deploy/replicas.yaml"}

// joinTexts returns the joined results of text for the files in imageFiles.
func joinTexts(text func(name string) string) string {
	var all strings.Builder
	for _, name := range imageFiles {
		all.WriteString(text(name))
	}
	return all.String()
}

// imagesIn returns the third-party images named in a text.
func imagesIn(text string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^(?:FROM|\s+image:) +(\S+)`).FindAllStringSubmatch(text, -1) {
		if m[1] != "scratch" && m[1] != "knobel" {
			all = append(all, m[1])
		}
	}
	return all
}

// wholeVersion matches image names with a full version, which has two parts for PostgreSQL and three for others.
var wholeVersion = regexp.MustCompile(`:\d+\.\d+\.\d+$|^postgres:\d+\.\d+$`)

// pinFaults returns the faults in how images are named: each needs a tag with a full version, and a digest must be the
// one that deploy/pin looked up for that tag. digests is the content of deploy/digests.
func pinFaults(named []string, digests string) (faults []string) {
	lookedUp := strings.Split(strings.TrimSpace(digests), "\n")
	for _, image := range named {
		tagged, digest, pinned := strings.Cut(image, "@")
		if !wholeVersion.MatchString(tagged) {
			faults = append(faults, image+" has no tag with a whole version")
		}
		if pinned && (!regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(digest) || !slices.Contains(lookedUp,
			tagged+" "+digest)) {
			faults = append(faults, image+" has a digest that deploy/pin has not looked up for this tag: run it")
		}
	}
	for _, line := range lookedUp {
		if line != "" && !slices.Contains(named, strings.Replace(line, " ", "@", 1)) {
			faults = append(faults, "deploy/digests holds one that is not named: "+line)
		}
	}
	return faults
}

// Images are named by full versions, with looked-up digests only.
func TestImagesArePinnedByTagAndDigest(t *testing.T) {
	digests, err := os.ReadFile(filepath.Join(root, "deploy/digests"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	named := imagesIn(joinTexts(func(name string) string { return document(t, name) }))
	if len(named) < 4 {
		t.Errorf("found %v", named)
	}
	for _, fault := range pinFaults(named, string(digests)) {
		t.Error(fault)
	}
	one, other := "sha256:"+strings.Repeat("0a", 32), "sha256:"+strings.Repeat("0b", 32)
	for _, c := range []struct {
		named, digests string
		faults         int
	}{
		{"golang:1.2.3", "", 0},
		{"golang:1.2.3@" + one, "golang:1.2.3 " + one + "\n", 0},
		{"golang@" + one, "", 2}, // no tag, and a digest that was not looked up
		{"golang@" + one, "golang " + one + "\n", 1},
		{"golang:1.2.4@" + one, "golang:1.2.3 " + one + "\n", 2}, // a new tag with an old digest
		{"golang:1.2.3@" + other, "golang:1.2.3 " + one + "\n", 2},
		{"golang:1.2.3@" + one, "", 1}, // the digest was not looked up
		{"golang:1.2.3", "golang:1.2.3 " + one + "\n", 1},
		{"golang:1.2.3@sha256:0a", "golang:1.2.3 sha256:0a\n", 1}, {"golang:1.2", "", 1}, {"golang:latest", "", 1},
		{"postgres:15.14", "", 0}, {"postgres:15", "", 1}, {"other-postgres:15.14", "", 1},
		{"golang", "", 1},
	} {
		if faults := pinFaults([]string{c.named}, c.digests); len(faults) != c.faults {
			t.Errorf("%s with %q: %q", c.named, c.digests, faults)
		}
	}
}

// deploy/pin writes exactly the digests that the registries return, even when repeated, and nothing if one does not
// answer.
func TestImagesArePinnedByTheirRegistries(t *testing.T) {
	top, err := filepath.Abs(root)
	check(t, err)
	testscript.Run(t, testscript.Params{
		Files: []string{"testdata/pin.txtar"},
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", top)
			e.Setenv("PATH", filepath.Join(e.WorkDir, "bin")+":"+e.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"faultless": func(ts *testscript.TestScript, _ bool, _ []string) {
				faults := pinFaults(imagesIn(joinTexts(ts.ReadFile)), ts.ReadFile("deploy/digests"))
				if len(faults) > 0 {
					ts.Fatalf("%q", faults)
				}
			},
		},
	})
}
