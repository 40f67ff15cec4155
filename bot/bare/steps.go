package bare

// Steps of stories that are not acts of a person.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// steps holds a function for each step, by its first word. It runs the step and returns the text to show.
var steps map[string]func(s *story, rest string) string

func init() {
	steps = map[string]func(s *story, rest string) string{
		"board":    (*story).board,
		"table":    func(s *story, _ string) string { return tableLine(s.last.Table()) },
		"terms":    func(s *story, _ string) string { return s.terms(s.last.Table()) },
		"buttons":  func(s *story, _ string) string { return buttonLines(s.last.Board()) },
		"entropy":  func(s *story, _ string) string { return entropyLine(s.last.Table()) },
		"offers":   func(s *story, _ string) string { return Show(s.last.Offers()) },
		"sheet":    (*story).sheet,
		"restored": (*story).restored,
		"moves":    func(s *story, _ string) string { return moveLine(s.Moves(s.last.Table().ID)) },
		"owing":    (*story).owing,
		"balances": func(s *story, unit string) string { return balanceLine(s.Stands(unit)) },
		"wait":     (*story).waits,
		"sleep":    func(s *story, d string) string { s.Wait(s.duration(d)); s.settle(); return "" },
		"restart":  (*story).restarts,
		"running":  (*story).runs,
		"stopped":  (*story).stops,
		"cut":      func(s *story, _ string) string { return s.turns(false) },
		"joined":   func(s *story, _ string) string { return s.turns(true) },
		"calls":    (*story).calls,
		"done":     (*story).done,
		"posted":   (*story).posted,
		"fails":    (*story).fails,
		"guide":    func(s *story, _ string) string { return s.last.Board().Guide },
		"luck":     (*story).luck,
		"one":      func(s *story, _ string) string { s.Same = true; return "" },
		"tamper":   func(s *story, statement string) string { s.Tamper(statement); return "" },
		"game":     (*story).game,
		"record":   (*story).record,
		"at":       (*story).clockAt,
		"zone":     (*story).zoneOf,
		"reviewed": (*story).reviewed,
		"solved":   (*story).solved,
		"puzzle":   (*story).puzzle,
		"notice":   (*story).notice,
		"faults":   (*story).faults,
		"named":    func(s *story, _ string) string { return fmt.Sprint("house rules ", s.last.Table().HouseRules) },
	}
}

// board returns the board of the table with a number, else of the newest.
func (s *story) board(number string) string {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		id = s.last.Table().ID
	}
	m := s.BoardOf(id)
	said := strings.TrimRight(Show(m), "\n")
	if m.Deadline != nil {
		said += "\n" + m.Deadline.String()
	}
	return said + "\n" + m.Small
}

// owing changes balances: "chips Anna=-5 Ben=5". It returns "".
func (s *story) owing(rest string) string {
	words := strings.Fields(rest)
	amounts := map[string]int64{}
	for _, word := range words[1:] {
		name, amount, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(amount, 10, 64)
		check(s.T, err)
		amounts[name] = n
	}
	Owing(s.House, words[0], amounts)
	return ""
}

// restored runs Tables.Restored, as after a restored backup. It returns the changes, and the boards to be drawn.
func (s *story) restored(string) string {
	done, err := s.Bot.Restored(s.T.Context())
	check(s.T, err)
	return fmt.Sprintf("%d ended, %d sealed, to be drawn: %v", done.Ended, done.Sealed, s.Lagging())
}

func (s *story) duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	check(s.T, err)
	return d
}

// waits advances the clock by text ("2m"). If the bot runs, the clock stops when work is due, until that work is done.
func (s *story) waits(text string) string {
	d := s.duration(text)
	if s.stop == nil {
		s.Wait(d)
		return ""
	}
	for end := s.Time().Add(d); s.Time().Before(end); s.settle() {
		step := min(s.Clock.Rings(), end.Sub(s.Time()))
		time.Sleep(step) // chat.Linking goes by package time, not by s.Clock
		s.Wait(step)
	}
	return ""
}

// settle waits until the running bot has done all current work.
func (s *story) settle() {
	if s.stop != nil {
		synctest.Wait()
	}
}

func (s *story) restarts(string) string { // opens the database again with a new bot, which runs if the old one did
	if s.stop == nil {
		s.Restart()
		return ""
	}
	s.stops("")
	s.Restart()
	return s.runs("")
}

// linkedSquare is a Square whose connection can be lost.
type linkedSquare struct {
	*Square
	*chat.Linking
}

