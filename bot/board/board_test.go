package board_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// TestStories replays the chats in testdata and compares the replies with those expected.
func TestStories(t *testing.T) {
	bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), sets.Escalero(), sets.Yamb(),
		sets.Balut())
}

// TestGuidesAreBrief checks that lessons for newcomers fit into two lines of a phone.
func TestGuidesAreBrief(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for _, lang := range []string{"en", "de"} {
		for i, line := range []string{"/shutbox", "/shutbox canoga", "/shutbox lucky-seven", "/wuerfelpoker"} {
			p, other := h.Person("Anna"+lang), h.Person("Ben")
			p.Locale = lang
			p.Place += chat.Place(fmt.Sprint("/", lang, i))
			other.Place = p.Place
			p.Writes(line)
			other.Sends(p.Board().Buttons[0][0].Press)
			p.Sends(p.Board().Buttons[1][0].Press)
			for range 2 {
				m := p.Board()
				if n := utf8.RuneCountInString(m.Guide); n == 0 || n > 76 {
					t.Errorf("%s in %s: %d characters, and two lines of a phone have 76: %q", line, lang, n, m.Guide)
				}
				p.Sends(m.Buttons[0][0].Press)
				if strings.Contains(line, "canoga") || strings.Contains(line, "lucky") {
					break // it is the other person's turn
				}
			}
		}
	}
}

// halfSaid is the game pile with a line for the first lesson and none for the second.
type halfSaid struct{ bare.Pile }

// Words returns the messages of the game pile with one lesson added.
func (halfSaid) Words() fs.FS {
	said := fstest.MapFS{}
	for _, name := range []string{"en.toml", "de.toml"} {
		text, err := fs.ReadFile(bare.Pile{}.Words(), name)
		if err != nil {
			panic(err)
		}
		said[name] = &fstest.MapFile{Data: append(text, "\n[pile.first]\nthrow = \"New here? Take tiles.\"\n"...)}
	}
	return said
}

// TestAFirstStepWithoutItsLineIsNotExplained checks that a lesson without a line is left out, and its key is not shown.
func TestAFirstStepWithoutItsLineIsNotExplained(t *testing.T) {
	h := bare.New(t, halfSaid{})
	anna := h.Person("Anna")
	anna.Writes("/pile")
	anna.Presses("▶ Start")
	if got := anna.Board().Guide; got != "New here? Take tiles." {
		t.Errorf("the guide is %q", got)
	}
	anna.Sends("1:1:0:take 2+1")
	if table := anna.Table(); table.Turn != 1 || anna.Board().Guide != "" {
		t.Errorf("after %d moves the guide is %q", table.Turn, anna.Board().Guide)
	}
}

// FuzzDraft checks that a parsed draft is unchanged by String and ParseDraft, and by toggling an item twice.
func FuzzDraft(f *testing.F) {
	f.Add("0,3", 2)
	f.Add(",,x,-1", 0)
	f.Fuzz(func(t *testing.T, text string, item int) {
		d := board.ParseDraft(text)
		if again := board.ParseDraft(d.String()); again.String() != d.String() {
			t.Errorf("%q is read as %v, then %v", text, d, again)
		}
		if item >= 0 && d.Toggle(item).Toggle(item).String() != d.String() {
			t.Errorf("%v toggled twice by %d is %v", d, item, d.Toggle(item).Toggle(item))
		}
	})
}

