package conventions

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The house in one picture: data flows in one direction. Each folder may
// import the standard library and what stands behind it here; "*" is any
// library of others.
var layers = []struct {
	folder  string
	imports []string
}{
	{"knobel/games", []string{"knobel/games"}}, // and all below it
	{"knobel/migrations", []string{"*"}},
	{"knobel/store", []string{"knobel/store/engine"}},
	{"knobel/store/engine", []string{"knobel/migrations", "knobel/store/lock", "*"}},
	{"knobel/store/lock", nil},
	{"knobel/store/seal", []string{"*"}},
	{"knobel/store/engine/postgrestest", []string{"knobel/bot/fakes", "knobel/bot/fakes/needs", "*"}},
	{"knobel/store/engine/sqlitetest", []string{"*"}},
	{"knobel/store/storetest", []string{"knobel/bot/fakes/needs", "knobel/store",
		"knobel/store/engine/postgrestest", "knobel/store/seal", "knobel/store/engine/sqlitetest", "*"}},
	{"knobel/bot/words", []string{"knobel/games", "*"}},
	{"knobel/bot/words/wordstest", []string{"knobel/bot/words", "knobel/games", "*"}},
	{"knobel/bot/chart", []string{"*"}},
	{"knobel/bot/qr", []string{"*"}},
	{"knobel/bot/zone", []string{"*"}},
	{"knobel/bot/chat", []string{"knobel/games", "knobel/store/lock", "*"}},
	{"knobel/bot/chat/platformtest", []string{"knobel/bot/chat", "knobel/bot/fakes", "knobel/games", "*"}},
	{"knobel/bot/chat/plain", []string{"knobel/bot/chat", "knobel/games"}},
	{"knobel/bot/loop", []string{"knobel/bot/chat"}},
	{"knobel/bot/lease", []string{"knobel/bot/chat", "knobel/bot/loop", "knobel/store"}},
	{"knobel/bot/outbox", []string{"knobel/bot/chat", "knobel/bot/lease", "knobel/bot/loop", "knobel/store", "*"}},
	{"knobel/bot", []string{"knobel/games", "knobel/store", "knobel/bot/chat", "knobel/bot/lease", "knobel/bot/loop",
		"knobel/bot/outbox", "knobel/bot/words", "knobel/bot/zone", "*"}},
	{"knobel/bot/board", []string{"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/chat", "knobel/bot/words"}},
	{"knobel/bot/table", []string{
		"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/board", "knobel/bot/chat", "knobel/bot/loop",
		"knobel/bot/words",
	}},
	{"knobel/bot/call", []string{"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/board", "knobel/bot/chat",
		"knobel/bot/lease", "knobel/bot/loop", "knobel/bot/table", "knobel/bot/words"}},
	{"knobel/bot/help", []string{"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/chat", "knobel/bot/table",
		"knobel/bot/words"}},
	{"knobel/bot/standings", []string{"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/board",
		"knobel/bot/chart", "knobel/bot/chat", "knobel/bot/table", "*"}},
	{"knobel/bot/review", []string{
		"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/board", "knobel/bot/chart", "knobel/bot/chat",
		"knobel/bot/loop", "knobel/bot/table", "knobel/bot/standings",
	}},
	{"knobel/bot/books", []string{"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/chat"}},
	{"knobel/bot/person", []string{"knobel/games", "knobel/store", "knobel/bot", "knobel/bot/board", "knobel/bot/chat",
		"knobel/bot/loop", "knobel/bot/table"}},
	{"knobel/bot/discord/emoji", nil},
	{"knobel/bot/discord/discordtest", []string{"knobel/bot/fakes", "knobel/bot/fakes/spec", "*"}},
	{"knobel/bot/scenario", []string{
		"knobel/bot", "knobel/bot/chat", "knobel/bot/chat/plain", "knobel/bot/discord",
		"knobel/bot/discord/discordtest", "knobel/bot/fakes",
		"knobel/bot/telegram", "knobel/bot/telegram/telegramtest", "knobel/bot/web", "knobel/bot/words",
		"knobel/bot/words/wordstest", "knobel/cmd/wiring", "knobel/games", "knobel/store", "knobel/store/storetest",
	}},
	{"knobel/bot/bare", []string{
		"knobel/bot", "knobel/bot/chat", "knobel/bot/fakes", "knobel/bot/lease", "knobel/bot/review",
		"knobel/bot/words", "knobel/bot/words/wordstest", "knobel/cmd/wiring", "knobel/games", "knobel/store",
		"knobel/store/storetest", "*",
	}},
	{"knobel/bot/simulation", nil},
	{"knobel/bot/fakes", []string{"*"}},
	{"knobel/bot/fakes/needs", []string{"*"}},
	{"knobel/bot/fakes/spec", []string{"*"}},
	{"knobel/bot/telegram/telegramtest", []string{"knobel/bot/fakes", "knobel/bot/fakes/spec", "*"}},
	{"knobel/cmd/knobel", []string{
		"knobel/bot", "knobel/bot/chat", "knobel/bot/lease", "knobel/bot/qr", "knobel/bot/words", "knobel/bot/help",
		"knobel/bot/review", "knobel/bot/table", "knobel/cmd/wiring", "knobel/games",
		"knobel/store", "knobel/store/seal", "*",
	}},
	{"knobel/cmd/wiring", []string{
		"knobel/bot", "knobel/bot/books", "knobel/bot/call", "knobel/bot/help", "knobel/bot/person",
		"knobel/bot/review", "knobel/bot/standings", "knobel/bot/table", "knobel/bot/chat", "knobel/store",
	}},
	{"knobel/cmd/knobel/conventions", nil},
	{"knobel/cmd/knobel-load", []string{"knobel/bot/discord/discordtest", "knobel/bot/telegram/telegramtest", "*"}},
	{"knobel/cmd/knobel-sbom", []string{"*"}},
}