// otherPlatform is a second platform, whose connection cannot be lost.
type otherPlatform struct{ *Stage }

func (otherPlatform) Name() string { return "room" }

// runs starts the bot on the story's platform; "linked": on one whose connection can be lost.
func (s *story) runs(rest string) string {
	if s.square == nil {
		s.square = NewSquare()
	}
	if rest == "linked" {
		s.link.Turn(true)
		s.stop = s.OnStage(linkedSquare{s.square, &s.link}, otherPlatform{NewStage()})
	} else {
		s.stop = s.OnStage(s.square)
	}
	s.settle()
	return ""
}

// turns sets whether the platform is connected. It returns "".
func (s *story) turns(up bool) string {
	s.link.Turn(up)
	s.settle()
	return ""
}

func (s *story) stops(string) string { // ends the run of the bot; its platform remains for the next run
	s.stop()
	s.stop = nil
	return ""
}

// sheet returns the score sheet of the person's last answer, else that of the board.
func (s *story) sheet(string) string {
	m := s.answer[s.last]
	if m.Sheet == nil {
		m = s.last.Board()
	}
	if m.Sheet == nil {
		return "none"
	}
	return strings.Join(append(m.Sheet.Text(30), m.Star()), "\n") + fmt.Sprint("\nasked for: ", m.Sheet.Asked)
}

// calls returns the number of pings, and those that exist with their buttons.
func (s *story) calls(string) string {
	s.square.Mu.Lock()
	defer s.square.Mu.Unlock()
	var standing []string
	for _, c := range s.square.Calls {
		standing = append(standing, fmt.Sprintf("%s [%s] %s", pingText(c), c.Off.Label, c.Off.Press))
	}
	slices.Sort(standing)
	return strings.Join(append([]string{fmt.Sprint(len(s.square.Said), " made")}, standing...), "\n")
}

// notice returns the newest message on the platform that is no board.
func (s *story) notice(string) string {
	m := s.newestNotice()
	Proper(s.T, m)
	return Show(m)
}

// newestNotice returns the newest message on the platform that is no board.
func (s *story) newestNotice() chat.Message {
	if s.square == nil {
		return chat.Message{}
	}
	return s.square.Notice()
}

// done returns the requests to the platform since the last "done". "done so far" only clears them.
func (s *story) done(rest string) string {
	s.square.Mu.Lock()
	defer s.square.Mu.Unlock()
	said := strings.Join(s.square.Done, ", ")
	if s.square.Done = nil; rest != "" {
		return ""
	}
	return said
}

// posted returns the messages beside boards, except puzzles; since the last "posted"; "posted so far" returns "".
func (s *story) posted(rest string) string {
	all := s.square.Beside(s.T)
	fresh := all[s.seen:]
	if s.seen = len(all); rest != "" {
		return ""
	}
	return strings.Join(append(fresh, fmt.Sprint(len(fresh), " posted")), "\n")
}

// fails makes the next request of a kind fail: "edit gone". It returns "".
func (s *story) fails(rest string) string {
	what, kind, _ := strings.Cut(rest, " ")
	fault := map[string]error{"gone": chat.ErrGone, "away": chat.ErrAway, "unsure": chat.ErrUnsure,
		"later": chat.Later{After: 30 * time.Second}}[kind]
	if fault == nil {
		s.T.Fatalf("nothing fails so: %s", kind)
	}
	if what == "call" {
		s.square.Mu.Lock()
		defer s.square.Mu.Unlock()
		s.square.Fault = fault
		return ""
	}
	s.square.Fail = func(request string, _ chat.Place) (err error) {
		if request == what {
			err, fault = fault, nil
		}
		return err
	}
	return ""
}

// luck makes all dice of new tables depend on the number in text. It returns "".
func (s *story) luck(text string) string {
	luck, err := strconv.ParseUint(text, 10, 8)
	check(s.T, err)
	s.Seeds = Constant(luck)
	s.Restart()
	return ""
}

// sees returns the person's own view of the newest table or, for "the offers", of its offered seats.
func (s *story) sees(p *Person, page string) string {
	viewer := chat.Viewer{People: []chat.User{p.Event().User}, Lang: p.Locale, Offers: page == "the offers"}
	table := p.Table()
	viewer.Unseated = !slices.ContainsFunc(table.Seats, func(s store.Seat) bool { return s.Player == "test:"+p.Name })
	m, err := s.Bot.View(s.T.Context(), table.ID, viewer)
	check(s.T, err)
	said := strings.TrimSpace(Show(m) + m.Guide)
	if m.Ends != "" {
		said += "\nends by " + m.Ends
	}
	return said
}

