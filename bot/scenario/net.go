package scenario

import (
	"context"
	"net"
	"regexp"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

// Net is the connection of bots and platforms, and how the platforms differ from the usual. The zero Net is this
// machine's loopback.
type Net struct {
	Discord  discordtest.Options
	Telegram telegramtest.Options
	Emoji    bool // the bot uploads emoji
	wires    map[string]*fakes.Wire
}

// inMemory returns a net within a bubble, until the test ends.
func inMemory(t *testing.T) Net {
	n := Net{wires: map[string]*fakes.Wire{}}
	t.Cleanup(func() {
		for _, w := range n.wires {
			_ = w.Close()
		}
	})
	return n
}

// listener returns a platform's listener, nil: any.
func (n Net) listener(name string) net.Listener {
	if n.wires == nil {
		return nil
	}
	n.wires[name] = fakes.NewWire(name)
	return n.wires[name]
}

// dial returns how to reach a platform, nil: the usual way.
func (n Net) dial(name string) func(context.Context, string, string) (net.Conn, error) {
	if w := n.wires[name]; w != nil {
		return w.Dial
	}
	return nil
}

// option is an option of a command.
type option struct{ name, value string }

var named = regexp.MustCompile(` ([a-z-]+)=`)

// parsed splits a command into its name and its options, whose values may be of several words.
func parsed(line string) (name string, options []option) {
	at := named.FindAllStringSubmatchIndex(line, -1)
	for i, m := range at {
		end := len(line)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		options = append(options, option{line[m[2]:m[3]], line[m[1]:end]})
	}
	name = strings.TrimPrefix(line, "/")
	if len(at) > 0 {
		name = strings.TrimPrefix(line[:at[0][0]], "/")
	}
	return name, options
}
