package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// openCommand opens a table of o, a game or variant, with the options w. If a table is in the way, it shows that one.
func (v *Visit) openCommand(o bot.Opening, w bot.Args) error {
	g := o.Game
	apart := w.Flag("thread")
	delete(w, "thread")
	if apart {
		t, err := v.newTable(g, withVariant(o, w))
		if err != nil {
			return err
		}
		return v.openThread(t)
	}
	old, goesOn, err := v.GoesOn()
	if err != nil {
		return err
	}
	decides := old.Game == g.Name() && board.SeatOf(old, v.Event.User) >= 0 &&
		(v.MakesRoom(old) || old.Opener == string(v.Event.User))
	if goesOn && bot.InMessage(v.Event) && old.State == store.Lobby && old.Game == o.Game.Name() &&
		(o.Variant == "" || hasVariant(old, o)) && board.SeatOf(old, v.Event.User) < 0 {
		return v.join(&old, "") // the message invited to this game
	}
	if goesOn && (decides || !v.isReplaceable(old)) {
		return v.commandAtTable(old, o, w)
	}
	t, err := v.newTable(g, withVariant(o, w))
	if err != nil {
		return err
	}
	if goesOn {
		if err := v.closeReplaced(&old); err != nil {
			return err
		}
	}
	_, err = v.openTable(t)
	return err
}

// wantsToPlay answers that the person wants to play o with the options w. It refuses wrong options, except house rules,
// which only the chat knows.
func (b *Tables) wantsToPlay(v *bot.Visit, o bot.Opening, w bot.Args) error {
	args := games.Args{"Name": b.ShownName(v.Player.Name, v.Lang), "Game": o.Label}
	said, count := games.Say("bot.guest.wants", args), len(w)
	if stake, given := w.Amount("stake"); given {
		count--
		if args["Amount"] = bot.Amount("", stake); stake > 0 {
			said.Key = "bot.guest.wants-stake"
		}
	}
	w = withVariant(o, w)
	variant := w.Text("variant")
	if _, known := games.VariantNamed(o.Game, variant); !known && variant+w.Text("house") != "" || count == 0 {
		v.Private(said)
		return nil
	}
	rules, err := chooseRules(o.Game, w, func(given games.Rules) (games.Rules, error) {
		return games.Choose(o.Game, variant, given)
	})
	if err == nil {
		v.Private(said, b.RulesLabel(o.Game, rules))
	}
	return err
}

// withVariant returns the options w of the command o. It adds the variant of o, unless w names house rules.
func withVariant(o bot.Opening, w bot.Args) bot.Args {
	if o.Variant != "" && w.Text("house") == "" {
		w["variant"] = bot.Value{Text: o.Variant}
	}
	return w
}

// hasVariant reports whether a table has the game of o and the rules of its variant. Further options may differ.
func hasVariant(t store.Table, o bot.Opening) bool {
	variant, known := games.VariantNamed(o.Game, o.Variant)
	if t.Game != o.Game.Name() || !known {
		return false
	}
	rules, err := o.Game.Check(variant.Rules)
	for name, value := range rules {
		if t.Rules[name] != value {
			return false
		}
	}
	return err == nil
}

// MakesRoom reports whether a new table may replace t: a lobby in which no one else has a seat, not even a reserved
// one.
func (v *Visit) MakesRoom(t store.Table) bool {
	return t.State == store.Lobby && !slices.ContainsFunc(t.Seats, func(s store.Seat) bool {
		return s.House == "" && (!s.Confirmed || s.Player != string(v.Event.User))
	})
}

// refuseForTable refuses to open a table because of t: it posts the board of t again, and a toast says what to do.
func (v *Visit) refuseForTable(t store.Table) error {
	key := "bot.table-here"
	switch mine := board.SeatOf(t, v.Event.User); {
	case t.State == store.Lobby:
		key = "bot.sits"
	case mine >= 0:
		key = "bot.table-here-yours"
	}
	v.Toast(key, nil)
	v.Reply.Refused = true
	return v.repostBoard(t)
}

// newTable returns a new table with the options w, at which the person has a seat. It does not store the table, and
// takes no random numbers.
func (v *Visit) newTable(g games.Game, w bot.Args) (t store.Table, err error) {
	rules, house, err := v.chosenRules(g, w, store.Table{})
	if err != nil {
		return t, err
	}
	limit := int64(store.DefaultLimit)
	if v.Event.Perishable { // boards there do not show by themselves that a turn is over
		limit = 0
	}
	t = store.Table{Game: g.Name(), Rules: rules, HouseRules: house, Seats: []store.Seat{v.newSeat(0)},
		Clock: store.Clock{TurnLimit: limit}, Stake: stakeOr(g, rules, w, usualStake(v.Event))}
	err = v.bot.Agree(&t, g, w)
	return t, err
}