// TestNobodyIsToldOfAdminsWhereThereAreNone checks that no command and no answer mentions admins in a room with a host
// or in a chat where all have equal rights.
func TestNobodyIsToldOfAdminsWhereThereAreNone(t *testing.T) {
	for _, lang := range []string{"en", "de"} {
		for i := range 4 {
			rules, hosted := i%2 == 1, i < 2
			h := bare.New(t)
			anna, ben := h.Person("Anna"), h.Person("Ben")
			anna.Admin, ben.Admin = true, !hosted
			for _, p := range []*bare.Person{anna, ben} {
				p.Locale, p.Hosted, p.Equals = lang, hosted, !hosted
			}
			anna.Writes("/language " + lang)
			anna.Writes("/settings calls=off")
			bare.Owing(h, "chips", map[string]int64{"Anna": -40, "house": 40})
			anna.Writes("/settle paid 40 House")
			ben.Writes("/coin")
			if rules {
				anna.Writes("/house save sunday")
			}
			for _, p := range []*bare.Person{ben, anna} {
				for _, line := range everyCommand(h.Bot.AllCommands) {
					namesNoAdmin(t, line, p.Writes(line))
				}
			}
			for _, typed := range []string{"doctor", "house", "season", "settings"} {
				ev := ben.Event()
				ev.Command = "help"
				for _, c := range h.Bot.Complete(t.Context(), ev, "about", typed) {
					if label := c.Label[lang]; anAdmin.MatchString(label) || label == "" {
						t.Errorf("/help about=%s is offered as %q", typed, label)
					}
				}
			}
		}
	}
	for _, c := range bare.New(t).Bot.Commands() {
		for _, row := range append(c.Rows, c) {
			for lang, about := range row.About {
				told := []string{about}
				if row.Hosted != nil || row.Equals != nil {
					told = []string{row.Hosted[lang], row.Equals[lang]}
				}
				for _, about := range told {
					if anAdmin.MatchString(about) || about == "" {
						t.Errorf("/%s %s does %q", c.Name, row.Name, about)
					}
				}
			}
		}
	}
}

// everyCommand returns lines that run every command and its /help, and some that ask for missing things.
func everyCommand(all []bot.Command) []string {
	lines := []string{"/leaderboard season", "/settle back 1", "/house save x", "/house drop x", "/season Winter",
		"/settings pace=quick", "/settings idle=?", "/unit coffees", "/language fr", "/start"}
	for _, subject := range bot.Subjects {
		lines = append(lines, "/help "+subject)
	}
	for _, c := range all {
		if !c.Hidden && c.Name != "forget" {
			lines = append(lines, "/"+c.Name, "/help "+c.Name)
		}
	}
	return lines
}

// anAdmin matches mentions of admins.
var anAdmin = regexp.MustCompile(`(?i)admin`)

// namesNoAdmin fails the test if the answer r to a line mentions admins.
func namesNoAdmin(t *testing.T, line string, r chat.Reply) {
	t.Helper()
	text := r.Toast
	if r.Private != nil {
		text += "\n" + bare.Show(*r.Private) + r.Private.Small
	}
	if anAdmin.MatchString(text) {
		t.Errorf("%s is answered\n%s", line, text)
	}
}

// TestHouseRulesAreCalled checks when VersionLabel adds a version, and when AgeLabel marks an earlier one.
func TestHouseRulesAreCalled(t *testing.T) {
	kept := store.HouseRules{ID: 2, Game: "shutbox", Name: "Friday", Version: "b", Kept: true}
	first := store.HouseRules{ID: 1, Game: "shutbox", Name: "friday", Version: "a"}
	third := store.HouseRules{ID: 3, Game: "shutbox", Name: "Friday", Version: "c"}
	other := store.HouseRules{ID: 4, Game: "pile", Name: "Friday", Version: "d", Kept: true}
	dropped := store.HouseRules{ID: 5, Game: "pile", Name: "Monday", Version: "e"}
	for _, c := range []struct {
		all          []store.HouseRules
		h            store.HouseRules
		called, aged string
	}{
		{[]store.HouseRules{kept, other}, kept, "bot.text", "bot.text"},
		{[]store.HouseRules{kept, other}, other, "bot.text", "bot.text"},
		{[]store.HouseRules{other, dropped}, dropped, "bot.text", "bot.text"},
		{[]store.HouseRules{first, kept}, kept, "bot.house-rules.version", "bot.text"},
		{[]store.HouseRules{first, kept}, first, "bot.house-rules.version", "bot.house-rules.earlier"},
		{[]store.HouseRules{first, kept, third}, first, "bot.house-rules.version", "bot.house-rules.earlier-nth"},
	} {
		if called := board.VersionLabel(c.all, c.h).Key; called != c.called {
			t.Errorf("%s %s of %d is called by %s", c.h.Game, c.h.Version, len(c.all), called)
		}
		if aged := board.AgeLabel(c.all, c.h).Key; aged != c.aged {
			t.Errorf("%s %s of %d is called by %s among others", c.h.Game, c.h.Version, len(c.all), aged)
		}
	}
	all := []store.HouseRules{first, kept, third}
	if nth := board.AgeLabel(all, first).Args["N"]; nth != 2 {
		t.Errorf("the oldest is number %v of before", nth)
	}
}

