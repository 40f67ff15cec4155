package conventions

import (
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// asserted finds the names of package chat in a type assertion or a case of a switch on a line of code.
func asserted(line string) (names []string) {
	cases := regexp.MustCompile(`^\s*case |\.\(chat\.`).MatchString(line)
	for _, m := range regexp.MustCompile(`\bchat\.(\w+)[):,]`).FindAllStringSubmatch(line, -1) {
		if cases {
			names = append(names, m[1])
		}
	}
	return names
}

// What a platform can do stands in chat.Platform, and is never found out by asserting:
// what is asserted is lost where something stands around an adapter.
func TestPlatformsAreNotAskedWhatTheyCanDo(t *testing.T) {
	chats, err := sourceOf(t).Import("knobel/bot/chat")
	if err != nil || !types.IsInterface(chats.Scope().Lookup("Platform").Type()) {
		t.Fatalf("there is no interface chat.Platform (%v)", err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		code, err := os.ReadFile(path)
		for line := range strings.Lines(string(code)) {
			for _, name := range asserted(line) {
				if is, ok := chats.Scope().Lookup(name).(*types.TypeName); ok && types.IsInterface(is.Type()) {
					t.Errorf("%s asserts chat.%s: have chat.Platform say it, and chat.Basics where it is not so",
						path, name)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for line, names := range map[string][]string{"_, _ = p." + "(chat.Caller)": {"Caller"},
		"\tcase chat.Linked, chat.Caller:": {"Linked", "Caller"}, "func f(p chat.Platform)": nil} {
		if got := asserted(line); !slices.Equal(got, names) { // which shows that the check can fail
			t.Errorf("%q asserts %q", line, got)
		}
	}
}
