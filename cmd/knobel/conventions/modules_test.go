package conventions

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// modules are all that the program is made of beside Go and ourselves. Each costs
// everybody who builds it time: a new one is added by hand, by somebody who has
// looked whether it is worth that.
var modules = []string{
	"github.com/BurntSushi/toml",
	"github.com/beorn7/perks",
	"github.com/boombuler/barcode",
	"github.com/bwmarrin/discordgo",
	"github.com/cenkalti/backoff/v5",
	"github.com/cespare/xxhash/v2",
	"github.com/dustin/go-humanize",
	"github.com/go-analyze/bulk",
	"github.com/go-analyze/charts",
	"github.com/go-telegram-bot-api/telegram-bot-api/v5",
	"github.com/golang/freetype",
	"github.com/google/uuid",
	"github.com/gorilla/websocket",
	"github.com/jackc/pgpassfile",
	"github.com/jackc/pgservicefile",
	"github.com/jackc/pgx/v5",
	"github.com/jackc/puddle/v2",
	"github.com/klauspost/compress",
	"github.com/mfridman/interpolate",
	"github.com/mitchellh/colorstring",
	"github.com/munnerz/goautoneg",
	"github.com/nicksnyder/go-i18n/v2",
	"github.com/pressly/goose/v3",
	"github.com/prometheus/client_golang",
	"github.com/prometheus/client_model",
	"github.com/prometheus/common",
	"github.com/prometheus/procfs",
	"github.com/remyoudompheng/bigfft",
	"github.com/rivo/uniseg",
	"github.com/schollz/progressbar/v3",
	"github.com/sethvargo/go-retry",
	"github.com/spf13/cobra",
	"github.com/spf13/pflag",
	"github.com/tink-crypto/tink-go/v2",
	"go.uber.org/multierr",
	"golang.org/x/crypto",
	"golang.org/x/image",
	"golang.org/x/sync",
	"golang.org/x/sys",
	"golang.org/x/term",
	"golang.org/x/text",
	"golang.org/x/time",
	"google.golang.org/protobuf",
	"modernc.org/libc",
	"modernc.org/mathutil",
	"modernc.org/memory",
	"modernc.org/sqlite",
}

func TestModulesAreListed(t *testing.T) {
	found := slices.Sorted(maps.Keys(linked(t)))
	for _, m := range found {
		if !slices.Contains(modules, m) {
			t.Errorf("%s is linked into the program, and not in the list: is it worth it?", m)
		}
	}
	for _, m := range modules {
		if !slices.Contains(found, m) {
			t.Errorf("%s is in the list, and not linked into the program any longer", m)
		}
	}
}

// What tests and releases need is no part of the program.
func TestModulesOfTestsAreNotLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "knobel/cmd/knobel").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := strings.Fields(string(out))
	for _, p := range packages {
		name := p[strings.LastIndex(p, "/")+1:]
		if p == "testing" || strings.HasPrefix(p, "testing/") ||
			strings.HasSuffix(name, "test") && p != "internal/synctest" || name == "fakes" ||
			within(p, "knobel/bot/simulation") || strings.Contains(p, "jsonschema") ||
			strings.Contains(p, "CycloneDX") {
			t.Errorf("%s is linked into the program", p)
		}
	}
	others := len(slices.DeleteFunc(packages, func(p string) bool { return within(p, "knobel") }))
	if others < 180 || others > 383 {
		t.Errorf("the program is made of %d packages beside its own, asked are at most 383", others)
	}
}
