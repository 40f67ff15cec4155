package bare

// Stories: what people do and are told, kept as text that reads like a chat.

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

var update = flag.Bool("update", false, "write what the bot says into the stories anew")

// Stories tells the stories of a file, each in a house of its own, and compares what people are told with what stands
// there; with -update it writes that anew. A line "== A title" begins a story. A line "> …" is what the step above it
// says: "refused: " before a refusal, "all: " before an answer that everyone reads. Steps are:
//
//	Anna: /shutbox stake=5        a command
//	Anna: [Sit down]              the button of her last answer, else of the board, that is labelled so
//	Anna: !throw 2                what a button of the newest table would carry at this moment
//	Anna keeps [Sit down]         remembers what the button carries, for
//	Anna: kept [Sit down]         later
//	Anna is admin                 or hosted, equal, forgotten; "Anna speaks de", "Anna goes to test:1/2"
//	Anna plays with Ben           presses to the end of the game
//	board, table                  shows the newest of where the person above is
//	owing chips Anna=-5 Ben=5     changes what stands in the chat's books by one posting
//	balances chips                shows them
//	wait 10m, restart             lets time go by; closes the database and begins again
//	luck 7                        has all dice of new tables follow from a byte
//
// A line that begins with # and an empty one say nothing.
func Stories(t *testing.T, file string, all ...games.Game) {
	t.Helper()
	Beside(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`(?m)^== `).Split(string(text), -1)
	for i, part := range parts[1:] {
		title, _, _ := strings.Cut(part, "\n")
		t.Run(title, func(t *testing.T) {
			s := &story{House: New(t, all...), people: map[string]*Person{}, kept: map[string]string{},
				answer: map[*Person]chat.Message{}}
			told := s.tell(part)
			s.Sound()
			if *update {
				parts[i+1] = told
			} else if d := cmp.Diff(strings.Split(part, "\n"), strings.Split(told, "\n")); d != "" {
				t.Errorf("it is another story, and -update writes it anew (-want +got):\n%s", d)
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(parts, "== ")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// story is one that is being told.
type story struct {
	*House
	people map[string]*Person
	last   *Person                  // who has done something last
	answer map[*Person]chat.Message // the last one
	kept   map[string]string        // what buttons have carried
}

// tell carries out the steps of a story and returns it with what is said.
func (s *story) tell(text string) string {
	lines := strings.Split(text, "\n")
	told := lines[:1:1]
	for _, line := range lines[1:] {
		if strings.HasPrefix(line, ">") {
			continue
		}
		told = append(told, line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for said := range strings.SplitSeq(strings.TrimSpace(s.step(line)), "\n") {
			if said != "" {
				told = append(told, "> "+strings.TrimRight(said, " "))
			}
		}
	}
	return strings.Join(told, "\n")
}

var deed = regexp.MustCompile(`^([^:]+): (/|!|\[|kept \[)(.*)$`)

// step carries out one and returns what is said.
func (s *story) step(line string) string {
	s.T.Helper()
	if is := deed.FindStringSubmatch(line); is != nil {
		return s.deed(s.whoIs(is[1]), is[2], is[3])
	}
	words := strings.Fields(line)
	switch verb := words[0]; {
	case verb == "board":
		m := s.last.Board()
		return strings.TrimRight(Show(m), "\n") + "\n" + m.Small
	case verb == "table":
		return tableLine(s.last.Table())
	case verb == "balances":
		return balanceLine(s.Stands(words[1]))
	case verb == "owing":
		amounts := map[string]int64{}
		for _, word := range words[2:] {
			name, amount, _ := strings.Cut(word, "=")
			var n int64
			if _, err := fmt.Sscan(amount, &n); err != nil {
				s.T.Fatalf("%s: %v", line, err)
			}
			amounts[name] = n
		}
		Owing(s.House, words[1], amounts)
	case verb == "wait":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			s.T.Fatalf("%s: %v", line, err)
		}
		s.Wait(d)
	case verb == "restart":
		s.Restart()
	case verb == "luck":
		var luck byte
		if _, err := fmt.Sscan(words[1], &luck); err != nil {
			s.T.Fatalf("%s: %v", line, err)
		}
		s.Seeds = Constant(luck)
		s.Restart()
	case len(words) > 2:
		return s.changes(s.whoIs(verb), words[1], strings.Join(words[2:], " "))
	default:
		s.T.Fatalf("no step: %s", line)
	}
	return ""
}

// whoIs is a person of the story, who is there from their first step on.
func (s *story) whoIs(name string) *Person {
	if s.people[name] == nil {
		s.people[name] = s.Person(name)
	}
	s.last = s.people[name]
	return s.last
}

// changes is what a person does that no platform sends.
func (s *story) changes(p *Person, verb, rest string) string {
	s.T.Helper()
	switch verb + " " + rest {
	case "is admin":
		p.Admin = true
	case "is hosted":
		p.Hosted = true
	case "is equal":
		p.Equals = true
	case "is forgotten":
		p.Sends(PressOn(s.T, p.Writes("/forget"), "Forget me"))
	default:
		switch verb {
		case "speaks":
			p.Locale = rest
		case "goes":
			p.Place = chat.Place(strings.TrimPrefix(rest, "to "))
		case "keeps":
			s.kept[rest] = s.labelled(p, strings.Trim(rest, "[]"))
		case "plays":
			people := []*Person{p}
			for _, name := range strings.Fields(strings.TrimPrefix(rest, "with ")) {
				people = append(people, s.whoIs(name))
			}
			s.PressOut(people)
		default:
			s.T.Fatalf("no step: %s %s %s", p.Name, verb, rest)
		}
	}
	return ""
}

// deed is what a person does on a platform.
func (s *story) deed(p *Person, kind, rest string) string {
	s.T.Helper()
	var r chat.Reply
	switch kind {
	case "/":
		r = p.Writes("/" + rest)
	case "!":
		table := p.Table()
		r = p.Sends(fmt.Sprintf("1:%d:%d:%s", table.ID, table.Turn, rest))
	case "[":
		r = p.Sends(s.labelled(p, strings.TrimSuffix(rest, "]")))
	default:
		press, has := s.kept["["+rest]
		if !has {
			s.T.Fatalf("%s has never kept [%s", p.Name, rest)
		}
		r = p.Sends(press)
	}
	delete(s.answer, p)
	said := r.Toast
	if r.Refused {
		said = "refused: " + said
	}
	if r.Private != nil {
		Proper(s.T, *r.Private)
		s.answer[p] = *r.Private
		said += "\n" + Show(*r.Private)
		if r.Public {
			said = "all: " + strings.TrimSpace(said)
		}
	}
	return said
}

// labelled is what a button of a person's last answer carries, or else one of the board.
func (s *story) labelled(p *Person, label string) string {
	s.T.Helper()
	for _, b := range slices.Concat(s.answer[p].Buttons...) {
		if b.Label == label {
			return b.Press
		}
	}
	return p.Button(label).Press
}

// tableLine is what counts of a table.
func tableLine(t store.Table) string {
	var seats []string
	for _, seat := range t.Seats {
		seats = append(seats, seat.Name)
	}
	return fmt.Sprintf("%s %s, stake %d, turn %d: %s", t.Game, t.State, t.Stake, t.Turn, strings.Join(seats, ", "))
}

// balanceLine is who has how much.
func balanceLine(all map[string]int64) string {
	var said []string
	for account, n := range all {
		said = append(said, fmt.Sprintf("%s %+d", account[strings.LastIndex(account, ":")+1:], n))
	}
	slices.Sort(said)
	return strings.Join(said, ", ")
}
