package bare

// Stories: text files of commands, presses and expected replies that read like a chat.

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

// Stories runs the stories of a file, each in a new House, and compares the replies with those in the file, or writes
// them to the file with -update. A line "== A title" begins a story. A line "> …" is a reply to the step above it:
// "refused: " begins a refusal, "all: " an answer to all people, "stays: " an answer that all people see and that the
// person's next answer does not replace. Steps are:
//
//	Anna: /shutbox stake=5        sends a command
//	Anna: [Sit down]              presses the button with this label on her last answer, else on the newest message
//	                              that is no board, else on the board
//	Anna: !throw 2                presses a button with this move at the newest table; "!!join" is a verb
//	Anna keeps [Sit down]         stores the data of the button, for
//	Anna: kept [Sit down]         a later press with this data
//	Anna: 1:1:0:!leave            presses a button with exactly this data
//	Anna taps [Sit down]          presses once, even if that is refused as a double tap
//	Anna types /play game=shut    shows the completions of the last option; "_" is a space
//	Anna fills /play game=shutbox sends a command whose options the platform passes by name
//	Anna is admin                 or not admin, hosted, equal, menued, threaded, aloud, whispering, alone …
//	Anna speaks de                sets her language; "Anna renames to Ann"; "Anna shares en": her chat's language
//	Anna goes to test:1/2         moves her to another place; "Anna leaves the chat", "Anna comes back"
//	Anna reads options?table=1    shows data for her page, a field of JSON a line
//	Anna plays with Ben           plays the game to its end
//	Anna sees the board           shows the board as drawn for her alone; also "the offers"
//	board, table                  shows the newest board or table of the last person's place; "board 1": of table 1
//	owing chips Anna=-5 Ben=5     changes the chat's balances by one posting; "balances chips" shows them
//	terms, buttons, offers        shows more of the newest table; also "moves", "entropy", "sheet"
//	wait 10m, sleep 3h, restart   advances the clock, "sleep" in one step; opens the database again
//	running                       runs the bot in a bubble, on a platform with pings, until "stopped"
//	running linked                the same, and on "room"; "cut off" ends the first connection, "joined" restores it
//	calls, done                   shows the pings; shows the requests to the platform since the last "done"
//	posted                        shows the messages beside boards that were posted since the last "posted"
//	fails edit gone               makes the next post, edit or call fail: gone, away, unsure, later
//	luck 7                        makes all dice of new tables depend on a byte
//	one browser                   lets people with the same first letter share a browser
//	restored                      repeats the operator's step after restoring an older file
//	tamper UPDATE …               changes the database without the bot; "faults" shows the faults that a check finds
//	game /pile 5 by Anna, house: Anna take 6+5     plays a whole game with these players and moves
//	record result                 shows keys of the newest table's record; "named" shows the id of its house rules
//	at 2026-11-21T20:30:00Z       advances the clock to this time; "zone Asia/Tokyo" sets the installation's time zone
//	reviewed                      computes the reviews of all games; "solved" waits until hints are computed
//	puzzle 1                      shows a puzzle
//	notice                        shows the newest message on the platform that is no board
//
// In "Anna, Ben: [Sit down]" each person acts in turn. Empty lines and lines that begin with # do nothing.
func Stories(t *testing.T, file string, all ...games.Game) {
	t.Helper()
	Beside(t)
	text, err := os.ReadFile(file)
	check(t, err)
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
		check(t, os.WriteFile(file, []byte(strings.Join(parts, "== ")), 0o644))
	}
}

// AllStories runs Stories for each text file in testdata.
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

// story is a story that is being run.
type story struct {
	*House
	square *Square // the platform of the running or stopped bot, nil: none
	stop   func()  // ends the run, nil: the bot does not run
	link   chat.Linking
	people map[string]*Person
	last   *Person                  // the person of the last step
	answer map[*Person]chat.Message // last answer of each person
	kept   map[string]string        // data of buttons that people keep, by label
	seen   int                      // number of messages beside boards that were shown
	// tampered means that the database is changed on purpose and need not pass Sound at the end.
	tampered bool
}

// tell runs the steps of a story and returns its text with the actual replies.
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

