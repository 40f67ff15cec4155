package conventions

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// asks are the functions that ask a platform about an event. The door takes them away from what a
// transaction knows of it (bot.TestATransactionCannotAskThePlatform).
var asks = []string{"Visit.Event.Thread", "Visit.Event.Admin", "Visit.Event.Confide"}

// TestNoTransactionReachesAPlatform follows everything that a transaction holds: whatever has a
// *store.Tx or stands around what has one, as every room's Visit does, and the variables that all
// see. Fields are followed, what they point to or hold many of, what methods and functions return,
// and for an interface whatever of the program implements it. What speaks to platforms is given to
// functions that run outside of transactions (Visit.After, Visit.Ask, Loop.Look) and is nobody's
// field.
func TestNoTransactionReachesAPlatform(t *testing.T) {
	r := newReach(t)
	for _, way := range r.ways() {
		t.Errorf("a transaction reaches a platform: %s: read what it must know before it begins "+
			"(Visit.Condition), or do it after the commit (Visit.After)", way)
	}
	for _, room := range []string{"", "/board", "/books", "/call", "/help", "/person", "/review", "/standings",
		"/table"} {
		of := func(n *types.Named) bool { return n.Obj().Pkg().Path() == "knobel/bot"+room }
		if !slices.ContainsFunc(r.roots, of) {
			t.Errorf("nothing of knobel/bot%s was followed", room)
		}
	}
}

// TestNoTransactionReachesAPlatformRefuses shows that the check can fail, by each way.
func TestNoTransactionReachesAPlatformRefuses(t *testing.T) {
	ofThat := func(way string) bool { return strings.Contains(way, "x.") }
	for _, wrong := range []string{
		"type visit struct { *bot.Visit; b *bot.Core }",
		"type visit struct { *bot.Visit; b []room }; type room struct { o outbox.Outbox }",
		"type visit struct { Tx *store.Tx; on map[string]chat.Platform }",
		"type visit struct { *bot.Visit; on speaks }; type speaks interface { speak() }\n" +
			"type one struct { q *outbox.Queue }; func (one) speak() {}",
		"type visit struct { *bot.Visit }; func (visit) on() (chat.Platform, error) { return nil, nil }",
		"type visit struct { *bot.Visit; on func() (*bot.Core, error) }",
		"type visit struct { *bot.Visit; admin func(context.Context) bool }",
		"type visit struct { *bot.Visit }; var all []chat.Platform",
		"type visit struct { *bot.Visit }; func (v visit) x(b *bot.Core) {\n" +
			"b.Step(nil, store.Scope{}, func(v *bot.Visit) error {\n" +
			"return b.Lost(nil, v.Event.Chat, v.Event.Place) }) }",
		"func x(b *bot.Core) { b.Store.View(nil, func(tx *store.Tx) error { _, p := b.Outbox.PlatformAt(``)\n" +
			"return p.Run(nil, b) }) }",
	} {
		r := newReach(t)
		r.add(t, wrong)
		if ways := r.ways(); !slices.ContainsFunc(ways, ofThat) {
			t.Errorf("a transaction may reach a platform: %s: %q", wrong, ways)
		}
	}
	r := newReach(t)
	r.add(t, "type visit struct { *bot.Visit }; func (v visit) x() {\n"+
		"v.After(func(_ context.Context, b *bot.Core) error { b.Outbox.Queued(); return nil }) }")
	if ways := r.ways(); slices.ContainsFunc(ways, ofThat) {
		t.Errorf("nothing may be done after the commit: %q", ways)
	}
}

// reach is what can be reached from some types.
type reach struct {
	*source
	packages []*types.Package // of the bot
	roots    []*types.Named   // what a transaction holds
	platform *types.Interface
	seen     map[string]bool
	found    []string
}

