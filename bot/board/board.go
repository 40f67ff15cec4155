// Package board draws tables as messages and answers questions about stored tables, such as who may press a button.
package board

// Drawing a board: its data, its sentences and its buttons.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Boards draws the board of each table: the chat message that shows the table and its buttons.
type Boards struct {
	*bot.Bot
	// Result, if set, can add to the board s of a finished game. reviewed: the board gets a button for the review.
	Result func(s *BoardView) (reviewed bool, err error)

	replays Memory[int64, replay]    // cached replays by table ID, each shared by all viewers of the table
	logs    Memory[int64, cachedLog] // cached logs by table ID
}

// New returns the boards of a bot.
func New(b *bot.Bot) *Boards { return &Boards{Bot: b} }

// BoardView is one board (message about a table) being drawn: the stored table, other data, and the Message so far.
type BoardView struct {
	bot       *Boards
	Tx        *store.Tx
	Table     store.Table
	Game      games.Game
	lang      string
	names     []string
	persons   map[string]string  // the persons who opened the table, sit there or ask for a seat, by all their players
	owner     string             // user ID, if this is a person's private chat with the bot; "": a group
	paper     bool               // the game has a sheet
	large     bool               // the sheet has too many columns for the board
	kept      []store.HouseRules // the chat's house rules for the game that new tables can use; only in a lobby
	read      bot.Cache          // results of queries by name, shared by all viewers
	flows     games.Match        // the match if the chat's pace plays forced moves at once; else nil
	pressed   []store.Move       // the moves of the last press, if flows is set
	viewer    *chat.Viewer       // nil: the shared board
	traits    chat.Traits        // of the page that shows the board, or of the platform of the table's place
	turn      []games.Seat       // the seats to move
	undo      []games.Seat       // the seats that may undo the last choice
	boxHolder string             // the holder of the box (jackpot), as stored; only in a lobby
	Message   chat.Message
	Err       error // the first error of a query; if set, Message is incomplete
}

// readOnce returns the result of a query about the table. It runs the query once for all viewers and caches the result
// under name. The first error goes to s.Err; the value may then be zero.
func readOnce[T any](s *BoardView, name string, query func(table int64) (T, error)) T {
	value, err := bot.Cached(s.read, name, func() (T, error) { return query(s.Table.ID) })
	s.Err = cmp.Or(s.Err, err)
	return value
}

// settings returns the settings of the table's chat.
func (s *BoardView) settings() bot.Settings {
	read := func() (bot.Settings, error) { return bot.SettingsOf(s.Tx, s.Table.Chat) }
	set, err := bot.Cached(s.read, "settings", read)
	s.Err = cmp.Or(s.Err, err)
	return set
}

// chatBox returns the box (jackpot) that the chat has in the table's unit of stakes, such as chips.
func (s *BoardView) chatBox() store.Box {
	return readOnce(s, "box", func(int64) (store.Box, error) { return s.Tx.Books.Box(s.Table.Chat, s.Table.Unit) })
}

// seatName returns the name at a seat, or the word for “someone” if the table has no such seat.
func (s *BoardView) seatName(seat games.Seat) string {
	if seat < 0 || int(seat) >= len(s.names) {
		return s.Say("bot.somebody", nil)
	}
	return s.names[seat]
}

// Line returns the sentence l as text in the board's language, in which seats appear as their names. A sentence about
// the viewer's own seat says “you” if there is such a sentence (games.Line.You).
func (s *BoardView) Line(l games.Line) string {
	if seat, ok := l.Args["Seat"].(games.Seat); ok && s.isOwn(seat) {
		if you := l.You(); s.bot.Words.Has(you.Key) {
			l = you
		}
	}
	return s.bot.Words.Say(s.lang, l, words.Context{Name: s.seatName, Spell: s.bot.Spell(chat.Place(s.Table.Place))})
}

// Say returns the sentence of a key as text in the board's language.
func (s *BoardView) Say(key string, args games.Args) string { return s.Line(games.Say(key, args)) }

// tell adds a sentence to the top of the board. If the board has no heading yet, the sentence becomes the heading.
func (s *BoardView) tell(sentence string) {
	if s.Message.Head == "" {
		s.Message.Head = sentence
		return
	}
	s.Message.Told = append(s.Message.Told, sentence)
}

// tellAll adds each of lines to the top of the board: the first one as its heading, if it has none yet.
func (s *BoardView) tellAll(lines []games.Line) {
	for _, l := range lines {
		s.tell(s.Line(l))
	}
}

