// Command knobel-sbom lists the modules of a binary of Knobel, as a software bill of materials: knobel-sbom FILE.
// It is a separate program, so that Knobel does not contain the libraries for that list.
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "knobel-sbom: %v\n", err)
		os.Exit(1)
	}
}

// run writes the bill of materials of a binary to out. args must hold only the binary's path.
func run(out io.Writer, args []string) error {
	if len(args) != 1 {
		return errors.New("usage: knobel-sbom FILE")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	return write(out, info)
}

// write writes Go and the modules of a binary, with versions and hashes, as CycloneDX. Equal binaries give equal lists.
func write(out io.Writer, info *debug.BuildInfo) error {
	program := component(debug.Module{Path: "knobel", Version: cmp.Or(info.Main.Version, "(devel)")})
	program.Type = cyclonedx.ComponentTypeApplication
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			program.Properties = &[]cyclonedx.Property{{Name: s.Key, Value: s.Value}}
		}
	}
	standard := component(debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})
	components, refs := []cyclonedx.Component{standard}, []string{standard.BOMRef}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component(*m)
		components, refs = append(components, c), append(refs, c.BOMRef)
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &program}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: program.BOMRef, Dependencies: &refs}}
	return cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
}

// component converts a module to a CycloneDX component with its package URL and its hash.
func component(m debug.Module) cyclonedx.Component {
	url := fmt.Sprintf("pkg:golang/%s@%s", m.Path, strings.ReplaceAll(m.Version, "+", "%2B"))
	c := cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, BOMRef: url, Name: m.Path, Version: m.Version,
		PackageURL: url}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) > 0 {
		c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	}
	return c
}
