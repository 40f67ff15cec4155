package scenario

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes/needs"
	"knobel/bot/telegram/telegramtest"
	"knobel/bot/words/wordstest"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// startGame returns Anna and Ben, with different languages, who have started a game for a stake.
func (s *Stage) startGame() (anna, ben *Person) {
	s.Helper()
	anna, ben = s.Person("Anna", "en"), s.Person("Ben", "de")
	s.Sit("/coin stake=10", anna, ben)
	return anna, ben
}

// After a restart in the middle of a game old buttons work, and events that are delivered again have no effect.
func TestRestartInTheMiddle(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		people := []*Person{s.Person("Anna", "de"), s.Person("Ben", "en"), s.Person("Clara", "en")}
		s.Sit("/coin stake=10", people[0], people[1:]...)
		for _, p := range people {
			m, b, over := s.Turn("")
			if over {
				t.Fatal("over too soon")
			}
			s.Restart()
			p.Sends(m, b.Data)
			if g, ok := s.Place.(*Group); ok { // the board may not be drawn yet
				s.Stop()
				g.Server.Rewind(3)
				s.Restart()
				s.Until("what comes again is heard", func() bool { return g.Server.Pending() == 0 })
			}
			s.Until("the board shows it", func() bool { return s.Board().Text != m.Text })
		}
		if _, _, over := s.Turn(""); !over {
			s.Error("three throws end a game of three, whatever came twice")
		}
		if c, ok := s.Place.(*Channel); ok && c.Server.Registered() != 1 {
			s.Errorf("the commands were written %d times", c.Server.Registered())
		}
	})
}

// A press whose answer is lost with the process counts, and its board is drawn after the restart.
func TestBoardLagsBehindARestart(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		anna, ben := s.startGame()
		server := s.Place.(*Channel).Server
		m, b, _ := s.Turn("")
		fails := discordtest.Fault{On: "PATCH /channels", Status: 500}
		server.Fail(discordtest.Fault{On: "POST /interactions", Status: 404, Code: 10062}, fails, fails, fails, fails)
		time.Sleep(leisure)
		s.Press(anna.who, m.ID, b.Data)
		s.Until("the edit fails", func() bool { return len(server.Requests("PATCH /channels")) > 0 })
		s.Stop()
		server.Forgive()
		s.Restart()
		s.Turn(b.Data)
		s.Play(anna, ben)
	})
}

// A press that is delivered again counts once, at a running table and in the lobby.
func TestRedeliveredPress(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		server := s.Place.(*Group).Server
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		again := func(on Message, data string) {
			s.Helper()
			first := s.Place.(*Group).PressData((*s.Place.(*Group).People)[0], numberOf(on.ID), data)
			answered := func(n int) func() bool {
				return func() bool { q, _ := server.Query(first); return len(q.Answers) == n && server.Pending() == 0 }
			}
			s.Until("it is answered", answered(1))
			q, _ := server.Query(first)
			server.Again(q.Update)
			s.Until("it is answered again", answered(2))
		}
		anna.Writes("/coin stake=10")
		m, b := anna.Finds(":!house random")
		again(m, b.Data)
		s.Settled()
		ben.Presses(":!join")
		s.Settled()
		anna.Presses(":!start")
		m = s.Offers(":throw")
		s.Reads(func(tx *store.Tx) error {
			table, err := tx.Tables.Table(1)
			if len(table.Seats) != 3 {
				s.Errorf("%d are seated, not 3", len(table.Seats))
			}
			return err
		})
		again(m, m.Buttons[0].Data)
		if _, _, over := s.Turn(m.Buttons[0].Data); over {
			s.Fatal("the press counted twice")
		}
		s.Play(ben)
	})
}

// Two people press rematch at the same time: there is one new table with both, and a viewer joins. Before that, a
// viewer cannot press, a player undoes a choice, and most of the seated players vote to end the table.
func TestUndoVoteAndRematch(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben, clara := s.Person("Anna", "en"), s.Person("Ben", "de"), s.Person("Clara", "en")
		if s.Name() == "Telegram" { // else the next roll follows at once, and nothing can be undone
			s.Says(clara.Admin().Writes("/settings pace=calm"), "calm")
		}
		s.Sit("/shutbox tiles=2-12 one-die=never stake=10", anna, ben)
		s.Says(clara.Presses(":throw 2"), "You are watching. Join the next game.")
		m := s.Offers(":throw 2")
		anna.Presses(":throw 2")
		thrown, set, _ := s.Turn(m.Buttons[0].Data)
		anna.Sends(thrown, set.Data)
		s.Says(ben.Presses(":!undo"), "Anna")
		anna.Presses(":!undo")
		s.Until("the sets are back", func() bool {
			back, ok := s.Board().Button(set.Data[strings.LastIndex(set.Data, ":"):])
			return ok && back.Data != set.Data
		})
		if was, is := textWithoutTimes(thrown), textWithoutTimes(s.Board()); is != was {
			s.Errorf("taken back, the board is\n%s\nand was\n%s", is, was)
		}

		ben.Writes("/abandon")
		s.Shows("End the game? In favour: Ben, 1 of 2 votes.")
		s.Says(clara.Presses(":!vote yes"), "watching")
		anna.Presses("End it (1 of 2)")
		over := s.Shows("Everyone got 10 chips back")

		rematch, _ := over.Button(":!rematch")
		time.Sleep(leisure)
		var done []Deed
		for _, p := range []*Person{anna, ben, anna} {
			done = append(done, s.Press(p.who, over.ID, rematch.Data))
		}
		for _, deed := range done {
			s.Told(deed)
		}
		clara.Presses(":!join")
		m = s.Shows("Clara")
		start, ok := m.Button(":!start")
		if !ok || !strings.HasPrefix(start.Data, "1:2:") || strings.Contains(m.Text, "reserved") {
			s.Errorf("the lobby of the rematch carries %q:\n%s", start.Data, m.Text)
		}
	})
}