// tellFirst makes a sentence the heading and moves the present heading below it.
func (s *BoardView) tellFirst(sentence string) {
	said := append([]string{s.Message.Head}, s.Message.Told...)
	s.Message.Head, s.Message.Told = sentence, said
}

// press returns the data of a button of this board: the table, its turn, and action, a verb such as "!join" or a move.
func (s *BoardView) press(action string) string {
	return chat.Press{Table: s.Table.ID, Turn: BoardTurn(s.Table), What: action}.String()
}

// button returns a button with a label, which is shortened to fit. action is the action of the button.
func (s *BoardView) button(label games.Line, action string, style games.Style) chat.Button {
	return chat.Button{Label: chat.Shorten(s.Line(label), chat.MaxButton), Press: s.press(action), Style: style}
}

// namedButton returns a button whose label is the sentence "bot.button."+name. action is its action.
func (s *BoardView) namedButton(name, action string, style games.Style) chat.Button {
	return s.button(games.Say("bot.button."+name, nil), action, style)
}

// addSeats adds one line for each seat. text returns the words beside the name of seat i, and its state, such as Won.
func (s *BoardView) addSeats(text func(i int) (string, games.StandState)) {
	for i, seat := range s.Table.Seats {
		said, state := text(i)
		s.Message.People = append(s.Message.People, chat.Person{
			Seat: i, User: chat.User(seat.Player), Name: s.names[i], Text: said, State: state, House: seat.House != "",
			Reserved: !seat.Confirmed,
			Opener: s.Table.State == store.Lobby && s.Table.Occasion == "" && seat.House == "" &&
				seat.Player == s.Table.Opener,
		})
	}
}

// Note adds the sentence of a key as a line below the heading and the seats.
func (s *BoardView) Note(key string, args games.Args) {
	s.Message.Lines = append(s.Message.Lines, s.Say(key, args))
}

// Rendering of whole boards.

// shownSeal is how many characters of the seal (hash published before the first roll) are in the small print.
const shownSeal = 12

// Render returns the board of t for viewer. A nil viewer means the shared board, in the language of the chat or
// else of the opener. On platforms with Pages, nil means a viewer without a seat instead. Message.Views gets the board
// of each of others, but leaves out boards that fail. The queries run once for all viewers.
func (b *Boards) Render(tx *store.Tx, t store.Table, viewer *chat.Viewer, others ...chat.Viewer) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	if viewer == nil && b.Traits(chat.Place(t.Place)).Pages {
		viewer = &chat.Viewer{}
	}
	m, err := s.drawFor(viewer)
	if err != nil {
		return chat.Message{}, fmt.Errorf("board of table %d: %w", t.ID, err)
	}
	var views []chat.View // not an empty slice: adapters compare boards
	for _, other := range others {
		seen := m
		if viewer == nil || !s.isShared(*viewer) || !s.isShared(other) {
			if seen, err = s.drawFor(&other); err != nil {
				continue
			}
		}
		views = append(views, chat.View{By: other, Message: seen})
	}
	m.Views = views
	return m, nil
}

// isShared reports whether the viewer gets the same board as all viewers without a seat. It is false if they use
// another language, have opened a page of the board, or see a lobby and could join it.
func (s *BoardView) isShared(viewer chat.Viewer) bool {
	lang := s.bot.Words.Match(viewer.Lang)
	return len(viewer.People) == 0 && !viewer.Offers && (!viewer.Unseated || s.Table.State != store.Lobby) &&
		viewer.Open.Table != s.Table.ID && (lang == "" || lang == s.lang)
}