func newReach(t *testing.T) *reach {
	t.Helper()
	r := &reach{source: sourceOf(t), seen: map[string]bool{}}
	program, err := r.Import("knobel/cmd/knobel")
	if err != nil {
		t.Fatal(err)
	}
	next := []*types.Package{program}
	for i := 0; i < len(next); i++ {
		for _, p := range next[i].Imports() {
			if within(p.Path(), "knobel") && !slices.Contains(next, p) {
				next = append(next, p)
			}
		}
	}
	for _, p := range next {
		if within(p.Path(), "knobel/bot") {
			r.packages = append(r.packages, p)
		}
	}
	r.platform = r.checked["knobel/bot/chat"].Scope().Lookup("Platform").Type().Underlying().(*types.Interface)
	return r
}

// add adds a package of so much to those of the bot.
func (r *reach) add(t *testing.T, code string) {
	t.Helper()
	const head = "package x\nimport (\"context\"; \"knobel/bot\"; \"knobel/bot/chat\"; \"knobel/bot/outbox\"; " +
		"\"knobel/store\")\nvar _ context.Context; var _ bot.Args; var _ chat.Ref; var _ outbox.Job; " +
		"var _ store.Tx\n"
	file, err := parser.ParseFile(r.fset, "x.go", head+code, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := r.check("knobel/bot/x", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	r.packages = append(r.packages, pkg)
}

// ways returns how platforms are reached, as paths of fields.
func (r *reach) ways() []string {
	for _, n := range r.named() {
		if s, ok := n.Underlying().(*types.Struct); ok && r.holdsTx(s) {
			r.roots = append(r.roots, n)
			r.follow(n, n.Obj().Pkg().Path()+"."+n.Obj().Name())
		}
	}
	for _, pkg := range r.packages {
		for _, name := range pkg.Scope().Names() {
			if v, ok := pkg.Scope().Lookup(name).(*types.Var); ok && !r.speaks(pkg) {
				r.follow(v.Type(), pkg.Path()+"."+name)
			}
		}
		for _, f := range r.files[pkg.Path()] {
			if pkg.Path() != "knobel/bot" && !r.speaks(pkg) { // the door claims boards before the commit
				r.inTransactions(f)
			}
		}
	}
	return r.found
}

// speaks reports whether a package speaks to platforms, or is one.
func (r *reach) speaks(pkg *types.Package) bool {
	return pkg.Path() == "knobel/bot/outbox" || !slices.ContainsFunc(pkg.Imports(), func(i *types.Package) bool {
		return i.Path() == "knobel/store"
	})
}

// named are the types of the bot's packages, those inside of functions apart.
func (r *reach) named() (all []*types.Named) {
	for _, pkg := range r.packages {
		for _, name := range pkg.Scope().Names() {
			if of, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
				if n, ok := of.Type().(*types.Named); ok {
					all = append(all, n)
				}
			}
		}
	}
	return all
}

// holdsTx reports whether a struct has a transaction, or embeds a struct that has.
func (r *reach) holdsTx(s *types.Struct) bool {
	for f := range s.Fields() {
		if nameOf(f.Type()) == "knobel/store.Tx" {
			return true
		}
		if inner, ok := bare(f.Type()).Underlying().(*types.Struct); ok && f.Embedded() && r.holdsTx(inner) {
			return true
		}
	}
	return false
}

// bare is what a pointer points to, and all else itself.
func bare(kind types.Type) types.Type {
	if p, ok := types.Unalias(kind).(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return types.Unalias(kind)
}

// nameOf is the name of a type or of what it points to, "" where it has none.
func nameOf(kind types.Type) string {
	if n, ok := bare(kind).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}

// forbidden reports whether a type speaks to platforms.
func (r *reach) forbidden(kind types.Type) bool {
	return slices.Contains([]string{"knobel/bot.Core", "knobel/bot/outbox.Outbox", "knobel/bot/outbox.Queue",
		"knobel/bot/chat.Core", "knobel/cmd/wiring.Bot"}, nameOf(kind)) || types.Implements(kind, r.platform)
}

// takes reports whether a function is given what speaks to platforms, so that it runs outside.
func (r *reach) takes(s *types.Signature) bool {
	for p := range s.Params().Variables() {
		if r.forbidden(p.Type()) {
			return true
		}
	}
	return false
}

// follow looks at a type and at all that is reached from it.
func (r *reach) follow(kind types.Type, way string) {
	kind = types.Unalias(kind)
	if r.forbidden(kind) {
		r.found = append(r.found, way+" is "+kind.String())
		return
	}
	if n, ok := kind.(*types.Named); ok {
		r.followNamed(n, way)
		return
	}
	switch k := kind.(type) {
	case *types.Pointer:
		r.follow(k.Elem(), way)
	case *types.Slice:
		r.follow(k.Elem(), way)
	case *types.Array:
		r.follow(k.Elem(), way)
	case *types.Chan:
		r.follow(k.Elem(), way)
	case *types.Map:
		r.follow(k.Key(), way)
		r.follow(k.Elem(), way)
	case *types.Struct:
		for f := range k.Fields() {
			r.follow(f.Type(), way+"."+f.Name())
		}
	case *types.Signature:
		r.returns(k, way)
		if k.Params().Len() > 0 && nameOf(k.Params().At(0).Type()) == "context.Context" && !r.takes(k) &&
			!slices.ContainsFunc(asks, func(ask string) bool { return strings.HasSuffix(way, ask) }) {
			r.found = append(r.found, way+" is "+k.String()+", which may speak to one")
		}
	}
}

// followNamed looks at a named type, once. Those of others cannot know ours but by what they hold.
func (r *reach) followNamed(n *types.Named, way string) {
	for arg := range n.TypeArgs().Types() {
		r.follow(arg, way)
	}
	if r.seen[n.String()] {
		return
	}
	r.seen[n.String()] = true
	if face, ok := n.Underlying().(*types.Interface); ok && !face.Empty() {
		for _, does := range r.named() {
			if types.Implements(does, face) || types.Implements(types.NewPointer(does), face) {
				r.follow(types.NewPointer(does), way+"("+does.Obj().Name()+")")
			}
		}
	}
	if n.Obj().Pkg() == nil || !within(n.Obj().Pkg().Path(), "knobel/bot") {
		return
	}
	r.follow(n.Underlying(), way)
	for m := range n.Methods() {
		r.returns(m.Signature(), way+"."+m.Name())
	}
}

// returns follows what a function returns.
func (r *reach) returns(s *types.Signature, way string) {
	for result := range s.Results().Variables() {
		r.follow(result.Type(), way+"()")
	}
}

// inTransactions looks at the functions of a file that a transaction is given to, as a *store.Tx or
// as what holds one: none has what speaks to platforms from around it.
func (r *reach) inTransactions(f *ast.File) {
	var look func(n ast.Node, inside bool)
	look = func(n ast.Node, inside bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch is := m.(type) {
			case *ast.FuncDecl:
				look(is.Body, r.begins(is.Recv, is.Type, false))
				return false
			case *ast.FuncLit:
				look(is.Body, r.begins(nil, is.Type, inside))
				return false
			case *ast.Ident:
				if v, ok := r.info.Uses[is].(*types.Var); ok && inside && r.forbidden(v.Type()) {
					r.found = append(r.found, fmt.Sprintf("%s: %s", r.fset.Position(is.Pos()), is.Name))
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			look(fn, false)
		}
	}
}

// begins reports whether a function that stands inside of a transaction or not runs inside of one.
func (r *reach) begins(receiver *ast.FieldList, is *ast.FuncType, inside bool) bool {
	var given []*ast.Field
	if receiver != nil {
		given = append(given, receiver.List...)
	}
	for _, p := range append(given, is.Params.List...) {
		kind := r.info.Types[p.Type].Type
		if r.forbidden(kind) {
			return false
		}
		s, ok := bare(kind).Underlying().(*types.Struct)
		inside = inside || nameOf(kind) == "knobel/store.Tx" || ok && r.holdsTx(s)
	}
	return inside
}
