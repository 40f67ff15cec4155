package bare

// Stories: what people do and are told, kept as text that reads like a chat.

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/games"
)

var update = flag.Bool("update", false, "write what the bot says into the stories anew")

// Stories tells the stories of a file, each in a house of its own, and compares what people are told with what stands
// there; with -update it writes that anew. A line "== A title" begins a story. A line "> …" is what the step above it
// says: "refused: " before a refusal, "all: " before an answer that everyone reads, "stays: " where all do before one
// that is not replaced by the next. Steps are:
//
//	Anna: /shutbox stake=5        a command
//	Anna: [Sit down]              the button of her last answer, else of the board, that is labelled so
//	Anna: !throw 2                what a button of the newest table would carry at this moment
//	Anna keeps [Sit down]         remembers what the button carries, for
//	Anna: kept [Sit down]         later
//	Anna: 1:1:0:!leave            exactly this press
//	Anna taps [Sit down]          presses once, however short the time since the last press
//	Anna types /play game=shut    shows what is offered to complete it; "_" is a space
//	Anna fills /play game=shutbox a command whose options the platform has apart
//	Anna is admin                 or not admin, hosted, equal, menued, threaded, aloud, whispering, alone …
//	Anna speaks de                and "Anna renames to Ann"; "Anna shares en", the language of her chat
//	Anna goes to test:1/2         to another place; "Anna leaves the chat", "Anna comes back"
//	Anna plays with Ben           presses to the end of the game
//	Anna sees the board           shows it as it is drawn for her alone; also "the offers"
//	board, table                  shows the newest of where the person above is; "board 1" that of a table
//	owing chips Anna=-5 Ben=5     changes the chat's books by one posting; "balances chips" shows them
//	terms, buttons, offers        shows more of the newest table: "moves", "entropy", "sheet", too
//	wait 10m, sleep 3h, restart   lets time go by, also while the machine sleeps; opens the database again
//	running                       runs the bot in a bubble, at a platform on which it can call, until "stopped"
//	running linked                at one whose people can be "cut off", and "joined" again, and at "room" besides
//	calls, done                   shows the calls there; what the platform was asked to do
//	fails edit gone               has the next post, edit or call fail: gone, away, unsure, later
//	luck 7                        has all dice of new tables follow from a byte
//	one browser                   people whose names begin alike are at the same browser
//	restored                      does what is done after an older file was put back
//	tamper UPDATE …               changes the database behind the bot's back; "faults" shows what a check finds then
//	game /pile 5 by Anna, house: Anna take 6+5     plays all of a game, or those moves
//	record result                 shows keys of the record of the newest table; "named" its house rules
//	at 2026-11-21T20:30:00Z       lets time go by until then; "zone Asia/Tokyo" is that of the installation
//	reviewed                      waits until all games of the chat are; "solved", until hints are known
//	puzzle 1                      shows a puzzle as it is drawn
//
// Several people do the same in turn: "Anna, Ben: [Sit down]". A line that begins with # and an empty one say nothing.
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
			told := ""
			tell := func(t *testing.T) {
				s := &story{House: New(t, all...), people: map[string]*Person{}, kept: map[string]string{},
					answer: map[*Person]chat.Message{}}
				if told = s.tell(part); !s.tampered {
					s.Sound()
				}
			}
			if strings.Contains(part, "\nrunning") {
				Bubble(t, tell)
			} else {
				tell(t)
			}
			if *update {
				parts[i+1] = told
			} else if d := cmp.Diff(strings.Split(part, "\n"), strings.Split(told, "\n")); d != "" {
				t.Errorf("it is another story, and -update writes it anew (-want +got):\n%s", d)
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(parts, "== ")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// AllStories tells those of each file in the folder testdata of a room.
func AllStories(t *testing.T, all ...games.Game) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { Stories(t, file, all...) })
	}
}