var actPattern = regexp.MustCompile(`^([^:]+): (/|!|\[|kept \[|\d+:)(.*)$`)

// step runs one line and returns the reply as text.
func (s *story) step(line string) string {
	s.T.Helper()
	if is := actPattern.FindStringSubmatch(line); is != nil {
		var said []string
		for name := range strings.SplitSeq(is[1], ", ") {
			said = append(said, s.act(s.person(name), is[2], is[3]))
		}
		s.settle()
		return strings.Join(said, "\n")
	}
	words := strings.Fields(line)
	if does, is := steps[words[0]]; is {
		return does(s, strings.Join(words[1:], " "))
	}
	if len(words) < 3 {
		s.T.Fatalf("no step: %s", line)
	}
	said := s.changePerson(s.person(words[0]), words[1], strings.Join(words[2:], " "))
	s.settle()
	return said
}

// person returns the person of the story with that name, new at their first step, and stores them as the last one.
func (s *story) person(name string) *Person {
	if s.people[name] == nil {
		s.people[name] = s.Person(name)
	}
	s.last = s.people[name]
	return s.last
}

// changePerson runs a step such as "Anna speaks de", which is not a command or press, and returns the reply as text.
func (s *story) changePerson(p *Person, verb, rest string) string {
	s.T.Helper()
	switch verb {
	case "is":
		s.setTrait(p, rest)
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
		s.kept[rest] = s.pressOf(p, strings.Trim(rest, "[]"))
	case "taps":
		return s.replyText(p, p.Taps(s.pressOf(p, strings.Trim(rest, "[]"))))
	case "sees":
		return s.sees(p, rest)
	case "fills":
		return s.replyText(p, s.Bot.Handle(s.T.Context(), p.optionsEvent(strings.Fields(rest))))
	case "reads":
		return s.reads(p, rest)
	case "types":
		return s.completions(p, strings.Fields(rest))
	case "plays":
		people := []*Person{p}
		for _, name := range strings.Fields(strings.TrimPrefix(rest, "with ")) {
			people = append(people, s.person(name))
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

// setTrait sets a property of a person: an admin, or a trait of their place such as "hosted" or "not hosted".
func (s *story) setTrait(p *Person, what string) {
	s.T.Helper()
	switch what {
	case "admin", "not admin":
		p.Admin = what == "admin"
	case "forgotten":
		p.Sends(PressOn(s.T, p.Writes("/forget"), "Forget me"))
	default:
		trait, not := strings.CutPrefix(what, "not ")
		is := map[string]*bool{"hosted": &p.Hosted, "equal": &p.Equals, "menued": &p.Menus, "threaded": &p.Threads,
			"aloud": &p.Aloud, "whispering": &p.Whispers, "typing": &p.Typed, "alone": &p.Own,
			"perishing": &p.Perishable, "guest": &p.Guest}[trait]
		if is == nil {
			s.T.Fatalf("no step: %s is %s", p.Name, what)
		}
		*is = !not
	}
}

// act runs a person's step: kind, such as "/", "!", "[" or "kept [", and then rest. It returns the reply as text.
func (s *story) act(p *Person, kind, rest string) string {
	s.T.Helper()
	var r chat.Reply
	switch kind {
	case "/":
		r = p.Writes("/" + rest)
	case "!":
		table := p.Table()
		r = p.Sends(fmt.Sprintf("1:%d:%d:%s", table.ID, table.Turn, rest))
	case "[":
		r = p.Sends(s.pressOf(p, strings.TrimSuffix(rest, "]")))
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
	return s.replyText(p, r)
}

// replyText returns the reply to p as text: toast, private answer, the pressed list in its new state, and picture.
func (s *story) replyText(p *Person, r chat.Reply) string {
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

// pressOf returns the data of the button with a label, on the person's last answer or else on the board.
func (s *story) pressOf(p *Person, label string) string {
	s.T.Helper()
	for _, b := range slices.Concat(append(s.answer[p].Buttons, s.newestNotice().Buttons...)...) {
		if b.Label == label {
			return b.Press
		}
	}
	return p.Button(label).Press
}
