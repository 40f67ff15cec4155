package evening

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The command /evening: setting, showing and changing fixed evenings.

// Values that buttons and completion offer.
var (
	offeredTimes   = []string{"18:00", "19:00", "19:30", "20:00", "20:30", "21:00"}
	offeredNotices = []string{"none", "30m", "1h", "2h", "24h"}
)

// command shows the fixed evenings of the chat or, with a day and a time, sets one.
func (v *visit) command(w bot.Args) error {
	if v.Event.Guest {
		v.Reply.Refused = true
		m := v.Private(games.Say("bot.evening.guest", nil))
		if v.Event.Invite != "" {
			m.Row(chat.Button{Label: v.Say(games.Say("bot.button.invite", nil)), Link: v.Event.Invite,
				Style: games.Success})
		}
		return nil
	}
	if v.Event.Own || v.Event.Typed { // alone, or in a terminal, where nothing happens by itself
		return games.Refuse("bot.evening.alone", nil)
	}
	all, err := v.Tx.Calls.EveningsOf(v.Chat.ID)
	if err != nil {
		return err
	}
	var said []string
	for _, name := range []string{optionWhen, optionDay, optionTime, bot.OptionGame, bot.OptionMore} {
		said = append(said, w.Text(name))
	}
	text := strings.TrimSpace(strings.Join(said, " "))
	switch {
	case text == "" && w.Text(optionNotice) == "":
		return v.showAll(all)
	case slices.Contains(v.bot.WordsFor("bot.evening.off-words"), strings.ToLower(text)):
		return v.off(w)
	}
	if err := v.AdminsOnly("bot.evening.admins"); err != nil {
		return err
	}
	g, err := v.bot.read(text)
	if err != nil {
		return err
	}
	if g.weekday < 0 || g.minute < 0 {
		return games.Refuse("bot.evening.when", nil)
	}
	e := store.Evening{Chat: v.Chat.ID, Place: string(v.Event.Place), Notice: usualNotice}
	if i := slices.IndexFunc(all, func(e store.Evening) bool {
		return e.Weekday == int64(g.weekday) && e.Minute == int64(g.minute) && e.Place == string(v.Event.Place)
	}); i >= 0 {
		e = all[i]
	} else if len(all) >= maxEvenings {
		return games.Refuse("bot.evening.too-many", games.Args{"Most": maxEvenings})
	}
	if err := v.change(&e, g, w.Text(optionNotice)); err != nil {
		return err
	}
	return v.Public(func() error { return v.show(e, "bot.evening.set", len(all) == 0) })
}

// change sets what g and notice, as typed, say of an evening, and stores it.
func (v *visit) change(e *store.Evening, g given, notice string) (err error) {
	if notice != "" {
		minutes, err := v.bot.readNotice(strings.ToLower(notice))
		if err != nil {
			return err
		}
		e.Notice = int64(minutes)
	}
	if g.terms != "" {
		if name, _, named := strings.Cut(firstWord(g.terms), "="); named && v.bot.OptionOf(v.bot.options(), name) < 0 {
			usual, err := v.termsOf(*e) // only options are given
			if err != nil {
				return err
			}
			g.terms = firstWord(usual) + " " + g.terms
		}
		terms, _, err := v.bot.ReadTerms(v.Visit.Visit.Visit, g.terms)
		if err != nil {
			return err
		}
		if terms == "" {
			return games.Refuse("bot.evening.no-game", games.Args{"Name": chat.Repeated(g.terms, chat.MaxName)})
		}
		e.Terms = terms
	}
	was := *e
	if g.weekday >= 0 {
		e.Weekday = int64(g.weekday)
	}
	if g.minute >= 0 {
		e.Minute = int64(g.minute)
	}
	if was.ID != 0 && (e.Weekday != was.Weekday || e.Minute != was.Minute) {
		if err := v.checkFree(*e); err != nil {
			return err
		}
		if err := v.say(was, stateMoved); err != nil {
			return err
		}
	}
	e.Setter, e.Skipped = string(v.Event.User), 0
	if e.Waits && e.Weekday == was.Weekday && e.Minute == was.Minute { // tonight's lobby still comes
		e.Synced = false
		return v.store(e)
	}
	return v.plan(e)
}

// showAll answers with the fixed evenings of the chat, or how to set one.
func (v *visit) showAll(all []store.Evening) error {
	switch len(all) {
	case 0:
		v.Private(games.Say(v.OrEquals("bot.evening.none", "bot.evening.none-hosted", "bot.evening.none-equals"), nil))
		return nil
	case 1:
		return v.show(all[0], "bot.evening.is", false)
	}
	m := v.Private(games.Say("bot.evening.all", games.Args{"N": len(all)}))
	var row []chat.Button
	for _, e := range all {
		line, err := v.about(e)
		if err != nil {
			return err
		}
		m.Lines = append(m.Lines, line)
		row = append(row, v.Button(v.whenLabel(e), fmt.Sprint("/evening #show ", e.ID), games.Plain))
	}
	m.Rows(chat.MenuRow, row...)
	return nil
}