// story is one that is being told.
type story struct {
	*House
	square *Square // where the bot runs or has run, nil: nowhere
	stop   func()  // ends the run, nil: the bot does not run
	link   chat.Linking
	people map[string]*Person
	last   *Person                  // who has done something last
	answer map[*Person]chat.Message // the last one
	kept   map[string]string        // what buttons have carried
	// tampered says that the story ends with a database that is not sound, and has shown why
	tampered bool
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

var deed = regexp.MustCompile(`^([^:]+): (/|!|\[|kept \[|\d+:)(.*)$`)

// step carries out one and returns what is said.
func (s *story) step(line string) string {
	s.T.Helper()
	if is := deed.FindStringSubmatch(line); is != nil {
		var said []string
		for name := range strings.SplitSeq(is[1], ", ") {
			said = append(said, s.deed(s.whoIs(name), is[2], is[3]))
		}
		s.rests()
		return strings.Join(said, "\n")
	}
	words := strings.Fields(line)
	if does, is := steps[words[0]]; is {
		return does(s, strings.Join(words[1:], " "))
	}
	if len(words) < 3 {
		s.T.Fatalf("no step: %s", line)
	}
	said := s.changes(s.whoIs(words[0]), words[1], strings.Join(words[2:], " "))
	s.rests()
	return said
}

// whoIs returns a person of the story, who is there from their first step on.
func (s *story) whoIs(name string) *Person {
	if s.people[name] == nil {
		s.people[name] = s.Person(name)
	}
	s.last = s.people[name]
	return s.last
}

// changes does what a person does that no platform sends, and returns what is said.
func (s *story) changes(p *Person, verb, rest string) string {
	s.T.Helper()
	switch verb {
	case "is":
		s.becomes(p, rest)
	case "speaks":
		p.Locale = rest
	case "renames":
		p.Called = strings.TrimPrefix(rest, "to ")
		ev := p.Event()
		ev.Renamed = true
		s.Bot.Handle(s.T.Context(), ev)
	case "goes":
		p.Place = chat.Place(strings.TrimPrefix(rest, "to "))
		where, _, _ := strings.Cut(string(p.Place), "/")
		p.Chat = chat.Chat(where)
	case "shares":
		p.Shared = rest
	case "leaves":
		s.Leave(p)
	case "comes":
		ev := chat.Event{Chat: "test:1", Members: chat.Members{Joined: []chat.User{p.Event().User}}}
		s.Bot.Handle(s.T.Context(), ev)
	case "keeps":
		s.kept[rest] = s.labelled(p, strings.Trim(rest, "[]"))
	case "taps":
		return s.told(p, p.Taps(s.labelled(p, strings.Trim(rest, "[]"))))
	case "sees":
		return s.sees(p, rest)
	case "fills":
		return s.told(p, s.Bot.Handle(s.T.Context(), p.apart(strings.Fields(rest))))
	case "types":
		return s.completed(p, strings.Fields(rest))
	case "plays":
		people := []*Person{p}
		for _, name := range strings.Fields(strings.TrimPrefix(rest, "with ")) {
			people = append(people, s.whoIs(name))
		}
		if p.Board().Sheet != nil {
			s.PressOut(people)
		} else {
			s.PlayOn(s.T.Name(), people...)
		}
	default:
		s.T.Fatalf("no step: %s %s %s", p.Name, verb, rest)
	}
	return ""
}

// becomes makes a person what they are from now on.
func (s *story) becomes(p *Person, what string) {
	s.T.Helper()
	switch what {
	case "admin", "not admin":
		p.Admin = what == "admin"
	case "forgotten":
		p.Sends(PressOn(s.T, p.Writes("/forget"), "Forget me"))
	default:
		trait, not := strings.CutPrefix(what, "not ")
		is := map[string]*bool{"hosted": &p.Hosted, "equal": &p.Equals, "menued": &p.Menus, "threaded": &p.Threads,
			"aloud": &p.Aloud, "whispering": &p.Whispers, "typing": &p.Typed, "alone": &p.Own}[trait]
		if is == nil {
			s.T.Fatalf("no step: %s is %s", p.Name, what)
		}
		*is = !not
	}
}

// deed does what a person does on a platform, and returns what they are told.
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
		if kind != "kept [" {
			r = p.Sends(kind + rest)
			break
		}
		press, has := s.kept["["+rest]
		if !has {
			s.T.Fatalf("%s has never kept [%s", p.Name, rest)
		}
		r = p.Sends(press)
	}
	return s.told(p, r)
}

// told returns what a person is told: by a short line, an answer, the list whose button was pressed, and a picture.
func (s *story) told(p *Person, r chat.Reply) string {
	s.T.Helper()
	delete(s.answer, p)
	said := r.Toast
	if r.Refused {
		said = "refused: " + said
	}
	var answer chat.Message
	for _, m := range []*chat.Message{r.Private, r.Page} {
		if m == nil {
			continue
		}
		Proper(s.T, *m)
		buttons := slices.Concat(answer.Buttons, m.Buttons)
		answer = *m
		answer.Buttons = buttons
		shown := Show(*m) + choiceLines(*m)
		switch {
		case m == r.Page:
			said += "\nthe list: " + shown
		case r.Instead:
			said = "all, in place: " + strings.TrimSpace(said+"\n"+shown)
		case r.Public:
			said = "all: " + strings.TrimSpace(said+"\n"+shown)
		case r.Stays && p.Aloud:
			said += "\nstays: " + shown
		case r.Secret:
			said += "secret: " + shown
		default:
			said += "\n" + shown
		}
		if m.Picture != nil {
			if _, err := png.Decode(bytes.NewReader(m.Picture.PNG)); err != nil {
				s.T.Error(err)
			}
			said = strings.TrimSpace(said) + "\npicture " + m.Picture.Name + ": " + m.Picture.Alt
		}
	}
	if answer.Head != "" {
		s.answer[p] = answer
	}
	return said
}

// labelled returns what a button of a person's last answer carries, or else one of the board.
func (s *story) labelled(p *Person, label string) string {
	s.T.Helper()
	for _, b := range slices.Concat(s.answer[p].Buttons...) {
		if b.Label == label {
			return b.Press
		}
	}
	return p.Button(label).Press
}
