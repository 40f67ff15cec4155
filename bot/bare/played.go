package bare

// Steps of stories that play whole games and show their stored data.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// game plays a whole game, such as "/pile 5 by Anna, house: Anna take 6+5" (command, players, moves), and returns "".
func (s *story) game(text string) string {
	line, rest, _ := strings.Cut(text, " by ")
	names, moves, _ := strings.Cut(rest, ": ")
	s.Game(line, strings.Split(names, ", "), strings.Split(moves, ", ")...)
	s.person(strings.Split(names, ", ")[0])
	return ""
}

// record returns some keys of the newest table's record, and checks it with record.Verify.
func (s *story) record(keys string) string {
	r := s.RecordOf(s.last.Table().ID)
	for _, fault := range record.Verify(r, s.Games, &record.Solutions{}) {
		s.T.Error(fault)
	}
	line, err := r.Encode()
	all := map[string]json.RawMessage{}
	check(s.T, errors.Join(err, json.Unmarshal(line, &all)))
	var said []string
	for _, key := range strings.Fields(keys) {
		said = append(said, key+" "+string(all[key]))
	}
	return strings.Join(said, "\n")
}

// reads returns the data of a page that request names, such as "options?table=1", as JSON with a line for each element
// of the outer lists, or the refusal.
func (s *story) reads(p *Person, request string) string {
	at, err := url.Parse(request)
	check(s.T, err)
	data, err := s.Bot.Pages()[at.Path](s.T.Context(), p.Event(), at.Query())
	if r, refused := games.Refused(err); refused {
		return "refused: " + s.Bot.Words.Say(p.Locale, r.Line, words.Context{})
	}
	check(s.T, err)
	text, err := json.Marshal(data)
	check(s.T, err)
	var fields map[string]json.RawMessage
	check(s.T, json.Unmarshal(text, &fields))
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var list []json.RawMessage
		if json.Unmarshal(fields[name], &list) != nil || len(list) == 0 {
			lines = append(lines, name+" "+string(fields[name]))
		}
		for _, one := range list {
			lines = append(lines, name+"[] "+string(one))
		}
	}
	return strings.Join(lines, "\n")
}

// clockAt advances the clock to the time in text (RFC 3339). It returns "".
func (s *story) clockAt(text string) string {
	now, err := time.Parse(time.RFC3339, text)
	check(s.T, err)
	return s.waits(now.Sub(s.Time()).String())
}

// zoneOf sets the time zone of the installation.
func (s *story) zoneOf(name string) (_ string) {
	zone, err := time.LoadLocation(name)
	check(s.T, err)
	s.Zone = zone
	s.Restart()
	return ""
}

// reviewed computes the reviews of all games. It returns "".
func (s *story) reviewed(string) string {
	err := s.Bot.CatchUp(s.T.Context())
	for id := range s.last.Table().ID {
		err = errors.Join(err, s.Bot.AwaitReview(s.T.Context(), id+1))
	}
	check(s.T, err)
	return ""
}

// puzzle returns the message of the puzzle with a number.
func (s *story) puzzle(number string) string {
	id, err := strconv.ParseInt(number, 10, 64)
	m, err2 := s.Bot.Puzzle(s.T.Context(), id, s.last.Locale)
	check(s.T, errors.Join(err, err2))
	Proper(s.T, m)
	return Show(m)
}

// solved sends /hint until perfect play is computed. It returns "".
func (s *story) solved(string) string {
	NewStage().Until(s.T, "a hint", func([]string) bool { return s.last.Writes("/hint").Private != nil })
	return ""
}

// faults returns the faults of the books and tables, one a line. The database is then not checked at the story's end.
func (s *story) faults(string) string {
	books, err := s.Store.Check(s.T.Context())
	tables, err2 := s.Bot.Check(s.T.Context(), nil)
	check(s.T, errors.Join(err, err2))
	s.tampered = true
	for _, fault := range books {
		tables = append(tables, fmt.Sprint(fault))
	}
	return strings.Join(tables, "\n")
}

// Whole games for leaderboards and statistics.

// Game plays a whole game. names are the players, the opener first, "house" for a computer; moves are "Anna say 3".
func (h *House) Game(line string, names []string, moves ...string) {
	h.T.Helper()
	opener := h.Person(names[0])
	opener.Writes(line)
	id := opener.Table().ID
	for _, name := range names[1:] {
		if name == "house" {
			opener.Sends(fmt.Sprintf("1:%d:0:!house meek", id))
		} else {
			h.Person(name).Sends(chat.LobbyPress(opener.Board(), "join"))
		}
	}
	for _, name := range names[1:] {
		if name != "house" {
			h.Agree(h.Person(name))
		}
	}
	opener.Sends(fmt.Sprintf("1:%d:0:!start", id))
	for range moves {
		t := opener.Table()
		name := t.Seats[t.Turn%int64(len(t.Seats))].Name // start moves the holder of the box (jackpot) to seat 0
		i := slices.IndexFunc(moves, func(m string) bool { return strings.HasPrefix(m, name+" ") })
		h.Person(name).Sends(fmt.Sprintf("1:%d:%d:%s", id, t.Turn, strings.TrimPrefix(moves[i], name+" ")))
		moves = slices.Delete(slices.Clone(moves), i, i+1)
	}
	if t := opener.Table(); t.State != store.Over || t.ID != id {
		h.T.Fatalf("%s: table %d is %s", line, t.ID, t.State)
	}
}

// Begins fails the test unless the private answer begins with these lines.
func Begins(t testing.TB, r chat.Reply, text string) {
	t.Helper()
	if got := Said(t, r); !strings.HasPrefix(got, strings.TrimSpace(text)+"\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(text))
	}
}

// ThreeEvenings plays games a month ago, a week ago, and today, the 14th of November 2023.
func ThreeEvenings(h *House) {
	h.Wait(-30 * 24 * time.Hour)
	h.Game("/pile 10", []string{"Ben", "Anna"}, "Ben take 6+5", "Anna take 2+1", "Ben take 4+3") // 18 : 3
	h.Wait(23 * 24 * time.Hour)
	h.Game("/tally point=1", []string{"Anna", "Ben", "Clara"}, "Anna say 10", "Ben say 10", "Clara say 11")
	h.Wait(7 * 24 * time.Hour)
	h.Game("/pile 5", []string{"Anna", "house", "Clara"}, "Anna take 6+5", "Clara take 4+3") // 11 : 3 : 7
	h.Game("/pile big 5", []string{"Anna", "Ben"}, "Anna take 8+1", "Ben take 7+2", "Anna take 6+3", "Ben take 5+4")
	h.Game("/pile 50", []string{"Anna"}, "Anna take 6+5", "Anna take 4+3", "Anna take 2+1") // alone, which is practice
	h.Sound()
}

// Counting is a random source whose reads return different bytes, but the same ones in every run.
type Counting struct{ next byte }

func (c *Counting) Read(b []byte) (int, error) {
	for i := range b {
		c.next += 7
		b[i] = c.next
	}
	return len(b), nil
}

// TableOf returns a table by its number.
func (h *House) TableOf(id int64) store.Table {
	h.T.Helper()
	return Stored(h, func(tx *store.Tx) (store.Table, error) { return tx.Tables.Table(id) })
}
