package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
)

// TestBillOfMaterialsListsEveryModule reads the bill of materials of Knobel's binary as CycloneDX. It lists every
// module that is linked into the binary, with a hash, and Go.
func TestBillOfMaterialsListsEveryModule(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "knobel")
	if out, err := exec.Command("go", "build", "-o", program, "knobel/cmd/knobel").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var out bytes.Buffer
	if err := run(&out, []string{program}); err != nil {
		t.Fatal(err)
	}
	bom := new(cyclonedx.BOM)
	if err := cyclonedx.NewBOMDecoder(&out, cyclonedx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, c := range *bom.Components {
		listed[c.Name] = true
		if c.Version == "" || !strings.HasPrefix(c.PackageURL, "pkg:golang/") || c.Name != "std" && c.Hashes == nil {
			t.Errorf("%s: %s %s %v", c.Name, c.Version, c.PackageURL, c.Hashes)
		}
	}
	linked, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}",
		"knobel/cmd/knobel").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(linked)) {
		if !listed[path] {
			t.Errorf("%s is linked, and not listed", path)
		}
	}
	if bom.Metadata.Component.Name != "knobel" || !listed["std"] || len(listed) < 20 {
		t.Errorf("it is of %+v, with %d parts", bom.Metadata.Component, len(listed))
	}
}

// TestBillOfMaterialsOfNoBinary runs the program without a binary. It returns an error and writes nothing.
func TestBillOfMaterialsOfNoBinary(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no binary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {text}, {text + "x"}, {text, text}} {
		var out bytes.Buffer
		if err := run(&out, args); err == nil || out.Len() > 0 {
			t.Errorf("%v: %v and %q", args, err, out.String())
		}
	}
}
