package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/telegram"
	"knobel/bot/web"
	"knobel/store/storetest"
)

// abilities are the interfaces that a platform may have besides chat.Platform.
var abilities = map[string]reflect.Type{
	"Budgeted":  reflect.TypeFor[chat.Budgeted](),
	"Caller":    reflect.TypeFor[chat.Caller](),
	"Consulted": reflect.TypeFor[chat.Consulted](),
	"Examined":  reflect.TypeFor[chat.Examined](),
	"Linked":    reflect.TypeFor[chat.Linked](),
	"Sparing":   reflect.TypeFor[chat.Sparing](),
}

// What an adapter can do, the platform that the program runs can do: whatever
// stands around an adapter hides nothing of it.
func TestEveryPlatformIsRunWithAllItsAbilities(t *testing.T) {
	st := storetest.Open(t)
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	s := settings{listen: "127.0.0.1:0", discordToken: discordToken, telegramToken: telegramToken}
	log := s.logger(world{err: t.Output()})
	m := newMeter(s.configured()...)
	b, err := s.newBot(st, log, m)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.platforms(ctx, world{out: t.Output(), err: t.Output()}, st, b, m, log, stop)
	if err != nil {
		t.Fatal(err)
	}
	adapters := map[string]reflect.Type{
		"discord":  reflect.TypeFor[*discord.Discord](),
		"telegram": reflect.TypeFor[*telegram.Telegram](),
		"web":      reflect.TypeFor[*web.Web](),
	}
	if len(run) != len(adapters) {
		t.Fatalf("%d platforms are run, there are %d adapters", len(run), len(adapters))
	}
	for _, p := range run {
		for name, ability := range abilities {
			if adapters[p.Name()].Implements(ability) && !reflect.TypeOf(p).Implements(ability) {
				t.Errorf("%s: the adapter is a bot.%s, what is run is not", p.Name(), name)
			}
		}
	}
	if !adapters["web"].Implements(abilities["Caller"]) || adapters["web"].Implements(abilities["Budgeted"]) {
		t.Error("the browser table's abilities are not told apart")
	}
}

// The program's bot knows who is at one browser.
func TestNobodyTakesASeatFromTheirSecondSelfAtOneBrowser(t *testing.T) {
	st := storetest.Open(t)
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var last chat.Reply
	for i, step := range []struct {
		user          chat.User
		command, what string
	}{
		{"web:aa:0", "shutbox", "10"}, {"web:bb:0", "", "1:1:0:!join"}, {"web:aa:0", "", "1:1:0:!start"},
		{"web:aa:0", "handover", ""}, {"web:aa:1", "", "1:1:0:!take 0"},
	} {
		ev := chat.Event{ID: fmt.Sprint("web:", i), Chat: "web:room", Place: "web:room", User: step.user, Name: string(step.user), Locale: "en"}
		if ev.Command, ev.Text = step.command, step.what; step.command == "" {
			ev.Press, ev.Text = step.what, ""
		}
		last = b.Handle(t.Context(), ev)
	}
	if last.Toast != "Not to somebody at the same browser. Others may take it." {
		t.Errorf("told %q", last.Toast)
	}
}

// The list of abilities is whole: every interface of the bot's that somebody
// asks a platform for stands in it.
func TestAbilitiesAreAllThatPlatformsAreAskedFor(t *testing.T) {
	asked := map[string]bool{}
	folders := []string{"."}
	err := filepath.WalkDir("../../bot", func(path string, d fs.DirEntry, err error) error {
		if code, _ := filepath.Glob(filepath.Join(path, "*.go")); len(code) > 0 {
			folders = append(folders, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		for _, name := range askedFor(t, folder) {
			asked[name] = true
		}
	}
	for name := range asked {
		if _, ok := abilities[name]; !ok {
			t.Errorf("a platform is asked whether it is a %s: add that to the abilities", name)
		}
	}
	if !asked["Caller"] || !asked["Linked"] {
		t.Errorf("only these were found: %v", asked)
	}
}

// askedFor are the names of exported interfaces of package chat that a folder's
// program asserts: p.(chat.Linked).
func askedFor(t *testing.T, folder string) (names []string) {
	t.Helper()
	ours := interfacesOf(t, "../../bot/chat")
	inspect(t, folder, func(n ast.Node) {
		is, ok := n.(*ast.TypeAssertExpr)
		if !ok {
			return
		}
		name := ""
		switch kind := is.Type.(type) {
		case *ast.Ident:
			name = kind.Name
		case *ast.SelectorExpr:
			if from, ok := kind.X.(*ast.Ident); ok && from.Name == "chat" {
				name = kind.Sel.Name
			}
		}
		if slices.Contains(ours, name) {
			names = append(names, name)
		}
	})
	return names
}

// interfacesOf are the exported interfaces that a folder's program declares.
func interfacesOf(t *testing.T, folder string) (names []string) {
	t.Helper()
	inspect(t, folder, func(n ast.Node) {
		if d, ok := n.(*ast.TypeSpec); ok && d.Name.IsExported() {
			if _, ok := d.Type.(*ast.InterfaceType); ok {
				names = append(names, d.Name.Name)
			}
		}
	})
	return names
}

// inspect shows every part of a folder's program, without its tests.
func inspect(t *testing.T, folder string, see func(ast.Node)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			see(n)
			return true
		})
	}
}

// TestACallReachesTheBrowser has two browsers sit down at the table of the
// running program: who is to move and does not is called there, and nobody else.
func TestACallReachesTheBrowser(t *testing.T) {
	t.Parallel()
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"))
	anna, err := visit(listen)
	if err != nil {
		t.Fatal(err)
	}
	ben, err := visit(listen)
	if err != nil {
		t.Fatal(err)
	}
	// A turn of a minute: whoever does not move is called after half of it.
	if a, err := anna.post("/command", map[string]any{"id": "open", "as": 0, "text": "/shutbox turn=1m"}); err != nil || a.Refused {
		t.Fatalf("no table: %v %+v", err, a)
	}
	join := ben.until(t, "Sit down")
	if a, err := ben.press("sit", join); err != nil || a.Refused {
		t.Fatalf("Ben does not sit: %v %+v", err, a)
	}
	begin := anna.until(t, "Start")
	if a, err := anna.press("start", begin); err != nil || a.Refused {
		t.Fatalf("no start: %v %+v", err, a)
	}
	late := time.After(2 * time.Minute)
	for len(anna.called()) == 0 {
		select {
		case <-anna.news:
		case <-late:
			t.Fatalf("Anna is never called\n%s", s.said)
		}
	}
	if told := anna.called()[0]; !strings.Contains(told, "it is your turn") {
		t.Errorf("the call says %q", told)
	}
	if told := ben.called(); len(told) > 0 {
		t.Errorf("Ben is called, too: %q", told)
	}
	s.leave()
}