// commandAtTable handles the command o, which opens a table, while t is in the same chat or thread. If t is a lobby,
// its host changes it by the options w, and people without a seat are shown the lobby. Otherwise it posts the board
// again. The board then offers to end t, if the person may end it or has a vote.
func (v *Visit) commandAtTable(t store.Table, o bot.Opening, w bot.Args) error {
	inThread := v.threadCommand(o, w)
	if !hasVariant(t, o) {
		w = withVariant(o, w)
	}
	mine := board.SeatOf(t, v.Event.User)
	if t.State == store.Lobby && (mine < 0 || !t.Seats[mine].Confirmed || t.Game != o.Game.Name()) {
		return v.answerWithLobby(t, inThread)
	}
	if t.State == store.Lobby && len(w) > 0 && v.isHost(t) {
		if err := v.changeTerms(&t, w); err != nil {
			return err
		}
		if err := v.save(&t); err != nil {
			return err
		}
		v.Receipt("bot.changed", nil)
		return v.repostBoard(t)
	}
	may, _, err := v.mayEnd(t, false)
	if err != nil {
		return err
	}
	if (may || mine >= 0 && board.HasVote(t.Seats[mine])) && t.Board.Page == board.PageGame {
		v.openPage(&t, board.PageOffer)
	}
	if err := v.Redraw(&t); err != nil {
		return err
	}
	return v.refuseForTable(t)
}

// changeTerms sets the rules, stake and turn limit of a lobby to those in the options w, but does not store the lobby.
func (v *Visit) changeTerms(t *store.Table, w bot.Args) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	var rules games.Rules
	var house int64
	if w.Text("variant")+w.Text("house") != "" {
		rules, house, err = v.chosenRules(g, w, *t)
	} else if rules, err = chooseRules(g, w, func(given games.Rules) (games.Rules, error) {
		return games.Change(g, t.Rules, given)
	}); err == nil {
		house, err = v.matchHouseRules(*t, rules)
	}
	if err != nil {
		return err
	}
	if _, most := g.Seats(rules); len(t.Seats) > most {
		return games.Refuse("bot.too-many-seats", games.Args{"N": most})
	}
	if err := checkSolvable(g, rules, t.Seats); err != nil {
		return err
	}
	before := t.Stake
	if !g.Shape(t.Rules).Staked() {
		before = usualStake(v.Event)
	}
	t.Stake = stakeOr(g, rules, w, before)
	t.Rules, t.HouseRules = rules, house
	if err := checkFinal(*t); err != nil {
		return err
	}
	return v.bot.Agree(t, g, w)
}

// playCommand returns the command /play. It opens a table of the game that a person names, or else lists all games.
func (b *Tables) playCommand() bot.Command {
	return bot.Command{Name: "play", Subject: bot.ToPlay, AnyGame: true, Run: bot.As(b.Visit, (*Visit).showGames),
		Options: []bot.Option{
			{Name: bot.OptionGame, Type: chat.TypeGame, About: games.Say("bot.option.play-game", nil),
				Choices: b.GameChoices(), Reads: func(word string) bool {
					_, family := b.FamilyNamed(word)
					return family
				}},
			stakeOption,
			{Name: bot.OptionMore, Type: chat.TypeText, About: games.Say("bot.option.play-options", nil)},
		}}
}

// showGames shows a button for each game of the family in w, else for each game or, if these are too many, each family.
func (v *Visit) showGames(w bot.Args) error {
	if f, ok := v.bot.FamilyNamed(w.Text(bot.OptionGame)); ok {
		m := v.offerGames(games.Say("bot.play.family", games.Args{"Family": f.Label}), f.Games)
		m.Row(v.Button(games.Say("bot.button.back", nil), "/play", games.Plain))
		return nil
	}
	if len(v.bot.Games) <= bot.MaxFew {
		v.offerGames(games.Say("bot.play.head", nil), v.bot.Games)
		return nil
	}
	m := v.Private(games.Say("bot.play.families", nil))
	var row []chat.Button
	for _, f := range v.bot.Families() {
		var called games.List
		for _, o := range v.bot.OpeningsOf(f.Games, v.Lang) {
			called = append(called, o.Listed)
		}
		m.Lines = append(m.Lines, v.Say(games.Say("bot.option-value", games.Args{"Option": f.Label, "Value": called})))
		row = append(row, v.Button(f.Label, "/play "+f.Name, games.Primary))
	}
	m.Rows(chat.ChoiceRow, row...)
	return nil
}

// offerGames sets and returns the private answer: the line head and, below it, a line and a button for each of the
// games in all and each of their variants with its own command.
func (v *Visit) offerGames(head games.Line, all []games.Game) *chat.Message {
	m := v.Private(head)
	var row []chat.Button
	for _, o := range v.bot.OpeningsOf(all, v.Lang) {
		if about, ok := v.bot.About(o); ok {
			m.Lines = append(m.Lines,
				v.Say(games.Say("bot.option-value", games.Args{"Option": o.Listed, "Value": about})))
		}
		row = append(row, v.Button(o.Label, "/"+o.Command, games.Primary))
	}
	m.Rows(chat.ChoiceRow, row...)
	return m
}