// drawFor draws the board for a viewer. A nil viewer means the shared board. The viewer's people are players, but until
// the board is drawn, s knows them as persons.
func (s BoardView) drawFor(viewer *chat.Viewer) (chat.Message, error) {
	s.traits = s.bot.Traits(chat.Place(s.Table.Place))
	if viewer != nil {
		s.traits = chat.Traits{Pages: true, Steps: true}
		own := *viewer
		own.People = slices.Clone(own.People)
		for i, user := range own.People {
			own.People[i] = cmp.Or(chat.User(s.persons[string(user)]), user)
		}
		s.lang = cmp.Or(s.bot.Words.Match(viewer.Lang), s.lang)
		s.names, s.Message.Lang = s.bot.NamesAt(s.Table, s.lang), s.lang
		s.viewer, s.Table.Board.Page = &own, openPage(s.Table, *viewer, s.bot.Now())
	}
	s.Message.Turn, s.Message.Version = s.Table.Turn, s.Table.Version
	s.Message.Live = s.Table.State == store.Lobby || s.Table.State == store.Playing
	s.Message.Game = s.Line(s.bot.TableLabel(s.Game, s.Table.Rules))
	switch {
	case viewer != nil && viewer.Offers:
		s.addOffers()
	case s.Table.State == store.Lobby:
		s.drawLobby()
	case s.Table.State == store.Playing:
		s.drawPlaying()
	case s.Table.State == store.Over:
		s.drawOver()
	default:
		s.drawAbandoned()
	}
	if viewer != nil && s.Table.Board.Away {
		s.Note("bot.away-here", nil)
	}
	if viewer != nil && s.Err == nil {
		s.addForPage()
		s.limitToViewer()
		for i, person := range s.viewer.People {
			if !slices.Contains(viewer.People, person) {
				chat.Readdress(&s.Message, person, viewer.People[i])
			}
		}
	} else if s.Table.Board.Expires > 0 || s.traits.Guest {
		s.addForGuest()
	}
	if s.traits.Launches {
		s.Message.Row(s.button(games.Say("bot.page.open", nil), "!app", games.Plain))
	}
	return s.Message, s.Err
}

// Offers returns the message that offers seats of a running table to everyone, in the language of the table's board.
func (b *Boards) Offers(tx *store.Tx, t store.Table) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	s.addOffers()
	return s.Message, s.Err
}

// prepare returns an empty board of a table in its language. Its message holds only the table's ID and, in Concerns,
// all players of the opener, the seated people and those who ask for a seat: they may see other boards than all others.
func (b *Boards) prepare(tx *store.Tx, t store.Table) (BoardView, error) {
	group, err := tx.Chats.Chat(t.Chat)
	if err != nil {
		return BoardView{}, err
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return BoardView{}, err
	}
	lang, err := b.TableLanguage(tx, group, t)
	if err != nil {
		return BoardView{}, err
	}
	s := b.newView(tx, t, g, lang)
	if s.persons, err = tx.Chats.PersonsAt(t.ID); err != nil {
		return BoardView{}, err
	}
	s.owner, s.Message.Table = group.Owner, t.ID
	concerns := []chat.User{chat.User(t.Opener)} // people whose board can differ from that of the others
	for _, seat := range t.Seats {
		for _, user := range []chat.User{chat.User(seat.Player), chat.User(seat.Taker)} {
			if user != "" && !slices.Contains(concerns, user) {
				concerns = append(concerns, user)
			}
		}
	}
	for _, player := range slices.Sorted(maps.Keys(s.persons)) {
		if !slices.Contains(concerns, chat.User(player)) {
			concerns = append(concerns, chat.User(player))
		}
	}
	s.Message.Concerns = concerns
	return s, nil
}

// newView returns an empty board of a table in a language.
func (b *Boards) newView(tx *store.Tx, t store.Table, g games.Game, lang string) BoardView {
	return BoardView{bot: b, Tx: tx, Table: t, Game: g, lang: lang, names: b.NamesAt(t, lang), read: bot.Cache{},
		Message: chat.Message{Lang: lang, Accent: -1}}
}

// maxSmall is the largest number of characters of a lobby's small print.
const maxSmall = 80

// SmallPrint sets the small print: the seal (hash) of the dice seed and the name of the rules. If that is too long for
// a lobby, the rules become a line instead.
func (s *BoardView) SmallPrint() {
	args := games.Args{"Seal": s.Table.Dice.Commitment[:min(shownSeal, len(s.Table.Dice.Commitment))],
		"Rules": s.rulesName()}
	s.Message.Small = s.Say("bot.small", args)
	if s.Table.State == store.Lobby && utf8.RuneCountInString(s.Message.Small) > maxSmall {
		s.Message.Small = s.Say("bot.small-seal", args)
		s.addSmall(s.Line(s.rulesName()))
	}
}

// addSmall appends a text to a lobby's small print or, if that would be too long, adds it as a line.
func (s *BoardView) addSmall(text string) {
	if small := s.Message.Small + " · " + text; utf8.RuneCountInString(small) <= maxSmall {
		s.Message.Small = small
		return
	}
	s.Message.Lines = append(s.Message.Lines, text)
}
