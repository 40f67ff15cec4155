package store

import "time"

// Chat holds the stored properties of a chat.
type Chat struct {
	ID       string
	Language string // the agreed language as a BCP 47 tag; "": none was agreed
	Locale   string // the language that the platform reports for the chat; "": unknown
	Unit     string // the unit of stakes; "": the default unit
	Away     bool   // the bot cannot write there now
	News     int    // the number of the newest release note that its admins have seen, or NotTold
	Owner    string // the id of the player whose private conversation with the bot it is; "": it is a group
}

// NotTold is the value of Chat.News if the chat's admins have seen no release note yet, as in a new chat.
const NotTold = -1

// Player is an account of a person on a platform.
type Player struct {
	ID       string
	Person   string // the id of the person, which seats, votes and books hold: that of the person's first player
	Name     string
	Language string // the language of the person's app, "" if unknown
	Uncalled bool   // the person wants no calls (pings) when it is their turn
}

// The states of a table.
const (
	Lobby     = "lobby"     // players join
	Playing   = "playing"   // the match is being played
	Over      = "over"      // the match has a result
	Abandoned = "abandoned" // it was ended without a result, and stakes were returned
)

// Table is one table: its options, its seats, and its match (the game with its state) as bytes.
type Table struct {
	ID    int64
	Chat  string
	Place string // the id of the channel, thread or topic with its board
	Game  string
	Rules map[string]string
	Stake int64 // each seat's payment into the pool, in units
	Unit  string
	State string // Lobby, Playing, Over or Abandoned
	Draft string // the unfinished choice of the seat to move, in the notation of the core
	Seats []Seat
	Origin

	Dice       Dice
	Waits      bool   // a computer player has the turn; the clock moves for it
	Match      []byte // the encoded match, nil in the lobby
	Turn       int64  // the number of moves made so far
	BoxIn      int64  // units that the box (jackpot) added to the pool at the start
	BoxOut     int64  // units that stayed in the box at the end
	Turned     bool   // the seat that gets the remainder of a rounded settlement depends on the table's number
	Practice   bool   // it began with fewer than two people: it has no postings, and counts in no list
	Rematch    int64  // the table that was opened from this one, or 0
	HouseRules int64  // the number of the house rules that it was opened with, or 0
	Language   string // of most people at its start, or of the table before a rematch; "" in other lobbies

	Version int64 // grows with every change that the board shows
	Changed int64 // Unix milliseconds of the last change
	Board   Board
	Clock   Clock
	Terms   int64  // grows with every change of the options that people in the lobby agree to
	Altered string // the options that were changed last in the lobby, in the notation of the core
	Ending  Ending
}

// Origin says who opened a table, when and why.
type Origin struct {
	Opener string // the id of the player who opened it or, if the bot did so by itself, has asked for it in advance
	Opened int64  // Unix milliseconds
	// Occasion is why the bot has opened it by itself, in the notation of the core; "": a person has opened it.
	Occasion string
}

// Board is the message that shows a table in its place. Times are in Unix milliseconds. The method Tables.Drawn stores
// the first three fields; Tables.SaveTable does not change them.
type Board struct {
	Drawn   int64  // the version of the table that the message shows
	Message string // the id of the message, "" if there is none yet
	Posted  int64  // when that message was posted
	Page    string // the page that it shows, "" for the game itself
	// Repost is true if the board has to be posted again, as the newest message of its place. Until then Drawn is
	// smaller than the table's Version.
	Repost bool
	Behind int64 // when the board became stale; 0: it is not
	Away   bool  // it cannot be drawn, because the bot cannot write to its place
	Tapped int64 // when a button press there last changed the table; 0: never
	Tapper int   // the seat of the person of that press, -1: none
	Seen   int64 // the table's Turn after the last move by a person: later moves are shown as new to people
	// Token permits to edit the message until Expires, if the bot is no member of the chat; "": nothing permits it any
	// more. Expires is 0 for a message that the bot can always edit.
	Token   string
	Expires int64
}

// Expired is the value of Board.Expires for a message that the bot can no longer edit.
const Expired = 1

// Editable reports whether the bot can edit the board at the time now, in Unix milliseconds.
func (b Board) Editable(now int64) bool { return b.Expires == 0 || b.Token != "" && b.Expires > now }

