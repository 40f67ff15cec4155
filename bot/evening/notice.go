package evening

import (
	"errors"
	"fmt"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The notice of an evening, and the answers to it.

// kind is the kind of the notices of evenings: Subject is the number of the evening, At its start.
const kind = "evening"

// The states of a notice: what it says besides the time, the game and who comes.
const (
	stateAsks    = ""        // people can answer
	stateOpen    = "open"    // the lobby is open
	stateFinal   = "final"   // the lobby of a season's final is open
	stateBegun   = "begun"   // those who come sit in another lobby already
	stateFew     = "too-few" // fewer than two people come
	stateBusy    = "busy"    // another table was being played for too long
	stateSkipped = "skipped" // it does not take place
	stateMoved   = "moved"   // its time was changed
	stateOff     = "off"     // it was switched off
	stateMissed  = "missed"  // the bot was off at the hour
	stateFailed  = "failed"  // the game or its rules are gone
)

// stateLabels are the sentences of the states, except stateAsks.
var stateLabels = map[string]string{
	stateOpen: "bot.evening.state.open", stateBegun: "bot.evening.state.begun", stateFew: "bot.evening.state.too-few",
	stateFinal: "bot.evening.state.final",
	stateBusy:  "bot.evening.state.busy", stateSkipped: "bot.evening.state.skipped",
	stateMoved: "bot.evening.state.moved", stateOff: "bot.evening.state.off", stateMissed: "bot.evening.state.missed",
	stateFailed: "bot.evening.state.failed",
}

// maxNames is how many people a notice names.
const maxNames = 20

// announce adds the notice of the next evening. It is posted once: if there is one, it asks again, for the evening as
// it is now.
func (v *visit) announce(e store.Evening) error {
	if e.Notice == 0 || e.Skipped == e.Start {
		return nil
	}
	n, err := v.Tx.Calls.NoticeOf(e.Chat, kind, e.ID, e.Start)
	if errors.Is(err, store.ErrNotFound) {
		return v.bot.notices.Add(v.Visit.Visit.Visit, store.Notice{Chat: e.Chat, Kind: kind, Subject: e.ID,
			At: e.Start, Posted: store.Posted{Place: e.Place}, Due: noticeAt(e), Until: e.Start, Pin: true})
	}
	if err != nil {
		return err
	}
	n.State, n.Pin = stateAsks, true
	return v.bot.notices.Change(v.Visit.Visit.Visit, n)
}

// say makes the notice of the next evening, if there is one, say a state.
func (v *visit) say(e store.Evening, state string) error {
	n, err := v.Tx.Calls.NoticeOf(e.Chat, kind, e.ID, e.Start)
	if errors.Is(err, store.ErrNotFound) || err == nil && n.State == state {
		return nil
	}
	if err != nil {
		return err
	}
	n.State, n.Pin = state, state == stateAsks
	return v.bot.notices.Change(v.Visit.Visit.Visit, n)
}

// quiet returns a visit to a chat without an event, in the language of the chat, else of the person who set e.
func (b *Evenings) quiet(tx *store.Tx, id string, e store.Evening) (*visit, error) {
	group, err := tx.Chats.Chat(id)
	setter, err2 := tx.Chats.Player(e.Setter)
	return b.Visit(b.QuietVisit(tx, group, setter)), errors.Join(err, err2)
}

// draw renders the notice of an evening.
func (b *Evenings) draw(tx *store.Tx, n store.Notice) (m chat.Message, ok bool, err error) {
	if n.State != stateAsks && n.Message == "" {
		return m, false, nil
	}
	e, err := tx.Calls.Evening(n.Subject)
	gone := errors.Is(err, store.ErrNotFound)
	if err != nil && !gone {
		return m, false, err
	}
	v, err := b.quiet(tx, n.Chat, e)
	if err != nil {
		return m, false, err
	}
	v.Event.Place, v.Event.Chat = chat.Place(n.Place), chat.Chat(n.Chat)
	if gone {
		return chat.Message{Lang: v.Lang, Head: v.Say(games.Say(stateLabels[stateOff], nil)), Accent: -1}, true, nil
	}
	if n.State == stateMoved {
		return chat.Message{Lang: v.Lang, Head: v.Say(games.Say(stateLabels[stateMoved], nil)), Accent: -1}, true, nil
	}
	e.Start = n.At
	head, err := v.heading(e, n)
	if err != nil {
		return m, false, err
	}
	m = chat.Message{Lang: v.Lang, Head: v.Say(head), Accent: -1}
	if m.Told, err = v.told(e, n); err != nil || n.State != stateAsks {
		return m, err == nil, err
	}
	press := func(verb string) string {
		return chat.Press{What: fmt.Sprintf("/evening #%s %d %d", verb, e.ID, e.Start)}.String()
	}
	m.Row(chat.Button{Label: v.Say(games.Say("bot.evening.button.in", nil)), Press: press("in"), Style: games.Success},
		chat.Button{Label: v.Say(games.Say("bot.evening.button.out", nil)), Press: press("out"), Style: games.Plain})
	return m, true, nil
}

// told returns the sentences of a notice below its heading: who plays if it is a final, who comes, and its state.
func (v *visit) told(e store.Evening, n store.Notice) (all []string, err error) {
	if n.State == stateAsks {
		g, final, err := v.final(e)
		if err != nil {
			return nil, err
		}
		var players []store.Answer
		for _, player := range g.Players {
			players = append(players, store.Answer{Player: player, Comes: true})
		}
		names, err := v.names(players, true)
		if err != nil {
			return nil, err
		}
		if final {
			all = append(all, v.Say(games.Say("bot.evening.final", games.Args{"Names": names})))
		}
	}
	answers, err := v.answers(e)
	if err != nil {
		return nil, err
	}
	for _, comes := range []bool{true, false} {
		names, err := v.names(answers, comes)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			key := map[bool]string{true: "bot.evening.in", false: "bot.evening.out"}[comes]
			all = append(all, v.Say(games.Say(key, games.Args{"Names": names, "N": len(names)})))
		}
	}
	if n.State != stateAsks {
		all = append(all, v.Say(games.Say(stateLabels[n.State], nil)))
	}
	return all, nil
}