// textWithoutTimes returns the text of a board without times and without hints that are shown only at a first choice.
func textWithoutTimes(m Message) string {
	lines := slices.DeleteFunc(strings.Split(m.Text, "\n"), func(line string) bool {
		return strings.Contains(line, "Each button") || strings.Contains(line, "Pick tiles that add up")
	})
	return strings.Join(strings.Fields(dated.ReplaceAllString(strings.Join(lines, "\n"), "")), " ")
}

var dated = regexp.MustCompile(`<t:\d+:\w>|\d\d:\d\d`)

// Tables in different places do not affect each other.
func TestTablesBesideEachOther(t *testing.T) {
	Each(t, func(s *Stage) {
		places := []Place{s.Place, s.Elsewhere(), s.Elsewhere()}
		if c, ok := s.Place.(*Channel); ok {
			thread, other := *c, *c
			thread.Channel, other.Channel = c.Thread("late"), c.Server.Guild("Else").Channel("table")
			places = append(places, &thread, &other)
		}
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		var tables sync.WaitGroup
		for i, place := range places {
			there := s.In(place)
			tables.Go(func() {
				there.Sit(fmt.Sprint("/coin stake=", i), anna.At(there), ben.At(there))
				there.Play(anna.At(there), ben.At(there))
				if n := len(there.Messages(-1)); n != 1 {
					s.Errorf("%d messages", n)
				}
			})
		}
		tables.Wait()
	})
}

// /table posts the board again at the bottom and deletes the old one.
func TestTableCommand(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Says(ben.Writes("/table"), "no game here")
		if n := len(s.Messages(-1)); s.Name() == "Discord" && n > 0 {
			s.Errorf("everybody sees %d answers", n)
		}
		for _, m := range s.Messages(-1) {
			s.Remove(m.ID)
		}
		anna.Writes("/shutbox")
		s.Settled() // a board that is just being posted is not posted twice
		old := s.Board()
		ben.Writes("/table")
		s.Until("the old board is gone", func() bool {
			stands := slices.ContainsFunc(s.Messages(-1), func(m Message) bool { return m.ID == old.ID })
			return s.Board().ID != old.ID && !stands
		})
		s.Shows("Anna invites you to Shut the Box")
		ben.Presses("Join")
		s.Shows("Ben")
	})
}

// A game with hostile names and words is played to its end.
func TestHostileEvening(t *testing.T) {
	Each(t, func(s *Stage) {
		anna := s.Person("Anna", "en")
		var people []*Person
		for i, name := range hostileTexts {
			people = append(people, s.Person(name, []string{"en", "de"}[i%2]))
		}
		for i, p := range people {
			p.Admin().Writes("/luck word=" + p.Name)
			if c, ok := s.Place.(*Channel); ok {
				p.Writes("/unit name=" + p.Name)
				p.Writes("/rules variant=" + p.Name)
				c.Completes(p, "shutbox", "tiles", p.Name)
				p.Sends(Message{ID: "1"}, p.Name+"x")
			}
			if i%9 == 8 || i == len(people)-1 {
				seated := people[i-i%9 : i+1 : i+1]
				s.Sit("/coin stake=10", anna, seated...)
				s.Remove(s.Play(append(seated, anna)...).ID)
			}
		}
		anna.Writes("/fair")
	})
}

// All kinds of platform faults occur in turn, and the game continues.
func TestGameInBadWeather(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Storm()
		s.Sit("/shutbox stake=5 tiles=5", anna, ben)
		s.Storm()
		s.Play(anna, ben)
	})
}

// After a long pause the game continues with a new message.
func TestTableRestsForHours(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		s.Sit("/coin stake=10 turn=never", anna, ben)
		m, b, _ := s.Turn("")
		time.Sleep(3 * time.Hour)
		anna.Sends(m, b.Data)
		s.Until("the board is another message", func() bool { return s.Board().ID != m.ID && len(s.Messages(-1)) == 1 })
		s.Play(anna, ben)
	})
}

