// Package table runs tables from opening to end: seats, moves, votes, absence and clocks.
package table

import (
	"errors"
	"strconv"
	"sync/atomic"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// Tables runs the tables of all chats. It embeds Boards, which draws them, and adds the actions of players.
type Tables struct {
	*board.Boards
	Solutions *solutions
	// Notifier sends pings, which ask people to come to their table; it must be set.
	Notifier Notifier
	// Ended are called, in order, for each finished game, in the transaction that stores the result.
	Ended []func(v *Visit, t store.Table, g games.Game) error
	// BrokenOff are called, in order, for each game that ends without a result, in the transaction that stores its end.
	BrokenOff []func(v *Visit, t store.Table) error

	playWaker loop.Waker   // wakes the loop that plays computer seats at waiting tables
	dueWaker  loop.Waker   // wakes the loop of deadlines if a new deadline is before its next round
	nextRound atomic.Int64 // latest time of the next round of the loop of deadlines, in Unix milliseconds
	// threads caches opened threads by event ID, so that an event redelivered after a failure opens no second one.
	threads board.Memory[string, chat.Place]
}

// Visit is the handling of one event (press or command) and its effects on its table. In comments on its methods,
// “the person” is v.Event.User, who pressed or typed, and a “place” is a chat or a thread.
type Visit struct {
	*bot.Visit
	bot *Tables

	Begun        bool         // a turn has begun at the table
	playing      bool         // the person has made a move
	withdrew     bool         // the offer of a seat at the table was withdrawn
	playedForced bool         // forced moves were played along with the person's move
	played       []store.Move // moves at the table that CarryOn has yet to store
}

// Visit returns v with the methods of this package. It has done nothing to a table yet.
func (b *Tables) Visit(v *bot.Visit) *Visit { return &Visit{Visit: v, bot: b} }

// Notifier sends pings: messages to people whose turn it is, or about seats that people can take. Its methods write in
// the transaction of a visit; the messages are sent after the commit.
type Notifier interface {
	// Next schedules a ping of the player whose turn it is in m, the match of t, and cancels pings for earlier turns.
	Next(v *Visit, t store.Table, m games.Match) error
	// Cancel cancels the pings of a table: unsent ones are dropped, sent ones deleted.
	Cancel(v *Visit, t store.Table) error
	// Sooner makes the bot check soon whether to send the table's ping: it may have to be sent earlier than planned.
	Sooner(v *Visit, t store.Table) error
	// Remind pings the player whose turn it is once more, and says that others wait.
	Remind(v *Visit, t store.Table, m games.Match) error
	// Offers posts a message on the offered seats of t, if any, that stays for a minute, and deletes the previous one.
	Offers(v *Visit, t store.Table) error
}

// Feature returns the additions of tables to the bot: commands, loops, settings, and functions called on events.
func (b *Tables) Feature() bot.Feature {
	return bot.Feature{
		Commands: b.commandTable(),
		Loops: []bot.Loop{
			{Wake: b.playWaker, Waits: "play house seats failed", Look: b.lookWaiting},
			{Wake: b.dueWaker, Waits: "end overdue turns failed", Look: newDeadlines(b).look},
		},
		Heard:    b.dueWaker,
		Settings: b.settingTable(),
		Press:    func(v *bot.Visit) error { return b.Visit(v).press() },
		Board:    b.Render,
		Before:   func(v *bot.Visit) error { return b.Visit(v).markReached() },
		Renamed:  func(v *bot.Visit) error { return b.Visit(v).renameSeats() },
		Left:     func(v *bot.Visit, user, chat string) error { return b.Visit(v).leftChat(user, chat) },
		Zone:     func(v *bot.Visit, was, now bot.Settings) error { return b.Visit(v).quietChanged(was, now) },
	}
}

// commandTable returns all commands about tables, with one for each game and for each variant that has its own command.
func (b *Tables) commandTable() []bot.Command {
	var all []bot.Command
	for _, o := range b.OpeningsOf(b.Games, words.Default) {
		all = append(all, b.gameCommand(o))
	}
	kept := b.houseChoices("")
	variant := bot.Option{Name: "variant", Type: chat.TypeGame, About: games.Say("bot.option.variant", nil),
		Choices: b.AllVariants(), Also: b.OtherNames(), More: kept}
	return append(all,
		b.playCommand(),
		bot.Command{Name: "table", Subject: bot.ToPlay, Run: bot.As(b.Visit, (*Visit).tableCommand)},
		bot.Command{Hidden: true, Name: "bring", Run: bot.As(b.Visit, (*Visit).bringCommand),
			Needs: 1, How: "bot.no-table",
			Options: []bot.Option{{Name: "table", Type: chat.TypeNumber}}},
		bot.Command{Name: "hint", Subject: bot.ToPlay, Run: bot.As(b.Visit, (*Visit).hintCommand)},
		bot.Command{Name: "luck", Subject: bot.ToPlay, Run: bot.As(b.Visit, (*Visit).luckCommand),
			Options: []bot.Option{{Name: "word", Type: chat.TypeText, About: games.Say("bot.option.word", nil)}}},
		bot.Command{Name: "handover", Subject: bot.ToPlay, Run: bot.As(b.Visit, (*Visit).handoverCommand)},
		bot.Command{Name: "abandon", Subject: bot.ToPlay, Run: bot.As(b.Visit, (*Visit).abandonCommand)},

		bot.Command{Name: "rules", Subject: bot.ToTrust, Run: bot.As(b.Visit, (*Visit).rulesCommand),
			Brief:   bot.As(b.Visit, (*Visit).rulesCommand),
			Options: []bot.Option{variant}},
		bot.Command{Name: "fair", Subject: bot.ToTrust, Run: bot.As(b.Visit, (*Visit).fairCommand),
			How: "bot.fair.how", Brief: explainFair, Options: []bot.Option{
				{Name: "game", Type: chat.TypeNumber, Min: 1, About: games.Say("bot.option.dice-of", nil)},
				{Name: "page", Type: chat.TypeChoice, Choices: []bot.Choice{bot.TextChoice(pageWhole)}}}},

		bot.Command{Name: "house", Subject: bot.OfChat, Run: bot.As(b.Visit, (*Visit).houseCommand),
			How: "bot.house-rules.how", Hosted: "bot.hosted.house", Equals: "bot.equals.house",
			Options: []bot.Option{{Name: "what", Type: chat.TypeText, About: games.Say("bot.option.house-what", nil),
				More: kept}},
			Bare: "list", Else: "show", Subs: b.houseSubcommands()},
		bot.Command{Name: "unit", Subject: bot.OfChat, Run: bot.As(b.Visit, (*Visit).unitCommand),
			Options: []bot.Option{{Name: "name", Type: chat.TypeText, About: games.Say("bot.option.unit", nil)}}},
	)
}

// houseSubcommands returns the subcommands of /house, which manage the house rules of a chat.
func (b *Tables) houseSubcommands() []bot.Command {
	named := func(about string) []bot.Option {
		return []bot.Option{{Name: "name", Type: chat.TypeText, About: games.Say(about, nil), More: b.houseChoices("")}}
	}
	return []bot.Command{
		{Name: "list", Word: "bot.house-rules.verb.list", About: games.Say("bot.row.house.list", nil),
			Run: bot.As(b.Visit, (*Visit).houseCommand)},
		{Name: "show", Word: "bot.house-rules.verb.show", About: games.Say("bot.row.house.show", nil), Needs: 1,
			Options: named("bot.option.house-name"), Run: bot.As(b.Visit, (*Visit).houseCommand)},
		{Name: "save", Word: verbSave, About: games.Say("bot.row.house.save", nil), Needs: 1,
			Hosted: "bot.hosted.save", Equals: "bot.equals.save", Options: named("bot.option.house-new"),
			Run: bot.As(b.Visit, (*Visit).saveHouse)},
		{Name: "drop", Word: verbDrop, About: games.Say("bot.row.house.drop", nil), Needs: 1,
			Hosted: "bot.hosted.drop", Equals: "bot.equals.drop", Options: named("bot.option.house-name"),
			Run: bot.As(b.Visit, (*Visit).dropHouse)},
	}
}

// gameCommand returns the command that opens a table of o, a game or variant. Its options are the stake, the variants
// of the game, the house rules, every option of the rules, a thread, and the terms on the turn limit.
func (b *Tables) gameCommand(o bot.Opening) bot.Command {
	g := o.Game
	c := bot.Command{Name: o.Command, Variant: o.Variant, Subject: bot.ToPlay, Game: g,
		About: games.Say("bot.command.open", games.Args{"Game": o.Label})}
	if about, ok := b.About(o); ok {
		c.About = about
	}
	c.Run = func(v *bot.Visit, w bot.Args) error { return b.Visit(v).openCommand(o, w) }
	c.Brief = func(v *bot.Visit, w bot.Args) error { return b.wantsToPlay(v, o, w) }
	if games.CanBeStaked(g) {
		c.Options = append(c.Options, stakeOption)
	}
	if o.Variant == "" {
		c.Aliases = b.GameAliases(g)
	}
	if o.Variant == "" && len(g.Variants()) > 1 {
		c.Options = append(c.Options, bot.Option{
			Name: "variant", Type: chat.TypeChoice, Label: games.Say("bot.option-called.variant", nil),
			About:   games.Say("bot.option.variant", nil),
			Choices: b.VariantChoices(g), More: b.houseChoices(g.Name()),
		})
	}
	c.Options = append(c.Options, bot.Option{Name: "house", Type: chat.TypeChoice, More: b.houseChoices(g.Name()),
		Label: games.Say("bot.option-called.house", nil), About: games.Say("bot.option.house", nil)})
	for _, choice := range g.Options() {
		rule := bot.Option{Name: choice.Name, Type: chat.TypeChoice, Label: b.OptionLabel(g, "", choice),
			About: b.AboutOption(g, o.Variant, choice), Choices: bot.ValueChoices(choice)}
		if choice.Parse != nil {
			rule.Type, rule.Reads = chat.TypeWord, func(word string) bool {
				_, err := choice.Parse(word)
				return err == nil
			}
		}
		c.Options = append(c.Options, rule)
	}
	c.Options = append(c.Options, bot.Option{Name: "thread", Type: chat.TypeThread,
		About: games.Say("bot.option.thread", nil)})
	c.Options = append(c.Options, b.termOptions(g)...)
	return c
}

// stakeOption is the option for the stake of a new table, in the commands that open one.
var stakeOption = bot.Option{Name: "stake", Type: chat.TypeAmount, Max: money.MaxStake,
	Label: games.Say("bot.option-called.stake", nil), About: games.Say("bot.option.stake", nil),
	Refuse: func(said string) error {
		stake, err := strconv.ParseInt(said, 10, 64)
		if err == nil || errors.Is(err, strconv.ErrRange) { // a number out of range is too large
			return money.CheckStake(stake, money.MaxSeats)
		}
		return games.Refuse("bot.stake-number", nil)
	}}

// New returns the tables of a bot. The caller must set its Notifier, as call.New does.
func New(b *bot.Bot) *Tables {
	t := &Tables{Boards: board.New(b), playWaker: loop.NewWaker(), dueWaker: loop.NewWaker()}
	t.Solutions = newSolutions(b.Config, func() {
		t.playWaker.Wake()
		b.Solved()
	})
	return t
}

// settingTable returns the settings of a chat about tables: quiet hours, idle tables, the pace, games of one person.
func (b *Tables) settingTable() []bot.Setting {
	return []bot.Setting{
		{
			Name: "quiet", Reads: readQuiet, Says: sayQuiet,
			Changed: func(v *bot.Visit, was, now bot.Settings) error { return b.Visit(v).quietChanged(was, now) },
			Offers:  []string{"22-8", "23-7", "0-9", "none"},
		},
		{
			Name: "idle", Reads: readIdle, Says: sayIdle,
			Offers: []string{"1", "3", "7", "14", "30", "0"},
		},
		{
			Name: "pace", Usual: defaultPace, Values: [][2]string{
				{board.Quick, "bot.settings.pace-quick"}, {board.Calm, "bot.settings.pace-calm"}},
		},
		{
			Name: "alone", Values: [][2]string{{board.AlonePractice, "bot.settings.alone-practice"},
				{board.AloneCounts, "bot.settings.alone-counts"}},
		},
	}
}
