package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM lists what a binary was built from, as CycloneDX: the modules that
// are linked into it, in the versions and with the sums that it was built with,
// and Go. The same binary lists the same.
func writeSBOM(w io.Writer, info *debug.BuildInfo) error {
	b := buildOf(info)
	main := component(debug.Module{Path: "knobel", Version: b.version})
	main.Type = cyclonedx.ComponentTypeApplication
	if b.commit != "" {
		main.Properties = &[]cyclonedx.Property{{Name: "vcs.revision", Value: b.commit}}
	}
	goes := component(debug.Module{Path: "std", Version: strings.TrimPrefix(b.goes, "go")})
	components, needs := []cyclonedx.Component{goes}, []string{goes.BOMRef}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component(*m)
		components, needs = append(components, c), append(needs, c.BOMRef)
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &needs}}
	if err := cyclonedx.NewBOMEncoder(w, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return fmt.Errorf("software bill of materials: %w", err)
	}
	return nil
}

// component is a module as CycloneDX knows it, by its package URL.
func component(m debug.Module) cyclonedx.Component {
	url := fmt.Sprintf("pkg:golang/%s@%s", m.Path, strings.ReplaceAll(m.Version, "+", "%2B"))
	c := cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, BOMRef: url, Name: m.Path, Version: m.Version, PackageURL: url}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) > 0 {
		c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	}
	return c
}