// Dice holds the source of a table's dice: they are computed from a seed that players can verify.
type Dice struct {
	Commitment string // the SHA-256 of Seed in hex, published before the first roll
	Seed       []byte // 32 bytes, secret until the table is over
	Thrown     int64  // the number of dice rolled so far
}

// Clock holds the time limit of a table's turns, and when people last acted there. Times are in Unix milliseconds.
type Clock struct {
	TurnLimit int64  // the longest turn in milliseconds; 0: no limit; or DefaultLimit
	Absent    string // the effect of a turn that is too long: PlaysHouse, PlaysPerfect, JustWaits or IsOut
	Due       int64  // the deadline of the present turn; 0: there is none
	Look      int64  // when the board will begin to show Due; 0: it shows Due already, or there is none
	Moved     int64  // when the match or its present turn last changed; 0: the match has not begun
	Minded    int64  // when the opener last acted in the lobby; 0: not since opening it
	Pressed   int64  // when a person with a seat last pressed a button in the lobby; 0: never
	Warned    int64  // when players were warned that the idle table will be closed; 0: they were not
}

// Ending holds data of a table after its end. SaveTable stores only Voided and Voider, Finish and DropMoves the
// other fields.
type Ending struct {
	Ended        int64 // Unix milliseconds
	Evening      Day
	Season       int64  // the season of the chat in which it counts; 0: before the first
	MovesDropped bool   // its moves were deleted
	Voided       bool   // it counts in no list, and its postings were reversed
	Voider       string // the id of the player who wants it voided, "": no one does
}

// Outdate marks the board of t as stale, by a new Version: t has changed at the time at, in Unix milliseconds.
func (t *Table) Outdate(at int64) {
	if t.Board.Drawn >= t.Version {
		t.Board.Behind = at
	}
	t.Version++
}

// PageStaged is the Page of a board that does not show the end of the game yet: in the first seconds after the end it
// shows the table before the final turn.
const PageStaged = "staged"

// stagedFor is how many milliseconds after the end a board with PageStaged shows the table before the final turn.
const stagedFor = 4000

// Staged returns for how long, from the time now in Unix milliseconds, the board of t still shows the table before the
// final turn. 0: it shows the end of the game.
func Staged(t Table, now int64) time.Duration {
	left := t.Ending.Ended + stagedFor - now
	if t.State != Over || t.Board.Page != PageStaged || left > stagedFor { // left > stagedFor: the clock was set back
		return 0
	}
	return time.Duration(max(left, 0)) * time.Millisecond
}

// PageCleared is the Page of a table closed in the lobby, with one person, to make room for another table.
const PageCleared = "cleared"

// Cleared reports whether t was closed in the lobby to make room for another table (PageCleared). It then has no board.
func (t Table) Cleared() bool { return t.State == Abandoned && t.Board.Page == PageCleared }

// DefaultLimit is the Clock.TurnLimit of a table for which no time limit was chosen: the default limit applies.
const DefaultLimit = -1

// Unseen is the Seat.Agreed of a person who has not seen the board of the table yet.
const Unseen = -1

// Values of Clock.Absent: the consequence of a turn longer than the time limit.
const (
	PlaysHouse   = ""        // the computer plays this turn
	PlaysPerfect = "perfect" // the computer plays this turn perfectly
	JustWaits    = "wait"    // the player gets a reminder
	IsOut        = "out"     // the player loses the seat and its stake
)

// Values of Seat.Absence: whether the player of a seat is absent.
const (
	Present = ""
	Late    = "late" // the present turn is played for them
	Gone    = "away" // every turn is played for them until they are back
	Out     = "out"  // they have left for good: every turn is played for them, and they win nothing
)

// Values of Seat.Vouch: the people who must also agree when a person asks to take over a seat, if this person was new
// in the chat when the table was opened.
const (
	AdminVouches = "admin" // an admin without a seat at the table
	HostVouches  = "host"  // the host of a browser room, without a seat at the table
	AllVouch     = "all"   // all other people with a seat
)