// heading returns the first sentence of a notice: when and what is played.
func (v *visit) heading(e store.Evening, n store.Notice) (games.Line, error) {
	set, err := v.Settings(e.Chat)
	if err != nil {
		return games.Line{}, err
	}
	called, err := v.called(e)
	if err != nil {
		return called, err
	}
	in := set.Zone(v.bot.Bot)
	start := time.UnixMilli(e.Start).In(in)
	key := "bot.evening.today"
	switch posted := time.UnixMilli(n.Due).In(in); {
	case store.DayOf(posted) != store.DayOf(start):
		key = "bot.evening.tomorrow"
	case start.Hour() >= 17:
		key = "bot.evening.tonight"
	}
	clock := clockLabel(int64(start.Hour()*60 + start.Minute()))
	return games.Say(key, games.Args{"Time": clock, "Game": called}), nil
}

// names returns the names of the people who come or, if comes is false, of those who do not.
func (v *visit) names(answers []store.Answer, comes bool) (names []string, err error) {
	var taken chat.TakenNames
	for _, a := range answers {
		if a.Comes != comes {
			continue
		}
		if len(names) == maxNames {
			return append(names, "…"), nil
		}
		player, err := v.Tx.Chats.Player(a.Player)
		if err != nil {
			return nil, err
		}
		names = append(names, taken.Unlike(v.bot.ShownName(player.Name, v.Lang)))
	}
	return names, nil
}

// comes stores that the person comes to an evening.
func (v *visit) comes(w bot.Args) error { return v.answer(w, true) }

// staysAway stores that the person does not come to an evening.
func (v *visit) staysAway(w bot.Args) error { return v.answer(w, false) }

// answer stores the person's answer to the notice of an evening.
func (v *visit) answer(w bot.Args, comes bool) error {
	e, err := v.chosen(w)
	if err != nil {
		return err
	}
	n, err := v.Tx.Calls.NoticeOf(e.Chat, kind, e.ID, e.Start)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if start, _ := w.Amount("start"); start != e.Start || n.ID == 0 || n.State != stateAsks {
		return games.Refuse("bot.evening.past", nil)
	}
	err = v.Tx.Calls.SaveAnswer(e.ID, e.Start, store.Answer{Player: string(v.Event.User), Comes: comes, At: v.At})
	if err != nil {
		return err
	}
	if v.Receipt("bot.evening.comes", nil); !comes {
		v.Receipt("bot.evening.stays-away", nil)
	}
	return v.bot.notices.Change(v.Visit.Visit.Visit, n)
}
