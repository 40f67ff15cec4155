package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
	"knobel/store"
)

// private is a longer answer for the person alone, in their language.
func (v *visit) private(head games.Line, lines ...games.Line) *chat.Message {
	m := &chat.Message{Lang: v.lang, Head: v.say(head), Accent: -1}
	for _, line := range lines {
		m.Lines = append(m.Lines, v.say(line))
	}
	v.reply.Private = m
	return m
}

// public has an answer, made as private ones are, be news for all in the place: in
// the chat's language, whoever asked.
func (v *visit) public(answer func() error) error {
	v.lang, v.reply.Public = v.bot.sharedLanguage(v.chat, v.player), true
	return answer()
}

// button is a button of a private answer: it carries a command.
func (v *visit) button(label games.Line, command string, style games.Style) chat.Button {
	p := chat.Press{Table: v.work.pressed.Table, What: command}
	return chat.Button{Label: chat.Shorten(v.say(label), chat.MaxButton), Press: p.String(), Style: style}
}

// rulesCommand explains the rules of a variant or a game, or of the table here,
// or of the first game.
func (v *visit) rulesCommand(w wishes) error {
	t, err := v.asked()
	if _, none := games.Refused(err); err != nil && !none {
		return err
	}
	name := w["variant"]
	if err == nil && name == "" {
		return v.explain(t.Game, t.Rules)
	}
	for _, g := range v.bot.games {
		has := slices.ContainsFunc(g.Variants(), func(x games.Variant) bool { return x.Name == name })
		if name == "" || name == g.Name() || has {
			variant := name
			if !has {
				variant = ""
			}
			rules, err := games.Choose(g, variant, nil)
			if err != nil {
				return err
			}
			return v.explain(g.Name(), rules)
		}
	}
	kept, err := v.keptRules("")
	if err != nil {
		return err
	}
	if found := namedRules(kept, name); len(found) > 0 {
		return v.explainHouse(found[0])
	}
	var known []string
	for _, c := range v.bot.allVariants() {
		known = append(known, c.value)
	}
	return noSuchWord(name, known)
}

// explain puts rules into sentences.
func (v *visit) explain(name string, rules games.Rules) error {
	g, err := v.bot.game(name)
	if err != nil {
		return err
	}
	v.private(games.Say("bot.rules", games.Args{"Game": v.bot.gameLabel(g), "Rules": v.bot.rulesLabel(g, rules)}), g.Explain(rules)...)
	return nil
}

// asked is the table that a pressed button or a command is about: the one on
// the button, else the one that is here.
func (v *visit) asked() (store.Table, error) {
	if v.work.pressed.Table != 0 {
		return v.load(v.work.pressed.Table)
	}
	return v.here()
}

// mostShown is how many dice /fair shows; a record holds them all.
const mostShown = 120

// fairCommand shows what the dice of a table follow from.
func (v *visit) fairCommand(wishes) error {
	t, err := v.asked()
	if err != nil {
		return err
	}
	moves, err := v.tx.Moves(t.ID)
	if err != nil {
		return fmt.Errorf("moves of table %d: %w", t.ID, err)
	}
	ended := t.State == store.Over || t.State == store.Abandoned
	exact := []chat.Exact{v.exact(games.Say("bot.fair.seal", games.Args{"Seal": gapMark}), t.Commitment)}
	var lines []games.Line
	if ended {
		exact = append(exact, v.exact(games.Say("bot.fair.seed", games.Args{"Seed": gapMark}), fmt.Sprintf("%x", t.Seed)))
	} else {
		lines = append(lines, games.Say("bot.fair.secret", nil))
	}
	for i, s := range t.Seats {
		said := games.Say("bot.fair.luck", games.Args{"Seat": games.Seat(i), "Word": gapMark})
		exact = append(exact, v.exact(said, strings.Map(plainRune, s.Entropy)))
	}
	if last := lastWord(t); last >= 0 {
		lines = append(lines, games.Say("bot.fair.last", games.Args{"Seat": games.Seat(last)}))
	}
	if thrown := thrownBy(moves); thrown != "" {
		lines = append(lines, games.Say("bot.fair.dice", games.Args{"Dice": thrown}))
	}
	if t.Bare {
		lines = append(lines, games.Say("bot.fair.bare", nil))
	} else if t.State == store.Over { // only a game that was played to its end has a record
		checked := "bot.fair.verify"
		if v.ev.Equals {
			checked = "bot.fair.verify-here"
		}
		lines = append(lines, games.Say(checked, games.Args{"Scheme": dice.Scheme}))
	}
	lines = append(lines, games.Say("bot.fair.proves", nil), games.Say("bot.fair.looked", nil))
	m := v.private(games.Say("bot.fair.head", games.Args{"Table": t.ID}), lines...)
	m.Exact = exact
	if t.State == store.Over && !t.Bare {
		m.Record = t.ID
	}
	return nil
}

