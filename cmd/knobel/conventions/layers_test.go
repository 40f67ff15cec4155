package conventions

import (
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layerRow matches a row of testdata/layers.txt: a folder and its allowed imports or, after "!", imports to be refused.
var layerRow = regexp.MustCompile(`(?m)^(! )?(\S+):((?:\s+[^\s:#!]+)*)$`)

// readLayerFile returns the allowed imports by folder, and imports that the check must refuse, as a test of the check.
func readLayerFile(t *testing.T) (allowed, refused map[string][]string) {
	t.Helper()
	ours := regexp.MustCompile(`^(?:bot|cmd|games|migrations|store)(?:/|$)`)
	allowed, refused = map[string][]string{}, map[string][]string{}
	for _, row := range layerRow.FindAllStringSubmatch(document(t, "cmd/knobel/conventions/testdata/layers.txt"), -1) {
		folder, imports := "knobel/"+row[2], strings.Fields(row[3])
		for i, path := range imports {
			if ours.MatchString(path) {
				imports[i] = "knobel/" + path
			}
		}
		if row[1] == "" {
			allowed[folder] = imports
		} else {
			refused[folder] = append(refused[folder], imports...)
		}
	}
	return allowed, refused
}

// adapterImports holds the allowed imports of a platform. Platforms are the imports of cmd/knobel/platforms.go that
// testdata/layers.txt does not list, so a new one needs no row there.
var adapterImports = []string{"knobel/bot/chat", "knobel/bot/chat/plain", "knobel/bot/qr", "knobel/bot/words",
	"knobel/games", "*"}

// allowedImports returns what readLayerFile returns, with the platforms added.
func allowedImports(t *testing.T) (allowed, refused map[string][]string) {
	t.Helper()
	allowed, refused = readLayerFile(t)
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "cmd/knobel/platforms.go"), nil,
		parser.ImportsOnly)
	check(t, err)
	platforms := 0
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if _, known := allowed[path]; !known && within(path, "knobel/bot") {
			allowed[path] = append(slices.Clone(adapterImports), path+"/emoji") // a platform's own subpackage
			if path == "knobel/bot/web" {                                       // the browser platform stores its rooms
				allowed[path] = append(allowed[path], "knobel/store", "knobel/bot/push")
			}
			allowed["knobel/cmd/knobel"] = append(allowed["knobel/cmd/knobel"], path)
			platforms++
		}
	}
	if platforms < 3 {
		t.Errorf("only %d platforms are found", platforms)
	}
	return allowed, refused
}

// libraryFolders maps prefixes of libraries to the only folder that may import them.
var libraryFolders = map[string]string{
	"github.com/bwmarrin/discordgo":                    "knobel/bot/discord",
	"github.com/go-telegram-bot-api/telegram-bot-api/": "knobel/bot/telegram",
	"modernc.org/":                 "knobel/store/engine",
	"github.com/jackc/":            "knobel/store",
	"github.com/tink-crypto/":      "knobel/store/seal",
	"github.com/prometheus/":       "knobel/cmd",
	"github.com/go-analyze/charts": "knobel/bot/chart",
	"github.com/boombuler/":        "knobel/bot/qr",
	"github.com/SherClockHolmes/":  "knobel/bot/push",
}

// TestLayers checks that packages import only what testdata/layers.txt allows.
func TestLayers(t *testing.T) {
	allowed, refused := allowedImports(t)
	of := func(path string) ([]string, bool) {
		if within(path, "knobel/games") {
			path = "knobel/games"
		}
		imports, ok := allowed[path]
		return imports, ok
	}
	for _, p := range loadSource(t).packages {
		imports, ok := of(p.ImportPath)
		if !within(p.ImportPath, "knobel") {
			continue
		}
		if !ok {
			t.Errorf("%s is a new folder: add a line to testdata/layers.txt with what it may import", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if !mayImport(p.ImportPath, imported, imports) {
				t.Errorf("%s must not import %s", p.ImportPath, imported)
			}
		}
	}
	for path, wrong := range refused { // proves that the check can fail
		imports, ok := of(path)
		if !ok {
			t.Errorf("%s is in no layer", path)
		}
		for _, imported := range wrong {
			if mayImport(path, imported, imports) {
				t.Errorf("%s may import %s", path, imported)
			}
		}
	}
}

// mayImport reports whether the package path may import another, if its row allows the imports in allowed.
func mayImport(path, imported string, allowed []string) bool {
	for sdk, folder := range libraryFolders {
		if strings.HasPrefix(imported, sdk) && !within(path, folder) {
			return false
		}
	}
	switch {
	case !strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		if !within(imported, "knobel") { // the standard library; store leaves files and SQL to its engines
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

// within reports whether path is folder or below it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// assertedTypes returns the names of package chat in a type assertion or a case of a type switch on a line of code.
func assertedTypes(line string) (names []string) {
	cases := regexp.MustCompile(`^\s*case |\.\(chat\.`).MatchString(line)
	for _, m := range regexp.MustCompile(`\bchat\.(\w+)[):,]`).FindAllStringSubmatch(line, -1) {
		if cases {
			names = append(names, m[1])
		}
	}
	return names
}

// TestPlatformsAreNotAskedWhatTheyCanDo checks that no code finds out by type assertion what a platform can do, because
// a wrapper around an adapter would hide it. Methods of chat.Platform return it instead.
func TestPlatformsAreNotAskedWhatTheyCanDo(t *testing.T) {
	chats, err := loadSource(t).Import("knobel/bot/chat")
	if err != nil || !types.IsInterface(chats.Scope().Lookup("Platform").Type()) {
		t.Fatalf("there is no interface chat.Platform (%v)", err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		code, err := os.ReadFile(path)
		for line := range strings.Lines(string(code)) {
			for _, name := range assertedTypes(line) {
				if is, ok := chats.Scope().Lookup(name).(*types.TypeName); ok && types.IsInterface(is.Type()) {
					t.Errorf("%s asserts chat.%s: have chat.Platform say it, and chat.Basics where it is not so",
						path, name)
				}
			}
		}
		return err
	})
	check(t, err)
	for line, names := range map[string][]string{"_, _ = p." + "(chat.Caller)": {"Caller"},
		"\tcase chat.Linked, chat.Caller:": {"Linked", "Caller"}, "func f(p chat.Platform)": nil} {
		if got := assertedTypes(line); !slices.Equal(got, names) { // proves that the check can fail
			t.Errorf("%q asserts %q", line, got)
		}
	}
}