// OpenButtons returns a button for each game, which opens a table. If there are too many games, only the first ones
// have buttons, and a last button lists all.
func (v *Visit) OpenButtons() (row []chat.Button) {
	for _, o := range v.bot.FirstOpenings(v.Lang) {
		row = append(row, v.Button(games.Say("bot.button.open", games.Args{"Game": o.Label}), "/"+o.Command,
			games.Primary))
	}
	if len(v.bot.Games) > bot.MaxFew {
		row = append(row, v.Button(games.Say("bot.play.more", nil), "/play", games.Plain))
	}
	return row
}

// A lobby in the way of another table. It keeps its chat or thread while seated people press its buttons now and then,
// which is checked only when people want another table there. Its opener alone decides the terms until they have
// pressed nothing for some minutes (board.OpenerDecides); the loop of deadlines then redraws the board.

// isReplaceable reports whether another table may replace t, a lobby: only the acting person sits there, no seated
// person has pressed a button for a long time, or the lobby's host chooses another game on a page of their own.
func (v *Visit) isReplaceable(t store.Table) bool {
	return v.MakesRoom(t) || t.State == store.Lobby && (v.At >= board.KeptUntil(t) || v.Event.Pages && v.isHost(t))
}

// closeReplaceable closes this place's lobby if it is replaceable. blocked: blocking is a table that must stay there.
func (v *Visit) closeReplaceable() (blocking store.Table, blocked bool, err error) {
	t, goesOn, err := v.GoesOn()
	switch {
	case err != nil || !goesOn:
		return t, false, err
	case v.isReplaceable(t):
		return t, false, v.closeReplaced(&t)
	}
	return t, true, nil
}

// closeReplaced closes a lobby for another table. Its board is deleted or, if other people sit there, says so.
func (v *Visit) closeReplaced(t *store.Table) error {
	page := board.PageGivenUp
	if v.MakesRoom(*t) && t.Board.Expires == 0 { // the bot cannot delete a perishable board
		page, t.Board.Repost = store.PageCleared, false
	}
	_, err := v.closeTable(t, page)
	return err
}

// answerWithLobby answers with the lobby t of this chat or thread: how long it stays, and buttons to join, leave or end
// it. threadCommand is the command of a button that opens another table in a thread; "": no such button.
func (v *Visit) answerWithLobby(t store.Table, threadCommand string) error {
	mine := board.SeatOf(t, v.Event.User)
	sits := mine >= 0 && t.Seats[mine].Confirmed
	m, err := v.bot.Render(v.Tx, t,
		&chat.Viewer{Lang: v.Lang, People: []chat.User{v.Event.User}, Unseated: mine < 0})
	if err != nil {
		return err
	}
	head, host := "bot.lobby-here", board.SeatOf(t, chat.User(t.Opener))
	if !board.OpenerSits(t) { // then the first seated person decides
		host = slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.House == "" && s.Confirmed })
	}
	switch {
	case host == mine:
		head = "bot.lobby-here-own"
	case sits:
		head = "bot.lobby-here-yours"
	}
	a := v.Private(games.Say(head, games.Args{"Seat": games.Seat(host)}))
	a.Lines = append(append([]string{m.Head}, m.Lines...),
		v.Say(games.Say("bot.lobby-keeps", games.Args{"N": v.minutesUntil(board.KeptUntil(t))})))
	a.Small = m.Small
	var row []chat.Button
	for _, b := range slices.Concat(m.Buttons...) {
		if p, _ := chat.ParsePress(b.Press); p.What == "!join" || p.What == "!leave" {
			row = append(row, b)
		}
	}
	if may, _, err := v.mayEnd(t, false); err != nil {
		return err
	} else if may {
		end := chat.Press{Table: t.ID, Turn: board.BoardTurn(t), What: "!end"}
		row = append(row, chat.Button{Label: v.Say(games.Say("bot.button.end", nil)), Press: end.String()})
	}
	if v.Event.Threads && threadCommand != "" {
		key := "bot.button.own-thread"
		if v.Event.NoThread.Key != "" { // here people open threads, called topics, themselves
			key = "bot.button.own-topic"
		}
		row = append(row, v.Button(games.Say(key, nil), threadCommand, games.Plain))
	}
	a.Row(row...)
	return nil
}

// threadCommand returns the command of a button that opens a table of the game o in a thread. It contains the options w
// unless they are too long for a button.
func (v *Visit) threadCommand(o bot.Opening, w bot.Args) string {
	command := "/" + o.Command
	said := []string{command}
	for _, name := range slices.Sorted(maps.Keys(w)) {
		said = append(said, name+"="+w[name].Text)
	}
	asked := strings.Join(append(said, "thread"), " ")
	if _, fits := chat.ParsePress(chat.Press{Table: v.Pressed().Table, What: asked}.String()); fits {
		return asked
	}
	return fmt.Sprint(command, " thread")
}