// optionsEvent returns a command whose options are passed by name, from words such as "/coin" and "stake=5".
func (p *Person) optionsEvent(words []string) chat.Event {
	ev := p.Event()
	ev.Command, ev.Options = strings.TrimPrefix(words[0], "/"), map[string]string{}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		ev.Options[name] = strings.ReplaceAll(value, "_", " ")
	}
	return ev
}

// completions returns the values offered for the last of a command's words, an option and the typed text ("game=sh").
func (s *story) completions(p *Person, words []string) string {
	ev := p.optionsEvent(words)
	name, _, _ := strings.Cut(words[len(words)-1], "=")
	typed := ev.Options[name]
	delete(ev.Options, name)
	var said []string
	for _, c := range s.Bot.Complete(s.T.Context(), ev, name, typed) {
		said = append(said, c.Value)
	}
	return strings.Join(said, ", ")
}

// tableLine returns a table's game, state, stake, turn and players as text.
func tableLine(t store.Table) string {
	var seats []string
	for _, seat := range t.Seats {
		seats = append(seats, seat.Name)
	}
	return fmt.Sprintf("%s %s, stake %d, turn %d: %s", t.Game, t.State, t.Stake, t.Turn, strings.Join(seats, ", "))
}

// terms returns as text a table's terms, the time until its turn ends, and the state of its seats.
func (s *story) terms(t store.Table) string {
	said := fmt.Sprintf("table %d of %s: %s for %d", t.ID, strings.TrimPrefix(t.Opener, "test:"), t.Game, t.Stake)
	for _, name := range slices.Sorted(maps.Keys(t.Rules)) {
		said += fmt.Sprintf(", %s=%s", name, t.Rules[name])
	}
	if t.Board.Away {
		said += ", away"
	}
	if t.Clock.Due > 0 {
		said += fmt.Sprint(", due in ", time.UnixMilli(t.Clock.Due).Sub(s.Time()))
	}
	for _, seat := range t.Seats {
		said += "\n" + seat.Name
		if !seat.Confirmed {
			said += ", reserved"
		}
		if seat.Absence != "" {
			said += ", " + seat.Absence
		}
		if seat.Missed > 0 {
			said += fmt.Sprint(", missed ", seat.Missed)
		}
	}
	return said
}

// entropyLine returns the inputs of a table's dice as text: the seal and each seat's entropy.
func entropyLine(t store.Table) string {
	said := "seal " + t.Dice.Commitment[:12]
	for _, seat := range t.Seats {
		said += fmt.Sprintf(", %s %.12s", seat.Name, seat.Entropy)
	}
	return said
}

// buttonLines returns the label, data, style and person (For) of each button of a message.
func buttonLines(m chat.Message) string {
	var said []string
	for _, b := range slices.Concat(m.Buttons...) {
		line := fmt.Sprintf("[%s] %s", b.Label, b.Press)
		if b.Style != "" {
			line += " " + string(b.Style)
		}
		if b.For != "" {
			line += ", for " + strings.TrimPrefix(string(b.For), "test:")
		}
		said = append(said, line)
	}
	return strings.Join(said, "\n")
}

// choiceLines returns the Choices of a message as text, the chosen values with ✓.
func choiceLines(m chat.Message) string {
	said := ""
	for _, c := range m.Choices {
		said += c.Said + " of"
		for _, b := range c.Values {
			said += fmt.Sprintf(" [%s]", b.Label)
			if b.Style == games.Success {
				said += "✓"
			}
		}
		said += "\n"
	}
	return said
}

// moveLine returns moves as text, in brackets if they were played for an absent person.
func moveLine(moves []store.Move) string {
	var said []string
	for _, m := range moves {
		move := fmt.Sprint(m.Seat, " ", m.Move)
		if m.Auto {
			move = "(" + move + ")"
		}
		said = append(said, move)
	}
	return strings.Join(said, ", ")
}

// balanceLine returns balances by account as text.
func balanceLine(all map[string]int64) string {
	var said []string
	for account, n := range all {
		said = append(said, fmt.Sprintf("%s %+d", account[strings.LastIndex(account, ":")+1:], n))
	}
	slices.Sort(said)
	return strings.Join(said, ", ")
}
