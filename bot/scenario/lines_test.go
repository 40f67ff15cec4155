package scenario

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"knobel/store/storetest"
)

// How long boards are: the evenings in testdata, and each board in play as a phone shows it, in lines of 38 columns.

// phone is how many columns a line has.
const phone = 38

func TestBoardsInPlayAreTwoSecondsOfReading(t *testing.T) {
	for name, most := range map[string]int{"box": 12, "poker": 15} {
		files, err := filepath.Glob("testdata/evenings/" + name + "-*.txt")
		if err != nil || len(files) != 4 {
			t.Fatalf("%q, %v", files, err)
		}
		for _, file := range files {
			evening, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			boards := 0
			for _, shown := range message.FindAllStringSubmatch(string(evening), -1) {
				text, buttons := strings.ReplaceAll(shown[1], "    | ", ""), shown[2]
				if other.MatchString(buttons) {
					continue
				}
				boards++
				if n := len(asShown(text)); n > most {
					t.Errorf("a board in %s has %d lines, and not %d at most:\n%s", file, n, most, text)
				}
			}
			if boards < 10 {
				t.Errorf("%d boards in play in %s", boards, file)
			}
		}
	}
}

var (
	// message matches the table's message as it is posted or edited: its text and its buttons.
	message = regexp.MustCompile(`(?m)^Knobel (?:posts|edits) #1\n((?:    \|.*\n)+)((?:    \[.*\n)*)`)
	// other matches a button of a lobby or of a game that is over.
	other = regexp.MustCompile(`\[(Sit down|Mitspielen|Get up|▶|↻|Back|Zurück)`)
)

var (
	countdown = regexp.MustCompile(`<t:\d+:R>`)
	picture   = regexp.MustCompile(`<a?:\w+:\d+>`)
	markup    = regexp.MustCompile("(?m)^(#+|-#) |[*`]{1,3}|\\\\")
)

// asShown is a text in the lines in which a phone shows it.
func asShown(text string) (lines []string) {
	text = markup.ReplaceAllString(picture.ReplaceAllString(countdown.ReplaceAllString(text, "in 10 minutes"), "🎲"), "")
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && columns(line+" "+word) > phone {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimLeft(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}

// columns is how wide a text is: pictures take two columns.
func columns(text string) (n int) {
	for _, r := range text {
		switch {
		case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Mn, r):
		case r >= 0x1f000:
			n += 2
		default:
			n++
		}
	}
	return n
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