// TestABoardPostedWhereTheTableHasLeftIsTakenAway checks that a board is deleted if its table moved during the post.
func TestABoardPostedWhereTheTableHasLeftIsTakenAway(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	h.OnStage(s)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	s.WantDone(t, "post test:m1")
	h.Settled(s)
	err := h.Bot.Draw(t.Context(), 1, true, func(ctx context.Context, _ chat.Message, _ chat.Ref) (chat.Ref,
		chat.Permit, error) {
		err := h.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			return tx.Tables.MoveTable(1,
				"test:1/2")
		})
		return "test:late", chat.Permit{}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Until(t, "the late board is taken away", func(done []string) bool {
		return strings.Contains(strings.Join(done, ","), "retire test:late")
	})
}

// TestAPuzzleThatCannotBeClosedKeepsNoOtherOpen checks that a puzzle is closed even if closing another one fails.
func TestAPuzzleThatCannotBeClosedKeepsNoOtherOpen(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	h.Reviewed(h.Pokered("Anna", "Ben"))
	h.Reviewed(h.Pokered("Anna", "Ben"))
	for i := range 2 {
		anna.At(chat.Place(fmt.Sprint("test:1/", i+1))).Writes("/puzzle")
	}
	h.Tamper(`CREATE TRIGGER broken BEFORE UPDATE ON puzzles WHEN OLD.id = 1 BEGIN SELECT RAISE(ABORT, 'broken'); END`)
	h.Wait(25 * time.Hour)
	h.OnStage(bare.NewStage())
	open := func(id int64) (open bool) {
		err := h.Store.View(context.Background(), func(tx *store.Tx) error {
			p, err := tx.Reviews.Puzzle(id)
			open = p.Open
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return open
	}
	for deadline := time.Now().Add(fakes.Patience); open(2); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the second puzzle is open still")
		}
	}
	if !open(1) {
		t.Error("the first was closed all the same: nothing was tested")
	}
}

// TestAnEventThatComesAgainHasItsThread checks that an event opens one thread, even if it is redelivered after a failed
// commit. After a restart, the first thread is unknown, and the person gets the advice to open a table there.
func TestAnEventThatComesAgainHasItsThread(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		h := bare.New(t)
		times := 0
		ev := h.Person("Anna").Event()
		ev.Command, ev.Text = "coin", "thread"
		ev.Thread = func(context.Context, string) (chat.Place, error) {
			times++
			if !restarts {
				h.Tamper(`CREATE TRIGGER broken BEFORE INSERT ON tables BEGIN SELECT RAISE(ABORT, 'broken'); END`)
			} else if err := h.Store.Close(); err != nil {
				t.Error(err)
			}
			return "test:1/99", nil
		}
		if r := h.Bot.Handle(t.Context(), ev); !r.Refused {
			t.Fatalf("it was committed: %+v", r)
		}
		if restarts {
			h.Open()
			bare.Refused(t, h.Bot.Handle(t.Context(), ev), "That thread is open already. Start a game there.")
		} else {
			h.Tamper(`DROP TRIGGER broken`)
			h.Bot.Handle(t.Context(), ev)
			if table := h.TableAt("test:1/99"); table.State != store.Lobby {
				t.Errorf("the table in the thread is %s", table.State)
			}
		}
		if times != 1 {
			t.Errorf("%d threads for one event", times)
		}
	}
}
