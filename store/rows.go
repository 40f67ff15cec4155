package store

import "time"

// Chat holds the agreements of a chat.
type Chat struct {
	ID       string
	Language string // as a BCP 47 tag; "": nothing agreed
	Locale   string // the platform's language of it; "": unknown
	Unit     string // the unit of stakes; "" is the default
	Away     bool   // the bot cannot write there at present
	News     int    // the edition of the news that its admins have read, or NotTold
	Owner    string // the player whose conversation with the bot alone it is, "": it is a group
}

// NotTold is the edition of news of a chat that the bot has just met.
const NotTold = -1

// Player is a person as the bot knows them.
type Player struct {
	ID       string
	Name     string
	Language string // of their client, or ""
	Uncalled bool   // they do not want to be called when it is their turn
}

// The states of a table.
const (
	Lobby     = "lobby"     // seats are taken
	Playing   = "playing"   // the match goes on
	Over      = "over"      // the match has a result
	Abandoned = "abandoned" // it was ended before, stakes went back
)

// Table is one table: its agreement, its seats, its match as bytes.
type Table struct {
	ID     int64
	Chat   string
	Place  string
	Game   string
	Rules  map[string]string
	Stake  int64
	Unit   string
	Opener string // a player's id
	State  string // Lobby, Playing, Over or Abandoned
	Draft  string // what the seat to move has picked but not played, as the core spells it
	Seats  []Seat

	Dice       Dice
	Waits      bool   // a house seat is to move, and plays by the clock
	Match      []byte // the saved match, nil in the lobby
	Turn       int64  // moves played so far
	BoxIn      int64  // what the box gave to the pool at the start
	BoxOut     int64  // what stayed in the box at the end
	Turned     bool   // its settlement is rounded by turns of the seats, as its number says
	Practice   bool   // it began with fewer than two people: nothing of it is booked, and it counts on no list
	Rematch    int64  // the table that was opened from this one, or 0
	HouseRules int64  // the house rules with a name that it was opened by, or 0
	Language   string // of most who sat when it started, or at the table of which it is a rematch; "" in other lobbies

	Version int64 // grows with every change that the board shows
	Changed int64 // Unix milliseconds of the last change
	Opened  int64 // Unix milliseconds
	Board   Board
	Clock   Clock
	Terms   int64  // grows with every change of what people agree to in the lobby
	Altered string // what of these was changed last in the lobby, as the core spells it
	Ending  Ending
}

// Board is how a table is drawn in its place. Moments are Unix milliseconds. Its first fields are what Drawn has
// stored; SaveTable leaves these alone.
type Board struct {
	Drawn   int64  // the version of the table that it shows
	Message string // that holds it, "" none yet
	Posted  int64  // when that message was posted
	Page    string // which page it shows, "" the game itself
	// It is to be posted anew, at the bottom of its place; until then Drawn is below the table's Version
	Repost bool
	Behind int64 // when the table first changed since it was drawn; 0: it has not
	Away   bool  // it cannot be drawn at present: its place is away
	Tapped int64 // when a press there last changed the table; 0: none has
	Tapper int   // the seat of the person who pressed, -1: none
	Seen   int64 // the Turn that a person's last move has led to: the moves above it were made for others
}

// Dice are those of a table: thrown from a seed that players can verify.
type Dice struct {
	Commitment string // hex of SHA-256 of the seed
	Seed       []byte // 32 bytes, secret while the table is not over
	Thrown     int64  // dice thrown so far
}

// Clock is how long people have at a table, and when they last did something. Moments are Unix milliseconds.
type Clock struct {
	TurnLimit int64  // how long a turn may take, in milliseconds; 0: as long as it wants; DefaultLimit
	Absent    string // what happens then: PlaysHouse, PlaysPerfect, JustWaits or IsOut
	Due       int64  // when the present turn has to be over; 0: no clock runs
	Look      int64  // when the board begins to say when that is; 0: it says so, or no clock runs
	Moved     int64  // when the match last moved on or its turn began; 0: it has not begun
	Minded    int64  // when a lobby's opener last did something there; 0: not since it was opened
	Pressed   int64  // when a person who sits in a lobby last pressed its buttons; 0: not since
	Warned    int64  // when it was announced that the idle table will be closed; 0: it was not
}

// Ending is what became of a table that is over. Its first fields are what Finish and DropMoves have noted; SaveTable
// leaves these alone.
type Ending struct {
	Ended        int64 // Unix milliseconds
	Evening      Day
	Season       int64  // the chat's season that it counts in, 0: before the first
	MovesDropped bool   // its moves are not kept any longer
	Voided       bool   // it was taken off the standings, and its entries were booked back
	Voider       string // the player who asks for that, "": none does
}

// Outdate notes that a table changes at a moment, in Unix milliseconds, in what its board shows.
func (t *Table) Outdate(at int64) {
	if t.Board.Drawn >= t.Version {
		t.Board.Behind = at
	}
	t.Version++
}

// PageStaged is the page of a table whose end is staged.
const PageStaged = "staged"

// stagedFor is for how long the end of a game is staged, in milliseconds.
const stagedFor = 4000

// Staged returns how long, from a moment in Unix milliseconds, the board still shows the table before its last turn; 0:
// it shows the end.
func Staged(t Table, now int64) time.Duration {
	left := t.Ending.Ended + stagedFor - now
	if t.State != Over || t.Board.Page != PageStaged || left > stagedFor { // after the clock was set back
		return 0
	}
	return time.Duration(max(left, 0)) * time.Millisecond
}

