package telegramtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Older servers, which refuse or ignore what they do not know.

// known is a server's version of the Bot API, "": today's.
type known string

// before reports whether it is older than another version, "9.5".
func (k known) before(version string) bool {
	return k != "" && slices.Compare(numbers(string(k)), numbers(version)) < 0
}

// method reports whether a server of the version has a method.
func (k known) method(name string) bool { return sinceOf[name] == "" || !k.before(sinceOf[name]) }

// numbers returns the parts of a version.
func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		all = append(all, n)
	}
	return all
}

// sinceOf are the versions of methods that not every server knows.
var sinceOf = map[string]string{"setMessageReaction": "7.0", "sendRichMessage": "10.1"}

// Markup that older servers refuse, with their errors.
var newMarkup = []struct {
	since string
	tag   *regexp.Regexp
	says  string
}{
	{"7.4", regexp.MustCompile(`<blockquote expandable>`),
		`Expected equal sign in declaration of an attribute of the tag "blockquote" at byte offset %d`},
	{"9.5", regexp.MustCompile(`<tg-time\b`), `Unsupported start tag "tg-time" at byte offset %d`},
}

// illegible returns the error about a text's markup on a server of the version, "": none.
func (k known) illegible(html string) string {
	for _, m := range newMarkup {
		if at := m.tag.FindStringIndex(html); at != nil && k.before(m.since) {
			return fmt.Sprintf(m.says, at[0])
		}
	}
	return ""
}
