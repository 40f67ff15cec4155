package scenario

// Transcripts of evenings: people's actions and the bot's messages, like a chat. -update writes testdata/evenings.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/discord/discordtest"
	"knobel/store/storetest"
)

var update = flag.Bool("update", false, "write the evenings in testdata anew")

// reader writes a transcript of people's views.
type reader struct {
	*Stage
	people []*Person
	end    func()
	tick   *time.Ticker
	zone   *time.Location // of the dates in the transcript

	mu     sync.Mutex
	lines  []string
	last   time.Time          // of the last line
	shown  map[string]Message // by id
	number map[string]int
	seen   []Message // as they were posted and edited
}

// glance is the interval at which the reader looks for changes; messages that exist for less are not noted.
const glance = 100 * time.Millisecond

// reads returns a reader that looks at the messages of people from now on.
func reads(s *Stage, people ...*Person) *reader {
	r := &reader{Stage: s, people: people, last: time.Now(), shown: map[string]Message{}, number: map[string]int{},
		tick: time.NewTicker(time.Hour), zone: time.UTC}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(glance / 3) // never at the same moment as a step of the script
		for r.tick.Reset(glance); ; {
			select {
			case <-r.tick.C:
				r.look()
			case <-stop:
				return
			}
		}
	}()
	r.end = sync.OnceFunc(func() {
		close(stop)
		<-done
	})
	s.Cleanup(r.end)
	return r
}

// note adds a line with what happened, and below it the lines of text and the buttons.
func (r *reader) note(what, text string, buttons []Button) {
	now := time.Now()
	if later := now.Sub(r.last); later > time.Hour/2 {
		r.lines = append(r.lines, "", now.In(r.zone).Format("Monday, 2 January 2006, 15:04"))
	} else if later > 3500*time.Millisecond && len(r.lines) > 0 {
		r.lines = append(r.lines, fmt.Sprintf("   ... %.0f seconds later", later.Seconds()))
	}
	r.last = now
	r.lines = append(r.lines, what)
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if text != "" {
			r.lines = append(r.lines, strings.TrimRight("    | "+line, " "))
		}
	}
	row := ""
	for _, b := range buttons {
		label := "[" + b.Label + "]"
		if row != "" && len([]rune(row+label)) > 60 {
			r.lines = append(r.lines, "    "+row)
			row = ""
		}
		row = strings.TrimLeft(row+" "+label, " ")
	}
	if row != "" {
		r.lines = append(r.lines, "    "+row)
	}
}

// look notes the changes since the last look.
func (r *reader) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := map[string]bool{}
	for who := -1; who < len(r.people); who++ {
		for _, m := range r.Messages(who) {
			if who >= 0 && !m.Alone || now[m.ID] {
				continue
			}
			now[m.ID] = true
			to := ""
			if who >= 0 {
				to = " to " + r.people[who].Name + " alone"
			}
			was, known := r.shown[m.ID]
			r.shown[m.ID] = m
			switch {
			case !known:
				r.number[m.ID] = len(r.number) + 1
				r.note(fmt.Sprintf("Knobel posts #%d%s", r.number[m.ID], to), m.Text, m.Buttons)
				r.seen = append(r.seen, m)
			case was.Text != m.Text || !slices.Equal(labels(was), labels(m)):
				r.note(fmt.Sprintf("Knobel edits #%d%s", r.number[m.ID], to), m.Text, m.Buttons)
				r.seen = append(r.seen, m)
			}
		}
	}
	var gone []string
	for id := range r.shown {
		if !now[id] {
			gone = append(gone, id)
		}
	}
	slices.SortFunc(gone, func(a, b string) int { return r.number[a] - r.number[b] })
	for _, id := range gone {
		r.note(fmt.Sprintf("Knobel deletes #%d", r.number[id]), "", nil)
		delete(r.shown, id)
	}
}

func labels(m Message) (all []string) {
	for _, b := range m.Buttons {
		all = append(all, b.Label)
	}
	return all
}

// noteDeed runs a person's action and notes it with its answer.
func (r *reader) noteDeed(p *Person, what string, deed func() string) {
	r.Helper()
	r.mu.Lock()
	r.note(p.Name+" "+what, "", nil)
	r.mu.Unlock()
	told := deed()
	r.mu.Lock()
	if told != "" && !r.isShown(p, told) {
		r.note("  "+p.Name+" reads: "+strings.ReplaceAll(told, "\n", " / "), "", nil)
	}
	r.mu.Unlock()
	r.Settled()
	time.Sleep(time.Until(time.Now().Truncate(pace).Add(2 * pace))) // a multiple of pace, however long the answer took
}

// isShown reports whether p sees a message with the answer told. The transcript then has that message, from look.
func (r *reader) isShown(p *Person, told string) bool {
	first, _, _ := strings.Cut(told, "\n")
	return slices.ContainsFunc(p.Sees(), func(m Message) bool {
		head, _, _ := strings.Cut(m.Text, "\n")
		return head == first
	})
}

// pace is the pause between the actions of people.
const pace = time.Second

