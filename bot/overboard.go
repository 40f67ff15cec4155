package bot

import (
	"fmt"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// over draws a finished game: who has won what, who holds the box.
func (s *scribe) over() error {
	_, m, err := s.bot.match(s.t)
	if err != nil {
		return err
	}
	rows, err := s.tx.Results(s.t.ID)
	if err != nil {
		return err
	}
	result, _ := m.Result()
	view := viewOf(s.t, m)
	s.outcome(view, result, rows)
	if err := s.boxAfter(withoutOut(s.t, result).Winners); err != nil {
		return err
	}
	var row []chat.Button
	if s.t.Rematch == 0 {
		row = append(row, s.key("rematch", "!rematch", games.Primary))
	}
	known, err := s.result()
	if err != nil {
		return err
	}
	if known {
		row = append(row, s.key("review", "/review", games.Plain))
	}
	row = append(row, s.key("dice", "/fair", games.Plain))
	if view.Sheet != nil && s.m.Sheet == nil {
		row = append(row, s.key("sheet", "!show sheet", games.Plain))
	}
	s.row(row...)
	return s.smallPrint()
}

// result has the features add to the board of a table that is over, and reports whether
// it has been reviewed.
func (s *scribe) result() (reviewed bool, err error) {
	for _, f := range s.bot.features {
		if f.Result == nil {
			continue
		}
		known, err := f.Result(s)
		if err != nil {
			return false, err
		}
		reviewed = reviewed || known
	}
	return reviewed, nil
}

// outcome draws how a game has ended, and what everybody has won by it.
func (s *scribe) outcome(view games.View, result games.Result, rows []store.Result) {
	result = withoutOut(s.t, result)
	s.m.Head = s.sentences(view.Head)
	s.game(view)
	s.trophies(result.Winners)
	if !s.g.Pool() {
		s.differences(rows)
	}
	if s.t.Stake > 0 && len(rows) == len(s.m.People) {
		for i := range s.m.People {
			s.m.People[i].Text = strings.TrimSpace(s.m.People[i].Text + " (" + signed(rows[i].Pool) + ")")
		}
		s.winners(result.Winners)
		s.forfeits()
	}
	if s.m.Head == "" {
		s.m.Head = s.say("games.over", nil) // a friendly game that says nothing itself
	}
	if len(result.Winners) == 1 {
		s.m.Accent = int(result.Winners[0])
	}
}

// trophies marks who has won where a seat is out, for which the dice may have won.
func (s *scribe) trophies(winners []games.Seat) {
	if !anyOut(s.t) {
		return
	}
	for i := range s.m.People {
		switch p := &s.m.People[i]; {
		case s.t.Seats[i].Absence == store.Out:
			p.State = games.Out
		case slices.Contains(winners, games.Seat(i)):
			p.State = games.Won
		}
	}
}

// differences tells what lies between each seat and the average, exactly, and
// what that is worth.
func (s *scribe) differences(rows []store.Result) {
	if len(rows) != len(s.m.People) || len(rows) == 1 {
		return
	}
	for i, r := range rows {
		won := strings.Replace(money.Difference(r.Difference).String(), "-", "−", 1)
		if r.Settlement != nil {
			won = s.say("bot.worth", games.Args{"Difference": won, "Amount": s.signedAmount(*r.Settlement)})
		}
		s.m.People[i].Text = strings.TrimSpace(s.m.People[i].Text + " (" + won + ")")
	}
	s.note("bot.differences", nil)
}

// signedAmount says what has been won or lost: "+20 chips", "−1 chip".
func (s *scribe) signedAmount(n int64) string {
	sign := map[bool]string{n > 0: "+", n < 0: "−"}[true]
	return sign + s.line(amount(s.t.Unit, max(n, -n)))
}

// signed spells an amount with its sign: "+20", "−10", "0".
func signed(n int64) string {
	switch {
	case n > 0:
		return fmt.Sprint("+", n)
	case n < 0:
		return "−" + strings.TrimPrefix(fmt.Sprint(n), "-")
	}
	return "0"
}

// winners ends the first line with who takes the pool.
func (s *scribe) winners(winners []games.Seat) {
	if len(winners) == 0 {
		return
	}
	each := amount(s.t.Unit, poolOf(s.t).Total()/int64(len(winners)))
	said := s.say("bot.takes", games.Args{"Seat": winners[0], "Amount": each})
	if len(winners) > 1 {
		names := make([]string, len(winners))
		for i, seat := range winners {
			names[i] = s.name(seat)
		}
		said = s.say("bot.share", games.Args{"Names": names, "Amount": each})
	}
	s.m.Head = strings.TrimSpace(s.m.Head + " " + said)
}

// boxAfter says what stayed in the box, and who holds it while that is who
// won here.
func (s *scribe) boxAfter(winners []games.Seat) error {
	if s.t.Stake == 0 {
		return nil
	}
	if s.t.BoxOut > 0 {
		s.note("bot.box-keeps", games.Args{"Amount": amount(s.t.Unit, s.t.BoxOut)})
	}
	box, err := s.tx.Box(s.t.Chat, s.t.Unit)
	if err != nil {
		return err
	}
	for _, seat := range winners {
		if holder(s.t.Seats[seat]) == box.Holder {
			s.note("bot.holds", games.Args{"Seat": seat, "N": int(box.Times)})
			return nil
		}
	}
	return nil
}

// waitedFor says for whom a table had waited that was ended for it.
func (s *scribe) waitedFor() error {
	_, m, err := s.bot.match(s.t)
	if err != nil {
		return err
	}
	var names []string
	for _, seat := range m.Turn() {
		names = append(names, s.name(seat))
	}
	s.note("bot.abandoned-waited", games.Args{"Names": names})
	return nil
}

// abandoned draws a table that was ended before its time.
func (s *scribe) abandoned() error {
	played := s.t.Match != nil && s.t.Stake > 0
	if played {
		s.m.Head = s.say("bot.abandoned-refund", games.Args{"Amount": amount(s.t.Unit, s.t.Stake)})
	} else {
		s.m.Head = s.say("bot.abandoned", nil)
	}
	if s.t.Page == pageRestored {
		s.note("bot.restored", nil)
	}
	if played && s.t.BoxIn > 0 {
		s.note("bot.box-refunded", games.Args{"Amount": amount(s.t.Unit, s.t.BoxIn)})
	}
	if s.t.Page == pageWaited {
		if err := s.waitedFor(); err != nil {
			return err
		}
	}
	s.people(func(i int) (string, games.StandState) {
		if !played {
			return "", games.Out
		}
		return s.say("bot.refunded", games.Args{"Amount": signed(s.t.Stake)}), games.Out
	})
	var row []chat.Button
	if s.t.Rematch == 0 && anybodySits(s.t) {
		row = append(row, s.key("rematch", "!rematch", games.Primary))
	}
	if s.t.Turn > 0 {
		row = append(row, s.key("dice", "/fair", games.Plain))
	}
	s.row(row...)
	return s.smallPrint()
}