// Seat is a seat of a table. Once the match has started, seats are in the order of play.
type Seat struct {
	Player    string // a player's id, "" for a computer player
	Name      string // the name shown at this table
	House     string // the strategy of a computer player, "" for a person
	Entropy   string // the player's luck word, which the dice depend on
	Worded    int64  // when the player set or changed Entropy, in Unix milliseconds; 0: not stored
	Confirmed bool   // false: the seat is reserved for a rematch, and not yet taken
	Ends      bool   // the player votes to end the table early
	Agreed    int64  // the table's Terms that the player has agreed to, or Unseen

	Missed  int    // the number of turns that the player has missed in a row
	Absence string // Present, Late, Gone or Out
	Offered bool   // the player wants to hand the seat over
	// OutFrom is the number of the first move (undone moves are not counted) made after the player was Out; 0: it is
	// not known, or the player is not Out.
	OutFrom int64
	Taker   string // the id of the player who asks to take the seat over, "": no one does
	Vouch   string // whose agreement the taker also needs: AdminVouches and so on, "" for no one's
	Allowed int64  // the seats that have agreed to the taker: bit i is for seat i
	Voids   bool   // the player agrees to void the finished game
	Since   int64  // the table's Turn when the player took the seat over; 0: they had it from the start
}

// AskedBy stores that the player taker asks to take the seat s over; "": no one does. vouch says whose agreement taker
// also needs, see Seat.Vouch. Agreements given before are deleted.
func (s *Seat) AskedBy(taker, vouch string) { s.Taker, s.Vouch, s.Allowed = taker, vouch, 0 }

// NeedsAdmin reports whether an admin or the host must also agree that the taker gets the seat.
func (s *Seat) NeedsAdmin() bool { return s.Vouch == AdminVouches || s.Vouch == HostVouches }

// Allows reports whether the seat with the number seat has agreed to the person who asks to take over s.
func (s *Seat) Allows(seat int) bool { return s.Allowed>>seat&1 == 1 }

// Move is one stored move of a table.
type Move struct {
	Seat int
	Move string
	Dice []int // the faces that it rolled, in order
	Auto bool  // it was made for an absent player
	At   int64 // Unix milliseconds
}

// The kinds of a posting.
const (
	Stakes = "stakes" // stakes and the chips of the box go into the pool
	Payout = "payout" // the pool is paid out, and settlements with it
	Refund = "refund" // all stakes of an abandoned table are returned

	BookedBack = "void"     // the reverse of all postings of a voided game
	HandedOver = "handover" // the stake moves to the player who takes the seat over

	Paid     = "payment" // a confirmed payment between players
	PaidBack = "payback" // the reverse of a confirmed payment
)

// Posting is one change of the books: a list of entries whose amounts add up to zero. At is in Unix milliseconds.
type Posting struct {
	Chat    string
	Unit    string
	Table   int64 // 0: not about a table
	Payment int64 // 0: not about a payment
	Kind    string
	At      int64
	Entries []Entry
}

// Entry is one line of a posting: it adds Amount to the balance of Account.
type Entry struct {
	Account string // "player:<id>", "house:<strategy>", House, "pool:<table>", "box"
	Amount  int64
}

// Box is the jackpot of a chat in one unit of stakes: it keeps the chips that remain when pools are paid out.
type Box struct {
	Chat   string
	Unit   string
	Holder string // who won the last pool: a player's id, "house:<strategy>", or "" for no one
	Since  int64  // Unix milliseconds
	Times  int64  // the number of pools that the holder has won in a row
	Inside int64  // the amount in it, which is the balance of the account "box"
}

// Result is one seat's result at a finished table. A seat that was out wins nothing and is placed behind all others.
type Result struct {
	Seat  int
	Score int64
	// Total is the number from which the game computes Score, if the game shows both; otherwise nil.
	Total *int64
	Threw bool  // false: the seat never rolled and has no score
	Place int   // 1 is the best; tied seats share a place
	Pool  int64 // the net amount that the seat won or lost in the pool
	// Difference is how many points the seat is above or below the average, in games that are settled by that number.
	Difference Difference
	// Settlement is the amount in units of stakes that the seat gets from the other seats (below zero: pays them). nil:
	// the game has a pool, or points are worth nothing.
	Settlement *int64
	// Turns is how many turns of Shut the Box the seat had; -1: they are not counted yet. Shut is how many of these
	// turns shut the box.
	Turns, Shut int64
}

// Units returns the seat's total win or loss, by the pool and by the settlement, in units of stakes.
func (r Result) Units() int64 {
	if r.Settlement == nil {
		return r.Pool
	}
	return r.Pool + *r.Settlement
}

// Difference is the points of a seat minus the average of the game's D seats: N/D. If D is 0, there is none.
type Difference struct{ N, D int64 }
