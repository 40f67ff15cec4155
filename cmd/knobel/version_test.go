package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
)

func TestVersionsInALine(t *testing.T) {
	for want, info := range map[string]*debug.BuildInfo{
		"(devel), go1.26": {GoVersion: "go1.26"},
		"v1.2.3, commit 0123456789ab of 2026-11-01T10:00:00Z, go1.26": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}, {Key: "vcs.time", Value: "2026-11-01T10:00:00Z"},
				{Key: "vcs.modified", Value: "false"},
			},
		},
		"v1.2.3+dirty, with changes that are not committed, go1.26": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}},
		},
	} {
		if got := buildOf(info).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The bill of materials of the program as it is shipped lists every module that
// is linked into it, with a sum, and reads as CycloneDX.
func billOfMaterials(t *testing.T, program string) {
	out, err := exec.Command(program, "version", "--sbom").Output()
	if err != nil {
		t.Fatal(err)
	}
	bom := new(cyclonedx.BOM)
	if err := cyclonedx.NewBOMDecoder(bytes.NewReader(out), cyclonedx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, c := range *bom.Components {
		listed[c.Name] = true
		if c.Version == "" || !strings.HasPrefix(c.PackageURL, "pkg:golang/") || c.Name != "std" && c.Hashes == nil {
			t.Errorf("%s: %s %s %v", c.Name, c.Version, c.PackageURL, c.Hashes)
		}
	}
	for path := range linked(t) {
		if !listed[path] {
			t.Errorf("%s is linked, and not listed", path)
		}
	}
	if !json.Valid(out) || bom.Metadata.Component.Name != "knobel" || !listed["std"] {
		t.Errorf("it is of %+v", bom.Metadata.Component)
	}
}
