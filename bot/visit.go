package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// mostToast is the largest number of characters of a toast.
const mostToast = 200

// shortToast is how long a toast should be: longer ones are cut by platforms.
const shortToast = 60

// visit is one event inside the transaction that carries it out. Its methods
// read, decide and write; none of them speaks to a platform.
type visit struct {
	bot     *Bot
	tx      *store.Tx
	ev      chat.Event
	at      int64 // Unix milliseconds
	outside       // what was learned of the platform before

	chat   store.Chat
	player store.Player
	// custom is what a chat has set, customChat, once somebody has asked.
	custom     custom
	customChat string
	// What was read of the chat, once somebody has asked.
	rulesRead   reading[store.HouseRules]
	seasonsRead reading[store.Season]
	totalsRead  reading[store.Standing]
	lang        string // of what the person reads alone

	weighs     bool       // an admin's word is about to change something
	pressed    chat.Press // the zero press for a command
	onBoard    int64      // the table on whose board a button was pressed
	names      []string   // of the table's people, for what is said in toasts
	reply      chat.Reply
	drawings   []drawing       // boards to draw after the commit
	held       int64           // the board that is held for the adapter, 0: none
	scene      *scene          // which it is to show, nil: that is to be read
	asks       []games.Problem // to be solved after the commit
	reviews    bool            // more tables are to be reviewed
	threadName string          // what a thread is to be called
	behind     chat.Ref        // the board that a table has left where it stood
	consults   []chat.Place    // the platform is to be asked how the bot stands there
	sought     []int64         // tables whose boards are to be looked for
	puzzles    bool            // a puzzle is to be drawn
	begun      bool            // a turn at the table has begun
	playing    bool            // the person plays a move
	due        int64           // when a turn has to be over, in Unix milliseconds; 0: no clock was set
	call       int64           // when the first call is due that was made, in Unix milliseconds; 0: none was
	stale      []int64         // calls that are not to be sent any more, or taken away
	// reads makes the answer of a command that changes nothing, after the commit.
	reads func() error
	// paints draws the picture of the private answer, after the commit.
	paints func() (*chat.Picture, error)
	// fills makes the file of the private answer, after the commit.
	fills   func(context.Context) (*chat.File, error)
	forgets bool         // somebody was forgotten
	faces   []tableFaces // that were counted for the answer, to be kept
}

// reading is a list that a visit reads once, however often it asks. Nobody
// changes what it holds.
type reading[T any] struct {
	list []T
	done bool
}

func (r *reading[T]) once(read func() ([]T, error)) ([]T, error) {
	if r.done {
		return r.list, nil
	}
	list, err := read()
	r.list, r.done = list, err == nil
	return list, err
}

// seasons are those of the chat, the newest first.
func (v *visit) seasons() ([]store.Season, error) {
	return v.seasonsRead.once(func() ([]store.Season, error) { return v.tx.Seasons(v.chat.ID) })
}

// totals are the standings of everybody in the chat, in all games of all time.
func (v *visit) totals() ([]store.Standing, error) {
	return v.totalsRead.once(func() ([]store.Standing, error) { return v.tx.Standings(store.Wanted{Chat: v.chat.ID}) })
}

// run carries out the event, unless it has been carried out before.
func (v *visit) run() error {
	seen, err := v.tx.Seen(v.ev.ID, v.at)
	if err != nil || seen {
		return err
	}
	if len(v.ev.Joined)+len(v.ev.Left) > 0 {
		return v.comings()
	}
	if v.ev.Renamed {
		return v.renamed()
	}
	if err := v.meet(); err != nil {
		return err
	}
	if v.ev.Press == "" {
		return v.command(v.ev.Command, v.ev.Options, v.ev.Text)
	}
	p, ok := chat.ParsePress(v.ev.Press)
	if !ok {
		return games.Refuse("bot.no-such-button", nil)
	}
	return v.press(p)
}

