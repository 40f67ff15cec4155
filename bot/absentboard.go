package bot

import (
	"fmt"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// What a board says of time and of who is absent.

// deadline says when the present turn has to be over, and what happens then.
func (s *scribe) deadline(m games.Match) error {
	late := waitedFor(s.t, m)
	if len(late) == 0 {
		if paused(s.t) {
			s.note("bot.away.all", nil)
		}
		return nil
	}
	if s.t.Due == 0 {
		if s.t.Absent == store.JustWaits && turnLimit(s.t) > 0 && !s.t.Waits {
			s.note("bot.due.over", games.Args{"Seat": late[0], "Time": durationLabel(turnLimit(s.t))})
		}
		return nil
	}
	set, err := s.customs()
	if err != nil {
		return err
	}
	at := time.UnixMilli(s.t.Due).In(set.zone(s.bot))
	key := map[string]string{store.JustWaits: "bot.due.wait", store.IsOut: "bot.due.out"}[s.t.Absent]
	if key == "" || key == "bot.due.out" && stillIn(s.t) < 2 {
		key = "bot.due.house"
	}
	before, after, _ := strings.Cut(s.say(key, games.Args{"Seat": late[0], "Time": games.Say("bot.text", games.Args{"Text": gapMark})}), gapMark)
	s.m.Deadline = &chat.Deadline{At: s.t.Due / 1000, Before: before, After: after, Clock: s.line(s.clockLabel(at))}
	return nil
}

// gapMark stands in a sentence where something will be: no text of people holds it.
const gapMark = "\x00"

// clockLabel says a time of day, with the day where that is not today.
func (s *scribe) clockLabel(at time.Time) games.Line {
	now := s.bot.clock.Now().In(at.Location())
	args := games.Args{"Clock": at.Format("15:04"), "Day": at.Day(), "Month": int(at.Month())}
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return games.Say("bot.due.at", args)
	}
	return games.Say("bot.due.on", args)
}

// absent adds to the people who is away, out, or would hand their seat over, and
// draws the buttons that follow from it.
func (s *scribe) absent() error {
	var row []chat.Button
	for i, seat := range s.t.Seats {
		switch {
		case seat.Absence == store.Gone:
			s.mark(i, "bot.away.away")
		case seat.Absence == store.Out:
			s.mark(i, "bot.away.is-out")
		case seat.Missed > 0:
			s.mark(i, "bot.away.missed")
		}
		if seat.Absence == store.Gone && store.Forgotten(seat.Player) == 0 && len(row) == 0 {
			back := s.key("back-again", "!back", games.Success)
			back.For = chat.User(seat.Player)
			row = append(row, back)
		}
	}
	for i, seat := range s.t.Seats {
		if !seat.Offered || seat.House != "" {
			continue
		}
		buttons, err := s.offer(i)
		if err != nil {
			return err
		}
		if len(row) < chat.ChoiceRow-1 {
			row = append(row, buttons...)
		}
	}
	s.row(once(row)...)
	return nil
}

// offer says that a seat is offered, who would take it and who may agree to that,
// and returns the buttons for it.
func (s *scribe) offer(seat int) ([]chat.Button, error) {
	args := games.Args{"Seat": games.Seat(seat), "Amount": amount(s.t.Unit, s.t.Stake)}
	if s.t.Stake > 0 {
		s.note("bot.handover.offers", args)
	} else {
		s.note("bot.handover.offers-plain", args)
	}
	stay := s.key("stay", "!stay", games.Plain)
	stay.For = chat.User(s.t.Seats[seat].Player)
	others := s.bot.agreeing(s.t, seat, taker(s.t, seat))
	if taker(s.t, seat) == "" || len(others) == 0 {
		take := s.button(games.Say("bot.button.take", args), fmt.Sprint("!take ", seat), games.Plain)
		return []chat.Button{take, stay}, nil
	}
	player, err := s.tx.Player(string(taker(s.t, seat)))
	if err != nil {
		return nil, fmt.Errorf("who takes seat %d: %w", seat, err)
	}
	var names []string
	for _, other := range others {
		names = append(names, s.names[other])
	}
	args["Name"], args["Names"] = s.bot.shownName(player.Name, s.lang), names
	s.note("bot.handover.asks", args)
	hand := s.button(games.Say("bot.button.hand", args), fmt.Sprint("!hand ", takerMark(s.t, seat), " ", seat), games.Plain)
	hand.For = chat.User(s.t.Seats[others[0]].Player)
	not := s.key("take-not", fmt.Sprint("!take ", seat), games.Plain)
	not.For = taker(s.t, seat)
	return []chat.Button{hand, stay, not}, nil
}

// mark adds a word to the line of a seat.
func (s *scribe) mark(seat int, key string) {
	if seat < len(s.m.People) {
		p := &s.m.People[seat]
		p.Text = strings.TrimPrefix(p.Text+" · "+s.say(key, nil), " · ")
	}
}

// forfeits says at the end who was out, and what that meant.
func (s *scribe) forfeits() {
	var names []string
	for i, seat := range s.t.Seats {
		if seat.Absence == store.Out {
			s.mark(i, "bot.away.is-out")
			names = append(names, s.names[i])
		}
	}
	if len(names) > 0 {
		s.note("bot.away.forfeits", games.Args{"Names": names})
	}
}

// once leaves out buttons that carry the same as one before.
func once(row []chat.Button) []chat.Button {
	var all []chat.Button
	seen := map[string]bool{}
	for _, b := range row {
		if !seen[b.Press] {
			all = append(all, b)
		}
		seen[b.Press] = true
	}
	return all
}

// idleNote announces that an idle table will be closed.
func (s *scribe) idleNote() error {
	if s.t.Warned == 0 {
		return nil
	}
	set, err := s.customs()
	if err != nil {
		return err
	}
	at := time.UnixMilli(s.t.Warned).Add(idleWarning).In(set.zone(s.bot))
	args := games.Args{"Time": s.clockLabel(at), "Days": games.Say("bot.days", games.Args{"N": set.idle()})}
	key := "bot.idle.lobby"
	if s.t.State == store.Playing && s.t.Stake > 0 {
		key = "bot.idle.playing"
	}
	s.note(key, args)
	s.row(s.key("keep", "!keep", games.Success))
	return nil
}