// show answers with an evening and its buttons below the sentence head. With a chat's first one it asks for its zone.
func (v *visit) show(e store.Evening, head string, first bool) error {
	line, err := v.about(e)
	if err != nil {
		return err
	}
	m := v.Private(games.Say(head, nil))
	m.Lines = []string{line}
	set, err := v.Settings(v.Chat.ID)
	if err != nil {
		return err
	}
	if set["zone"] == "" && first {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.evening.zone",
			games.Args{"Offset": time.UnixMilli(e.Start).In(v.bot.Zone).Format("-07:00")})))
		var row []chat.Button
		for _, zone := range []string{"Europe/Berlin", "Europe/London", "America/New_York"} {
			row = append(row, v.Button(games.Say("bot.text", games.Args{"Text": zone}), "/settings zone="+zone,
				games.Plain))
		}
		m.Row(append(row, v.Button(games.Say("bot.evening.zone-other", nil), "/settings zone=?", games.Plain))...)
	}
	skip := v.Button(games.Say("bot.evening.button.skip", nil), fmt.Sprint("/evening #skip ", e.ID), games.Plain)
	if e.Skipped == e.Start {
		skip = v.Button(games.Say("bot.evening.button.unskip", nil), fmt.Sprint("/evening #skip ", e.ID), games.Success)
	}
	change := v.Button(games.Say("bot.evening.button.change", nil), fmt.Sprint("/evening #change ", e.ID), games.Plain)
	m.Row(change, skip,
		v.Button(games.Say("bot.evening.button.off", nil), fmt.Sprint("/evening #off ", e.ID), games.Danger))
	return nil
}

// about returns the line of an evening: when and what is played, when the notice comes, and the next date.
func (v *visit) about(e store.Evening) (string, error) {
	called, err := v.called(e)
	if err != nil {
		return "", err
	}
	next, err := v.EveningIn(v.Chat.ID, e.Start)
	if err != nil {
		return "", err
	}
	day, err := v.DayLabel(next)
	if err != nil {
		return "", err
	}
	args := games.Args{"When": v.whenLabel(e), "Game": called, "Day": day, "Notice": noticeLabel(e.Notice)}
	key := "bot.evening.line"
	switch {
	case e.Skipped == e.Start:
		key = "bot.evening.line-skipped"
	case e.Notice == 0:
		key = "bot.evening.line-unannounced"
	}
	return v.Say(games.Say(key, args)), nil
}

// whenLabel returns the day and the time of an evening: "Fridays, 20:00".
func (v *visit) whenLabel(e store.Evening) games.Line {
	return games.Say("bot.evening.weekly", games.Args{"Day": weekdays[e.Weekday], "Time": clockLabel(e.Minute)})
}

// noticeLabel returns the time from a notice to its evening.
func noticeLabel(minutes int64) games.Line {
	if minutes%60 == 0 && minutes > 0 {
		return games.Say("bot.evening.hours", games.Args{"N": int(minutes / 60)})
	}
	return games.Say("bot.evening.minutes", games.Args{"N": int(minutes)})
}

// called returns the name of the game of an evening: that of its terms, else that of the game played last.
func (v *visit) called(e store.Evening) (games.Line, error) {
	terms, err := v.termsOf(e)
	if err != nil {
		return games.Line{}, err
	}
	_, called, err := v.bot.ReadTerms(v.Visit.Visit.Visit, terms)
	if _, refused := games.Refused(err); refused { // the house rules were dropped, or the game is no longer served
		return games.Say("bot.text", games.Args{"Text": firstWord(terms)}), nil
	}
	return called, err
}

// termsOf returns the terms of an evening: its own, else the game that the chat finished last, else the first game.
func (v *visit) termsOf(e store.Evening) (string, error) {
	if e.Terms != "" {
		return e.Terms, nil
	}
	last, err := v.Tx.Scores.LastFinished(e.Chat, 0, 1)
	if err != nil {
		return "", err
	}
	if len(last) > 0 {
		if g, err := v.bot.Game(last[0].Game); err == nil {
			return v.bot.CommandOf(g), nil
		}
	}
	return v.bot.FirstOpenings(v.Lang)[0].Command, nil
}

// firstWord returns the first word of text.
func firstWord(text string) string { return append(strings.Fields(text), "")[0] }