// Whole games in a language that exists only as files and has longer words: every request is within the platform's
// limits, and no sentence is in another language.
func TestAnotherLanguage(t *testing.T) {
	set := Setting{Words: wordstest.Speak(t, coin.Game{}.Words(), shutbox.Game{}.Words(), wuerfelpoker.New().Words())}
	for _, command := range []string{
		"/shutbox stake=10", "/shutbox variant=canoga", "/shutbox variant=three-hundred", "/wuerfelpoker",
	} {
		t.Run(command[1:], func(t *testing.T) {
			set.Each(t, func(s *Stage) {
				if s.Name() == "Telegram" && command != "/shutbox stake=10" && !needs.IsLong() {
					return // the other games test Discord's limit of buttons
				}
				anna, ben := s.Person("Anna", wordstest.Code), s.Person("Ben", wordstest.Code)
				s.Sit(command, anna, ben)
				s.Play(anna, ben)
				for _, asked := range strings.Fields("/help /rules /leaderboard /stats /settle /history /fair /unit") {
					anna.Writes(asked)
				}
				if menu := s.Menu(wordstest.Code); !strings.Contains(menu, "⟦") {
					s.Errorf("the menu does not speak the language: %.300s", menu)
				}
				s.Stop()
				sent := s.Sent()
				for _, text := range sent {
					if strange := wordstest.Strange(text, "Anna", "Ben"); len(strange) > 0 {
						s.Errorf("somebody reads %s", strange)
					}
				}
				if len(sent) < 100 {
					s.Errorf("only %d texts were sent", len(sent))
				}
			})
		})
	}
}

func TestAnonymousAdministratorsCannotSit(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		g, ben := s.Place.(*Group), telegramtest.Person{ID: 12, First: "Ben", Last: "O'Neill", Language: "en"}
		g.SayAsGroup("/coin 10")
		s.Until("they are told", func() bool { return len(s.Messages(-1)) == 1 })
		s.Says(s.Messages(-1)[0].Text, "You are hidden here")
		g.Say(ben, "/shutbx@KnobelBot")
		s.Until("a command is proposed", func() bool {
			all := s.Messages(-1)
			return strings.Contains(all[len(all)-1].Text, "/shutbox")
		})
		g.Say(ben, "/shutbox@KnobelBot 10 gulf")
		s.Until("it is refused", func() bool {
			all := s.Messages(-1)
			last := all[len(all)-1]
			return strings.Contains(last.Text, "“golf”") && len(last.Buttons) == 0
		})
		g.Say(ben, "/shutbox@KnobelBot golf one-die=never 5")
		s.Shows("Ben O'Neill invites you to Shut the Box")
	})
}

// pressAtOnce lets all people press a button twice at the same time, and returns how many presses changed the board.
// All other presses must be refused, privately and in the presser's language. The first press is delivered again.
func (s *Stage) pressAtOnce(people []*Person, m Message, data string) (moved int) {
	s.Helper()
	c := s.Place.(*Channel)
	time.Sleep(leisure)
	presses := make([]*discordtest.Interaction, 2*len(people))
	var pressing sync.WaitGroup
	for i := range presses {
		pressing.Go(func() { presses[i] = c.Channel.Press((*c.People)[people[i%len(people)].who], m.ID, data) })
	}
	pressing.Wait()
	for i, press := range presses {
		told := s.Told(replyTo(press, false))
		if told == "" {
			moved++
		} else if english.MatchString(told) != (i%2 == 1) {
			s.Errorf("%s reads %q", people[i%len(people)].Name, told)
		}
	}
	presses[0].Redeliver()
	return moved
}

var english = regexp.MustCompile(`\b([Tt]h(e|is)|turn|[Yy]ou|already)\b`)

// At every turn all people press each button twice at the same time, and the bot restarts in the middle. Each press
// gets one answer, one press a turn counts, and the balances are right.
func TestACrowdAtOneTable(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		people := []*Person{s.Person("Anna", "de"), s.Person("Ben", "en"), s.Person("Clara", "de"),
			s.Person("Dan", "en")}
		people[0].Writes("/shutbox stake=3")
		lobby := s.Board()
		if moved := s.pressAtOnce(people, lobby, lobby.Buttons[0].Data); moved != 3 {
			t.Fatalf("%d of three sat down beside Anna", moved)
		}
		_, start := people[0].Finds(":!start")
		if moved := s.pressAtOnce(people, s.Board(), start.Data); moved != 1 {
			t.Fatalf("the game was started %d times", moved)
		}
		turns := 0
		for ; turns < 200; turns++ {
			m := s.Board()
			if _, over := nextButton(m); over {
				break
			}
			if moved := s.pressAtOnce(people, m, m.Buttons[0].Data); moved != 1 {
				t.Fatalf("%d presses of %q counted on\n%s", moved, m.Buttons[0].Label, m.Text)
			}
			if turns == 3 {
				s.Restart()
			}
		}
		if m := s.Offers(":!rematch"); len(s.Messages(-1)) != 1 {
			t.Errorf("after %d turns there are %d messages, the last of them\n%s", turns, len(s.Messages(-1)), m.Text)
		}
		for _, r := range s.Place.(*Channel).Server.Requests("") {
			if r.Status == http.StatusTooManyRequests {
				t.Errorf("%s %s was too much", r.Method, r.Path)
			}
		}
	})
}