// PageCleared is the page of a lobby that was closed for another table while only one person sat there.
const PageCleared = "cleared"

// Cleared reports whether a table is such a lobby: no board shows it.
func (t Table) Cleared() bool { return t.State == Abandoned && t.Board.Page == PageCleared }

// DefaultLimit is the turn limit of a table for which none was chosen.
const DefaultLimit = -1

// Unseen is the Agreed of a person who has not seen the table's board.
const Unseen = -1

// What happens at a table when a turn has taken too long.
const (
	PlaysHouse   = ""        // the house plays this turn
	PlaysPerfect = "perfect" // it does so perfectly
	JustWaits    = "wait"    // whoever is to move is reminded
	IsOut        = "out"     // the seat is lost with its stake
)

// Ways to be absent from a seat.
const (
	Present = ""
	Late    = "late" // the present turn is played for them
	Gone    = "away" // every turn is, until they are back
	Out     = "out"  // every turn is, they win nothing and cannot come back
)

// Who vouches for a person who asks for a seat and was not known in the chat before the table was opened.
const (
	AdminVouches = "admin" // one who does not sit
	AllVouch     = "all"   // everybody else who sits
)

// Seat is a seat of a table, in order of play once the match has started.
type Seat struct {
	Player    string // a player's id, "" for a house seat
	Name      string // as shown at this table
	House     string // the strategy, "" for a person
	Entropy   string
	Worded    int64 // when whoever sits there gave or changed it, in Unix milliseconds; 0: that was not noted
	Confirmed bool  // false: reserved for a rematch, not yet taken
	Ends      bool  // whoever sits there would end the table before its time
	Agreed    int64 // the table's Terms that whoever sits there has agreed to; Unseen

	Missed  int    // turns missed in a row
	Absence string // Present, Late, Gone or Out
	Offered bool   // whoever sits there would hand the seat over
	// the number, among the moves that stand, of the first made when it was Out; 0: unknown, or it is not
	OutFrom int64
	Taker   string // the player who would take the seat over once another agrees, "": nobody
	Vouch   string // whose word the taker needs beside: AdminVouches, AllVouch, or "": nobody's
	Allowed int64  // the seats that have agreed to the taker: bit i is of seat i
	Voids   bool   // its player agrees that the finished game is voided
	Since   int64  // the table's turn at which they took the seat over, 0: it was theirs from the first
}

// AskedBy makes taker the player who asks for the seat, for whom vouch is needed. None has agreed yet.
func (s *Seat) AskedBy(taker, vouch string) { s.Taker, s.Vouch, s.Allowed = taker, vouch, 0 }

// Allows reports whether a seat has agreed to who asks for s.
func (s *Seat) Allows(seat int) bool { return s.Allowed>>seat&1 == 1 }

// Move is one move of a table, as a fact.
type Move struct {
	Seat int
	Move string
	Dice []int // the faces thrown by it, in order
	Auto bool  // played for somebody absent
	At   int64 // Unix milliseconds
}

// The kinds of a posting.
const (
	Stakes = "stakes" // stakes and the box go into the pool
	Payout = "payout" // the pool goes out, doubles are paid
	Refund = "refund" // an abandoned table gives everything back

	BookedBack = "void"     // all of it goes back, since the game is voided
	HandedOver = "handover" // who takes over a seat takes over its stake

	Paid     = "payment" // somebody has paid somebody, confirmed by both
	PaidBack = "payback" // that was taken back
)

// Posting is one double entry of the ledger: amounts that add up to zero.
type Posting struct {
	Chat    string
	Unit    string
	Table   int64 // 0: of no table
	Payment int64 // 0: of no payment
	Kind    string
	At      int64
	Entries []Entry
}

// Entry is one line of a posting: positive amounts come in to the account.
type Entry struct {
	Account string // "player:<id>", "house:<strategy>", House, "pool:<table>", "box"
	Amount  int64
}

// Box is the box of a chat and unit.
type Box struct {
	Chat   string
	Unit   string
	Holder string // a player's id, or "house:<strategy>", or "": nobody
	Since  int64  // Unix milliseconds
	Times  int64  // pools that the holder has won in a row
	Inside int64  // what is in it, by the ledger
}

// Result is one seat's row of a finished table. Place and Pool take into account which seats were out.
type Result struct {
	Seat  int
	Score int64
	// Total is what points were given for, in games that say it beside the score; else nil.
	Total *int64
	Threw bool
	Place int
	Pool  int64 // net: what the seat won or lost
	// Difference is what the seat won or lost against the average, if the game settles that.
	Difference Difference
	// Settlement is the difference in units, or without a difference what the seats owe each other; nil in a pool and
	// if points are worth nothing.
	Settlement *int64
	// Turns is the number of the seat's turns at a box, -1 if they were not counted yet, and Shut how many shut it.
	Turns, Shut int64
}

// Units is what the seat won or lost in units, whatever the game settles.
func (r Result) Units() int64 {
	if r.Settlement == nil {
		return r.Pool
	}
	return r.Pool + *r.Settlement
}

// Difference is a number of points as N over D, the number of seats; D is 0 if there is none.
type Difference struct{ N, D int64 }