// chosen returns the evening that a button or a person names by its number; a person may leave out the only one.
func (v *visit) chosen(w bot.Args) (store.Evening, error) {
	number, given := w.Amount("evening")
	if !given {
		all, err := v.Tx.Calls.EveningsOf(v.Chat.ID)
		if err != nil || len(all) == 1 {
			return append(all, store.Evening{})[0], err
		}
		return store.Evening{}, games.Refuse(cmp.Or(map[bool]string{true: "bot.evening.which"}[len(all) > 1],
			"bot.evening.none"), nil)
	}
	e, err := v.Tx.Calls.Evening(number)
	if errors.Is(err, store.ErrNotFound) || err == nil && (e.Chat != v.Chat.ID || e.Over) {
		return e, games.Refuse("bot.evening.gone", nil)
	}
	return e, err
}

// changeable returns the chosen evening for a change, which only those who may change the chat can make.
func (v *visit) changeable(w bot.Args) (store.Evening, error) {
	e, err := v.chosen(w)
	if err == nil {
		err = v.AdminsOnly("bot.evening.admins")
	}
	return e, err
}

// showPage answers with one of several evenings.
func (v *visit) showPage(w bot.Args) error {
	e, err := v.chosen(w)
	if err != nil {
		return err
	}
	return v.show(e, "bot.evening.is", false)
}

// off switches an evening off.
func (v *visit) off(w bot.Args) error {
	e, err := v.changeable(w)
	if err != nil {
		return err
	}
	if err := v.say(e, stateOff); err != nil {
		return err
	}
	none := e.Event == "" && e.Synced // else an event may be under way
	if e.Over, e.Due, e.Synced = true, 0, false; none {
		err = v.Tx.Calls.DropEvening(e.ID)
	} else {
		err = v.Tx.Calls.SaveEvening(&e)
		v.Wake(v.bot.events.Waker)
	}
	if err != nil {
		return err
	}
	return v.Public(func() error {
		v.Private(games.Say("bot.evening.switched-off", games.Args{"When": v.whenLabel(e)}))
		return nil
	})
}

// skip leaves out the next evening, or lets it take place after all.
func (v *visit) skip(w bot.Args) error {
	e, err := v.changeable(w)
	if err != nil {
		return err
	}
	state := stateSkipped
	if e.Skipped == e.Start {
		e.Skipped, state = 0, stateAsks
	} else {
		e.Skipped = e.Start
	}
	if err := v.say(e, state); err != nil {
		return err
	}
	if err := v.plan(&e); err != nil {
		return err
	}
	return v.Public(func() error { return v.show(e, "bot.evening.is", false) })
}

// changePage answers with buttons that change an evening, and with what to type for more.
func (v *visit) changePage(w bot.Args) error {
	e, err := v.changeable(w)
	if err != nil {
		return err
	}
	line, err := v.about(e)
	if err != nil {
		return err
	}
	terms, err := v.termsOf(e)
	if err != nil {
		return err
	}
	m := v.Private(games.Say("bot.evening.change", nil))
	m.Lines = []string{line, v.Say(games.Say("bot.evening.change-how", games.Args{"Game": firstWord(terms)}))}
	button := func(label games.Line, to string, chosen bool) chat.Button {
		return v.Button(label, fmt.Sprintf("/evening #set %d %s", e.ID, to), bot.Chosen(chosen))
	}
	var days, times, notices []chat.Button
	for i := range weekdays {
		day := (i + 1) % len(weekdays)
		days = append(days, button(games.Say(string(weekdays[day]), nil), weekdayValue(weekdays[day]),
			int64(day) == e.Weekday))
	}
	for _, offered := range offeredTimes {
		times = append(times, button(games.Say("bot.text", games.Args{"Text": offered}), offered,
			offered == clockLabel(e.Minute)))
	}
	for _, offered := range offeredNotices {
		minutes, err := v.bot.readNotice(offered)
		if err != nil {
			return err
		}
		label := games.Say("bot.evening.button.notice", games.Args{"Before": noticeLabel(int64(minutes))})
		if minutes == 0 {
			label = games.Say("bot.evening.button.no-notice", nil)
		}
		notices = append(notices, button(label, "notice="+offered, int64(minutes) == e.Notice))
	}
	m.Rows(chat.MenuRow+1, days...)
	m.Rows(chat.MenuRow, times...)
	m.Rows(chat.MenuRow, notices...)
	m.Row(v.Button(games.Say("bot.button.back", nil), fmt.Sprint("/evening #show ", e.ID), games.Primary))
	return nil
}

// set handles a button of changePage.
func (v *visit) set(w bot.Args) error {
	e, err := v.changeable(w)
	if err != nil {
		return err
	}
	to, notice := w.Text("to"), ""
	if value, named := strings.CutPrefix(to, optionNotice+"="); named {
		to, notice = "", value
	}
	g, err := v.bot.read(to)
	if err != nil {
		return err
	}
	if err := v.change(&e, g, notice); err != nil {
		return err
	}
	return v.changePage(w)
}
