package chat_test

import (
	"testing"

	"knobel/bot/chat"
)

// The word joiner, which the skeleton leaves out, disables the shortcut for ASCII.
func TestPlainNamesHaveTheSkeletonOfTheLongWay(t *testing.T) {
	for r := range rune(128) {
		for _, name := range []string{"A" + string(r) + "b", string(r) + " B  c" + string(r)} {
			if short, long := chat.Skeleton(name), chat.Skeleton(name+"\u2060"); short != long {
				t.Errorf("%q: %q, the long way %q", name, short, long)
			}
		}
	}
}