// exact puts a text that people copy into the gap of a sentence.
func (v *visit) exact(said games.Line, text string) chat.Exact {
	before, after, _ := strings.Cut(v.say(said), gapMark)
	return chat.Exact{Before: before, Text: text, After: after}
}

// lastWord is the seat of whoever has given or changed their word for the dice last,
// by sitting down or by /luck; -1: that is not known.
func lastWord(t store.Table) int {
	last := -1
	for i, s := range t.Seats {
		if s.House == "" && s.Worded > 0 && (last < 0 || s.Worded >= t.Seats[last].Worded) {
			last = i
		}
	}
	return last
}

// plainRune drops what would turn or hide the text around a word.
func plainRune(r rune) rune {
	if !chat.Shows(r) {
		return -1
	}
	return r
}

// thrownBy lists the dice of moves, throw by throw, the last of them where
// there are many.
func thrownBy(moves []store.Move) string {
	var throws []string
	left := mostShown
	for _, m := range slices.Backward(moves) {
		if len(m.Dice) == 0 {
			continue
		}
		if left -= len(m.Dice); left < 0 {
			throws = append(throws, "…")
			break
		}
		throws = append(throws, strings.Trim(fmt.Sprint(m.Dice), "[]"))
	}
	slices.Reverse(throws)
	return strings.Join(throws, " · ")
}

// luckCommand takes the text that a person adds to the dice of their table.
func (v *visit) luckCommand(w wishes) error {
	word := w["word"]
	if word == "" {
		return games.Refuse("bot.luck-how", nil)
	}
	if err := dice.CheckEntropy(word); err != nil {
		return err
	}
	if strings.ContainsFunc(word, func(r rune) bool { return !chat.Shows(r) }) {
		return games.Refuse("games.luck-control", nil) // it would turn, or hide, what stands beside it
	}
	t, err := v.goesOn()
	if err != nil {
		return err
	}
	mine := seatOf(t, v.ev.User)
	switch {
	case t.State != store.Lobby:
		return games.Refuse("bot.luck-late", nil)
	case mine < 0:
		return games.Refuse("bot.luck-sit", nil)
	}
	t.Seats[mine].Entropy, t.Seats[mine].Worded = word, v.at
	v.toast("bot.luck", nil)
	return v.save(&t)
}

// languageCommand says or sets the language of the chat.
func (v *visit) languageCommand(w wishes) error {
	asked := w["language"]
	if asked == "" {
		m := v.private(games.Say("bot.language-now", games.Args{"Language": v.bot.languageLabel(cmp.Or(v.chat.Language, v.lang))}))
		var row []chat.Button
		for _, lang := range v.bot.words.Languages() {
			row = append(row, v.button(v.bot.languageLabel(lang), "/language "+lang, games.Plain))
		}
		m.Rows(chat.ChoiceRow, row...)
		return nil
	}
	lang := v.bot.spoken(asked)
	if lang == "" {
		return v.noSuchLanguage(asked)
	}
	if err := v.adminsOnly("bot.admins-change"); err != nil {
		return err
	}
	v.chat.Language = lang
	if err := v.tx.SaveChat(v.chat); err != nil {
		return err
	}
	v.toast("bot.language-set", games.Args{"Language": v.bot.languageLabel(lang)})
	return v.redrawAll()
}

// redrawAll has the boards of the chat drawn that people look at: those of
// tables that are not over, and the last one here.
func (v *visit) redrawAll() error {
	tables, err := v.active(v.chat.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if t.Away {
			continue // it is drawn as it is once it can be reached
		}
		if err := v.redraw(&t); err != nil {
			return err
		}
	}
	t, err := v.here()
	if _, none := games.Refused(err); none {
		return nil
	}
	if err != nil || slices.ContainsFunc(tables, func(drawn store.Table) bool { return drawn.ID == t.ID }) {
		return err
	}
	return v.redraw(&t)
}

// noSuchLanguage refuses a language that nobody has written sentences in.
func (v *visit) noSuchLanguage(asked string) error {
	var known []string
	for _, l := range v.bot.Languages() {
		known = append(known, l.Name)
	}
	return noSuchWord(asked, known)
}

// unitCommand says or sets what the chat plays for.
func (v *visit) unitCommand(w wishes) error {
	if w["name"] == "" {
		v.private(games.Say("bot.unit", games.Args{"Unit": amount(v.unit(), 10)}))
		return nil
	}
	name, err := money.CleanUnit(w["name"])
	if err != nil {
		return err
	}
	if v.ev.NoMoney && money.LooksLikeMoney(name) {
		return games.Refuse("bot.unit-money", nil)
	}
	if err := v.adminsOnly("bot.admins-change"); err != nil {
		return err
	}
	v.chat.Unit = name
	if err := v.tx.SaveChat(v.chat); err != nil {
		return err
	}
	v.toast("bot.unit-set", games.Args{"Unit": amount(name, 10)})
	return nil
}