// meet reads the chat and the person, and remembers what is new about them.
func (v *visit) meet() (err error) {
	if v.chat, err = v.tx.Chat(string(v.ev.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if err := v.knowNews(); err != nil {
		return err
	}
	v.lang = v.bot.languageOf(v.ev, v.chat.Language)
	if v.player, err = v.tx.Player(string(v.ev.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.ev.Own && v.chat.Owner != string(v.ev.User) {
		return v.meetAlone()
	}
	return v.meetPlayer()
}

// meetAlone remembers that the chat is a conversation with the person alone.
func (v *visit) meetAlone() error {
	if err := v.meetPlayer(); err != nil {
		return err
	}
	v.chat.Owner = string(v.ev.User)
	return v.tx.SaveChat(v.chat)
}

func (v *visit) meetPlayer() error {
	now := v.player
	now.ID = string(v.ev.User)
	now.Name = v.bot.ownName(v.ev.Name)
	if lang := v.bot.words.Match(v.ev.Locale); lang != "" {
		now.Language = lang
	} else if now.Language != "" && v.ev.Locale == "" {
		v.lang = now.Language
	}
	if now == v.player {
		return nil
	}
	was := v.player.Name
	v.player = now
	if err := v.tx.SavePlayer(now); err != nil || now.Name == was {
		return err
	}
	return v.renameSeats()
}

// renamed has somebody whom the bot has met be called otherwise. Of others it keeps
// nothing.
func (v *visit) renamed() (err error) {
	if v.chat, err = v.tx.Chat(string(v.ev.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if v.player, err = v.tx.Player(string(v.ev.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.player.Name == "" && v.player.Language == "" {
		return nil
	}
	return v.meetPlayer()
}

// renameSeats has the boards of a chat's lobbies show the person's new name. A game
// that goes on keeps the names with which it began, as its record does.
func (v *visit) renameSeats() error {
	tables, err := v.active(v.chat.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		mine := seatOf(t, v.ev.User)
		if t.State != store.Lobby || mine < 0 || t.Seats[mine].Name == v.player.Name {
			continue
		}
		t.Seats[mine].Name = v.player.Name
		if err := v.redraw(&t); err != nil {
			return err
		}
	}
	return nil
}

// say puts a line into words for the person.
func (v *visit) say(line games.Line) string {
	return v.bot.words.Say(v.lang, line, words.Context{Name: v.name})
}

func (v *visit) name(s games.Seat) string {
	if int(s) < 0 || int(s) >= len(v.names) {
		return v.bot.words.Say(v.lang, games.Say("bot.somebody", nil), words.Context{})
	}
	return v.names[s]
}

// toast tells the person one short sentence, or nothing when it would be long.
func (v *visit) toast(key string, args games.Args) {
	v.reply.Toast = v.say(games.Say(key, args))
}

// load reads the table of a press. Tables of other places cannot be reached.
func (v *visit) load(id int64) (store.Table, error) {
	t, err := v.tx.Table(id)
	if err == nil && t.Away && t.Chat == v.chat.ID && t.Place != string(v.ev.Place) {
		return t, games.Refuse("bot.lost.bring", nil)
	}
	if errors.Is(err, store.ErrNotFound) || (err == nil && t.Place != string(v.ev.Place)) {
		return t, games.Refuse("bot.no-table", nil)
	}
	if err != nil {
		return t, fmt.Errorf("table %d: %w", id, err)
	}
	v.names = v.bot.namesAt(t, v.lang)
	return t, nil
}

// here reads the newest table of the place, the active one before all others.
func (v *visit) here() (store.Table, error) {
	t, err := v.goesOn()
	if _, none := games.Refused(err); !none {
		return t, err
	}
	return v.ended()
}

// goesOn reads the table of the place that is not over.
func (v *visit) goesOn() (store.Table, error) { return v.found(v.tx.TableAt(string(v.ev.Place))) }

// ended reads the newest table of the place at which nothing goes on.
func (v *visit) ended() (store.Table, error) { return v.found(v.tx.LastTableAt(string(v.ev.Place))) }

// found is a table of the place as it was read, and refuses where there is none.
func (v *visit) found(t store.Table, err error) (store.Table, error) {
	if errors.Is(err, store.ErrNotFound) {
		return t, games.Refuse("bot.no-table-here", nil)
	}
	if err != nil {
		return t, fmt.Errorf("table here: %w", err)
	}
	v.names = v.bot.namesAt(t, v.lang)
	return t, nil
}

// active reads the tables of a chat that are not over.
func (v *visit) active(chat string) ([]store.Table, error) {
	ids, err := v.tx.ActiveTables(chat)
	if err != nil {
		return nil, err
	}
	tables := make([]store.Table, len(ids))
	for i, id := range ids {
		if tables[i], err = v.tx.Table(id); err != nil {
			return nil, fmt.Errorf("table %d: %w", id, err)
		}
	}
	return tables, nil
}

// save stores a table at which something has moved and has it drawn.
func (v *visit) save(t *store.Table) error {
	t.Changed, t.Warned = v.at, 0
	return v.redraw(t)
}

// redraw stores a table whose board is to look otherwise, though nothing has
// moved.
func (v *visit) redraw(t *store.Table) error {
	if err := v.countTerms(t); err != nil {
		return err
	}
	t.Version++
	if t.Away && t.Place == string(v.ev.Place) { // somebody is there
		if err := v.reached(t); err != nil {
			return err
		}
	}
	v.draw(*t, false)
	if err := v.tx.SaveTable(*t); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return nil
}

// show brings the board of a table to the bottom of the place. That is stored: a
// process that ends before it was posted posts it when it runs again.
func (v *visit) show(t store.Table) error {
	v.reply.Board, v.reply.Fresh = t.ID, true
	v.draw(t, true)
	if t.Away {
		if err := v.reached(&t); err != nil {
			return err
		}
	}
	t.Repost = true
	t.Version++
	return v.tx.SaveTable(t)
}

// draw notes that a board is to be drawn after the commit.
func (v *visit) draw(t store.Table, fresh bool) {
	wish := drawing{place: chat.Place(t.Place), table: t.ID, fresh: fresh, over: chat.Ref(t.Board)}
	for i, d := range v.drawings {
		if d.table == t.ID {
			v.drawings[i] = d.join(wish)
			return
		}
	}
	v.drawings = append(v.drawings, wish)
}

// complete completes the reply. The board whose own button was pressed is the
// reply's; other boards that have changed are drawn by the loops. A board that
// the adapter carries is held for it, before the commit shows it to the loops.
func (v *visit) complete() {
	if v.reply.Board == 0 && slices.ContainsFunc(v.drawings, func(d drawing) bool { return d.table == v.onBoard }) {
		v.reply.Board = v.onBoard
	}
	v.lacks()
	if !v.ev.Carries || v.reply.Board == 0 {
		return
	}
	v.held = v.reply.Board
	v.bot.carried.hold(v.held)
	v.drawings = slices.DeleteFunc(v.drawings, func(d drawing) bool { return d.table == v.held })
	v.sketch()
}

// sketch sets aside what whoever draws the held board has to know, as it is about
// to be committed. Only a match that goes on is whole without what the store alone
// writes.
func (v *visit) sketch() {
	t, ok := v.tx.Known(v.held)
	if !ok || t.State != store.Playing || t.Chat != v.chat.ID {
		return
	}
	s := &scene{Table: t, host: v.player}
	if t.Opener != v.player.ID {
		var err error
		if s.host, err = v.tx.Player(t.Opener); err != nil {
			return // the transaction knows, and fails
		}
	}
	s.lang = v.bot.sharedLanguage(v.chat, s.host)
	if v.customChat == t.Chat {
		s.set = v.custom
	}
	v.scene = s
}

// wake has the loops look at what the event has left for them.
func (v *visit) wake() {
	if v.reviews {
		v.bot.reviewing.ring()
	}
	if v.due > 0 && v.due < v.bot.awake.Load() {
		v.bot.due.ring()
	}
	if v.puzzles {
		v.bot.puzzling.bell.ring()
	}
	if len(v.stale) > 0 {
		v.bot.callers.stop(v.stale)
	}
	v.bot.callers.await(v.call)
	if v.forgets {
		v.bot.forgetting.ring()
	}
}