// ofAdapters is what a platform may import. Platforms are what cmd/knobel/platforms.go
// imports and layers does not know: a new one needs no line here.
var ofAdapters = []string{"knobel/bot/chat", "knobel/bot/chat/plain", "knobel/bot/qr", "knobel/bot/words",
	"knobel/games", "*"}

// adapters are the folders of the platforms.
func adapters(t *testing.T) (folders []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "cmd/knobel/platforms.go"), nil,
		parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if _, known := allowedImports(path, nil); !known && within(path, "knobel/bot") {
			folders = append(folders, path)
		}
	}
	return folders
}

// sdks are the libraries that no package but these folders may see.
var sdks = map[string]string{
	"github.com/bwmarrin/discordgo":                    "knobel/bot/discord",
	"github.com/go-telegram-bot-api/telegram-bot-api/": "knobel/bot/telegram",
	"modernc.org/":                 "knobel/store/engine",
	"github.com/jackc/":            "knobel/store",
	"github.com/tink-crypto/":      "knobel/store/seal",
	"github.com/prometheus/":       "knobel/cmd",
	"github.com/go-analyze/charts": "knobel/bot/chart",
	"github.com/boombuler/":        "knobel/bot/qr",
}

func TestLayers(t *testing.T) {
	platforms := adapters(t)
	if len(platforms) < 3 {
		t.Errorf("only these platforms are found: %q", platforms)
	}
	for _, p := range sourceOf(t).built {
		path := p.ImportPath
		if !within(path, "knobel") {
			continue
		}
		allowed, ok := allowedImports(path, platforms)
		if !ok {
			t.Errorf("%s is a new folder: add a line to layers in this file that names what it may import", path)
			continue
		}
		for _, imported := range p.Imports {
			if !mayImport(path, imported, allowed) {
				t.Errorf("%s must not import %s", path, imported)
			}
		}
	}
}

// TestLayersRefuses shows that the check can fail.
func TestLayersRefuses(t *testing.T) {
	for _, wrong := range [][2]string{
		{"knobel/games/shutbox", "knobel/store"},
		{"knobel/store", "knobel/games"},
		{"knobel/store", "os"},
		{"knobel/store", "modernc.org/sqlite"},
		{"knobel/store/storetest", "modernc.org/sqlite/lib"},
		{"knobel/store/engine", "knobel/store"},
		{"knobel/store", "github.com/jackc/pgx/v5"},
		{"knobel/bot", "knobel/store/engine"},
		{"knobel/store", "github.com/tink-crypto/tink-go/v2/daead/subtle"},
		{"knobel/bot/discord", "knobel/bot"},
		{"knobel/bot/chat", "knobel/store"},
		{"knobel/bot", "knobel/bot/board"},
		{"knobel/bot/board", "knobel/bot/table"},
		{"knobel/bot/table", "knobel/bot/call"},
		{"knobel/bot/terminal", "knobel/store"},
		{"knobel/bot", "github.com/bwmarrin/discordgo"},
		{"knobel/cmd/knobel", "knobel/bot/discord/discordtest"},
		{"knobel/bot", "github.com/prometheus/client_golang/prometheus"},
	} {
		allowed, ok := allowedImports(wrong[0], adapters(t))
		if !ok {
			t.Errorf("%s is in no layer", wrong[0])
		}
		if mayImport(wrong[0], wrong[1], allowed) {
			t.Errorf("%s may import %s", wrong[0], wrong[1])
		}
	}
}

func allowedImports(path string, platforms []string) ([]string, bool) {
	if slices.Contains(platforms, path) {
		allowed := append(slices.Clone(ofAdapters), path+"/emoji") // what is its own
		if path == "knobel/bot/web" {
			allowed = append(allowed, "knobel/store") // it keeps its rooms there, and shows what is stored of them
		}
		return allowed, true
	}
	for _, l := range layers {
		if path == l.folder || l.folder == "knobel/games" && within(path, l.folder) {
			if path == "knobel/cmd/knobel" {
				return append(platforms, l.imports...), true
			}
			return l.imports, true
		}
	}
	return nil, false
}

func mayImport(path, imported string, allowed []string) bool {
	for sdk, folder := range sdks {
		if strings.HasPrefix(imported, sdk) && !within(path, folder) {
			return false
		}
	}
	switch {
	case !strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		if !within(imported, "knobel") { // the standard library; files and SQL are the engines'
			return path != "knobel/store" || !slices.Contains([]string{"os", "io/fs",
				"path/filepath", "database/sql", "syscall", "unsafe"}, imported)
		}
		return slices.ContainsFunc(allowed, func(a string) bool {
			return imported == a || within(imported, a) && a == "knobel/games"
		})
	default:
		return slices.Contains(allowed, "*")
	}
}

func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}
