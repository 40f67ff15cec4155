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

// Net holds the options of the fake platforms and the network to them. The zero value uses the local network.
type Net struct {
	Discord  discordtest.Options
	Telegram telegramtest.Options
	Emoji    bool // the bot uploads emoji
	wires    map[string]*fakes.Wire
}

// inMemory returns a Net in memory, for a synctest bubble. It is closed when the test ends.
func inMemory(t *testing.T) Net {
	n := Net{wires: map[string]*fakes.Wire{}}
	t.Cleanup(func() {
		for _, w := range n.wires {
			_ = w.Close()
		}
	})
	return n
}

// listener returns a new listener at the address name, in memory; nil: the platform listens on a free port.
func (n Net) listener(name string) net.Listener {
	if n.wires == nil {
		return nil
	}
	n.wires[name] = fakes.NewWire(name)
	return n.wires[name]
}

// dial returns the function that connects to the listener at the address name; nil: the default.
func (n Net) dial(name string) func(context.Context, string, string) (net.Conn, error) {
	if w := n.wires[name]; w != nil {
		return w.Dial
	}
	return nil
}

// option is an option of a command.
type option struct{ name, value string }

var optionName = regexp.MustCompile(` ([a-z-]+)=`)

// splitOptions splits a command into its name and its options, whose values may have several words.
func splitOptions(line string) (name string, options []option) {
	matches := optionName.FindAllStringSubmatchIndex(line, -1)
	for i, m := range matches {
		end := len(line)
		if i+1 < len(matches) {
			end = matches[i+1][0]
		}
		options = append(options, option{line[m[2]:m[3]], line[m[1]:end]})
	}
	name = strings.TrimPrefix(line, "/")
	if len(matches) > 0 {
		name = strings.TrimPrefix(line[:matches[0][0]], "/")
	}
	return name, options
}