// writes sends a command of p and notes it with its answer.
func (r *reader) writes(p *Person, line string) {
	r.Helper()
	r.noteDeed(p, r.filledIn(line), func() string { return p.Writes(line) })
}

// filledIn returns a command as people fill it in on the platform.
func (r *reader) filledIn(line string) string {
	c, ok := r.Place.(*Channel)
	if !ok {
		return line
	}
	name, given := c.parseLine(line)
	words := []string{"/" + name}
	for _, o := range given {
		if chosen, ok := o.Value.(*discordtest.Person); ok {
			o.Value = "@" + chosen.Name
		}
		words = append(words, fmt.Sprint(o.Name, ":", o.Value))
	}
	return strings.Join(words, " ")
}

// presses presses a button as p and notes that with the answer.
func (r *reader) presses(p *Person, button string) {
	r.Helper()
	on, b := p.Finds(button)
	r.noteDeed(p, "presses ["+b.Label+"]", func() string { return p.Sends(on, b.Data) })
}

// compare compares the transcript with the file of that name, or writes the file with -update.
func (r *reader) compare(name string) {
	r.Helper()
	r.end()
	r.look()
	file := filepath.Join("testdata", "evenings", name+".txt")
	got := strings.Join(r.lines, "\n") + "\n"
	if *update {
		check(r, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	check(r, err)
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		r.Errorf("the evening is another one, and -update writes it anew (-want +got):\n%s", d)
	}
}

// An evening of Shut the Box: three people and the computer, an absent player, the end, and commands afterwards.
func TestTheEveningAtTheBox(t *testing.T) {
	inBothLanguages(t, "box", Setting{Luck: "box2"}, func(s *Stage, language string) *reader {
		anna, ben, clara := s.Person("Anna", language), s.Person("Ben", language), s.Person("Clara", language)
		time.Sleep(2 * time.Minute) // until earlier writes no longer count against limits
		r := reads(s, anna, ben, clara)
		r.writes(anna, "/shutbox stake=10 turn=1m")
		r.presses(ben, ":!join")
		r.presses(clara, ":!join")
		r.presses(anna, ":!page houses")
		r.presses(anna, ":!house fewest")
		r.presses(anna, ":!start")
		r.playGame(1, anna, ben, nil) // Clara is not there
		time.Sleep(10 * time.Second)
		r.presses(anna, ":/review")
		r.writes(ben, "/settle")
		r.writes(anna, "/leaderboard")
		r.writes(ben, "/stats")
		r.writes(clara, "/luck word=fox")
		r.writes(anna, "/hint")
		time.Sleep(3 * time.Minute)
		return r
	})
}

// An evening of Würfelpoker: two rounds with kept dice, the sheet, and a vote that ends the game.
func TestTheEveningOfWuerfelpoker(t *testing.T) {
	inBothLanguages(t, "poker", Setting{Luck: "poker"}, func(s *Stage, language string) *reader {
		anna, ben := s.Person("Anna", language), s.Person("Ben", language)
		time.Sleep(2 * time.Minute)
		r := reads(s, anna, ben)
		r.writes(anna, "/wuerfelpoker")
		r.presses(ben, ":!join")
		r.presses(anna, ":!start")
		for range 2 {
			for _, p := range []*Person{anna, ben} {
				r.presses(p, ":throw")
				r.presses(p, ":!pick 1")
				r.presses(p, ":!pick 3")
				r.presses(p, ":!play")
				r.presses(p, ":!show write")
				rows := slices.DeleteFunc(slices.Clone(s.Board().Buttons), func(b Button) bool {
					return !strings.Contains(b.Data, ":write ") && !strings.Contains(b.Data, ":strike ")
				})
				r.presses(p, rows[0].Data[strings.LastIndex(rows[0].Data, ":"):])
			}
		}
		r.presses(ben, ":!show sheet")
		r.writes(anna, "/abandon")
		r.presses(ben, ":!vote yes")
		time.Sleep(2 * time.Minute)
		return r
	})
}

// The lengths of boards: those of the evenings in testdata and of each board in play, in a phone's lines of 38 columns.

// phone is the number of columns of a line on a phone.
const phone = 38

func TestBoardsInPlayAreTwoSecondsOfReading(t *testing.T) {
	for name, most := range map[string]int{"box": 13, "poker": 15} {
		files, err := filepath.Glob("testdata/evenings/" + name + "-*.txt")
		if err != nil || len(files) != 4 {
			t.Fatalf("%q, %v", files, err)
		}
		for _, file := range files {
			evening, err := os.ReadFile(file)
			check(t, err)
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
	other = regexp.MustCompile(`\[(Join|Mitspielen|Leave|Aussteigen|▶|↻|Back|Zurück)`)
)

var (
	countdown = regexp.MustCompile(`<t:\d+:R>`)
	picture   = regexp.MustCompile(`<a?:\w+:\d+>`)
	markup    = regexp.MustCompile("(?m)^(#+|-#) |[*`]{1,3}|\\\\")
)

// asShown splits a text into the lines in which a phone shows it.
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

// columns returns the width of a text in columns; emoji take two.
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
