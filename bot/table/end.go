package table

import (
	"context"
	"fmt"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// Ending a table early: permissions, votes and refunds.

// How long a person must have waited for others before they may end a table without a vote. If the turn limit of a
// match is longer than idle, it applies instead.
const (
	idle      = time.Hour      // in a lobby or a match
	idleAtAll = 24 * time.Hour // in a match without a turn limit
)

// mayEnd reports whether the person may end a table without a vote. waited: they may only because others keep them
// waiting. Admins of the chat may end it before the first roll and, if they have no seat, also later. forChange: the
// caller acts on the answer, so a cached admin right does not suffice.
func (v *Visit) mayEnd(t store.Table, forChange bool) (may, waited bool, err error) {
	mine := board.SeatOf(t, v.Event.User)
	may, never := board.EndsAlone(t, v.Event.User, v.At)
	if may || never {
		return may, false, nil
	}
	if waited, err = v.isKeptWaiting(t, mine); waited || err != nil {
		return waited, waited, err
	}
	if mine >= 0 && t.Dice.Thrown > 0 {
		return false, false, nil
	}
	if v.Event.Equals { // all people are admins here, so none may overrule the others
		return false, false, nil
	}
	may, err = v.IsAdmin(forChange)
	return may, false, err
}

// OffersEnd reports whether the board shows the person a button to end the table.
func (v *Visit) OffersEnd(t store.Table) bool { return board.OffersEnd(t, v.Event.User) }

// isKeptWaiting reports whether the person has waited too long for other people: since the last change of a lobby or
// the last move of a match (picking dice is not a move). mine is their seat, or -1 for none: then the result is false.
func (v *Visit) isKeptWaiting(t store.Table, mine int) (bool, error) {
	since := t.Clock.Moved
	if t.State == store.Lobby {
		since = t.Changed
	}
	still, limit := time.Duration(v.At-since)*time.Millisecond, idleAtAll
	if t.Clock.TurnLimit != 0 {
		limit = max(idle, time.Duration(t.Clock.TurnLimit)*time.Millisecond)
	}
	switch {
	case mine < 0 || still < idle:
		return false, nil
	case t.State == store.Lobby:
		return true, nil
	case still < limit || t.Clock.Due > v.At: // quiet hours or an outage have extended the turn
		return false, nil
	}
	_, m, err := v.bot.Match(t)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(m.Turn(), func(s games.Seat) bool {
		return int(s) == mine || v.bot.Same(v.Event.User, chat.User(t.Seats[s].Player)) // possibly the same person
	}), nil
}

// endRefusal returns the refusal for a person who may not end a table. It names the people who may end the table.
func (v *Visit) endRefusal(t store.Table) error {
	if mine := board.SeatOf(t, v.Event.User); mine >= 0 && t.Seats[mine].Absence == store.Out {
		return games.Refuse("bot.away.out", nil)
	}
	opener := t.Opener
	if t.Dice.Thrown > 0 || store.Forgotten(opener) > 0 {
		opener = "" // the opener can no longer end it: the refusal names only other people
	}
	if opener == "" {
		return games.Refuse(v.OrEquals("bot.may-not-end-gone", "bot.may-not-end-gone-hosted",
			"bot.may-not-end-gone-equals"), nil)
	}
	player, err := v.Tx.Chats.Player(opener)
	if err != nil {
		return fmt.Errorf("opener: %w", err)
	}
	name := games.Args{"Name": v.bot.ShownName(player.Name, v.Lang)}
	return games.Refuse(v.OrEquals("bot.may-not-end", "bot.may-not-end-hosted", "bot.may-not-end-equals"), name)
}

// abandonCommand asks on the table's board whether to end the table, or starts a vote on it, and posts the board again.
func (v *Visit) abandonCommand(_ bot.Args) error {
	t, err := v.Here()
	if err != nil {
		return err
	}
	if t.State != store.Lobby && t.State != store.Playing {
		return Gone(t)
	}
	if err := v.askEnd(&t); err != nil {
		return err
	}
	return v.repostBoard(t)
}

// askEnd shows on the board the question whether to end the table, if the person may end it without a vote. If they
// only have a vote, it starts a vote with theirs or shows the running one.
func (v *Visit) askEnd(t *store.Table) error {
	may, _, err := v.mayEnd(*t, false)
	if err != nil {
		return err
	}
	mine := board.SeatOf(*t, v.Event.User)
	switch {
	case may && v.openPage(t, board.PageEnd):
		return nil
	case may:
	case mine < 0 || !board.HasVote(t.Seats[mine]):
		return v.endRefusal(*t)
	default:
		if !board.HasEndVote(*t) {
			t.Seats[mine].Ends = true
		}
		v.openPage(t, board.PageGame) // closes an open question whether to end, which would hide the vote
		if v.Event.Press != "" {      // after a command the board shows the votes
			v.Toast("bot.voted", v.bot.BallotArgs(*t))
		}
	}
	return v.Redraw(t)
}

// end handles the button End and the answers to its question: rest is "" for the button, "yes" to end the table, "no"
// to keep it. The answer "yes" is refused if a move was made after the question.
func (v *Visit) end(t *store.Table, rest string) error {
	if rest == "" {
		return v.askEnd(t)
	}
	may, waited, err := v.mayEnd(*t, true)
	if err != nil {
		return err
	}
	switch {
	case rest == "no" && (may || board.SeatOf(*t, v.Event.User) >= 0):
		if v.openPage(t, board.PageGame) {
			return nil
		}
		return v.Redraw(t)
	case !may:
		return v.endRefusal(*t)
	case rest != "yes" || t.Board.Page != board.PageEnd && !v.Event.Pages || v.Pressed().Turn != board.BoardTurn(*t):
		return games.Refuse("bot.moved-on", nil)
	}
	if err := v.Abandon(t); err != nil || !waited || t.Match == nil {
		return err
	}
	t.Board.Page = board.PageWaited
	return v.save(t)
}

// A vote to end a table is shown on its board. Seated people who are not away have one vote each. Before the first
// roll, more than half of these votes are needed. Later, more than half of all people who play must vote for it or, if
// people can lose something, all who are present. A vote lasts until its person withdraws it or moves.

// vote stores the person's vote to end the table if rest is "yes", else withdraws it. Enough votes end the table.
func (v *Visit) vote(t *store.Table, rest string) error {
	mine := board.SeatOf(*t, v.Event.User)
	switch {
	case !board.HasVote(t.Seats[mine]):
		return games.Refuse("bot.no-vote", nil)
	case rest != "yes" && !t.Seats[mine].Ends:
		v.Toast("bot.vote-others", v.bot.BallotArgs(*t))
		return nil
	case rest != "yes":
		t.Seats[mine].Ends = false
		v.Toast("bot.vote-back", nil)
		return v.Redraw(t)
	case !board.HasEndVote(*t): // a stale button: the vote was withdrawn
		return v.askEnd(t)
	}
	before, _ := v.bot.Ballot(*t)
	again := t.Seats[mine].Ends
	t.Seats[mine].Ends = true
	if v.bot.VotesSuffice(*t) {
		return v.Abandon(t)
	}
	said := "bot.voted"
	if after, _ := v.bot.Ballot(*t); after == before && !again {
		said = "bot.voted-same"
	}
	v.Toast(said, v.bot.BallotArgs(*t))
	return v.Redraw(t)
}

// Abandon ends a table early. It refunds all stakes, and the amount that the box (jackpot) had added to the pool.
func (v *Visit) Abandon(t *store.Table) error { return v.abandonWith(t, board.PageGame) }

// abandonWith is Abandon with a page of the board that gives the reason, such as board.PageRestored.
func (v *Visit) abandonWith(t *store.Table, page string) error {
	staked, err := v.closeTable(t, page)
	if err != nil {
		return err
	}
	said := "bot.ended"
	if staked {
		said = "bot.ended-refund"
	} else if t.Match != nil {
		said = "bot.ended-game"
	}
	v.Receipt(said, nil)
	return nil
}

// closeTable ends a table early, opens a page of its board and stores the table. staked: stakes were refunded.
func (v *Visit) closeTable(t *store.Table, page string) (staked bool, err error) {
	played := t.State == store.Playing
	if played {
		inPool, err := v.Tx.Books.Balance(t.Chat, t.Unit, poolAccount(t.ID))
		if err != nil {
			return false, err
		}
		if staked = inPool != 0; staked {
			if err := v.payOut(t, store.Refund, board.PoolOf(*t).Refund()); err != nil {
				return false, err
			}
		}
	}
	clearVotes(t)
	v.withdrawAll(t)
	t.State, t.Board.Page, t.Draft, t.Waits, t.Clock.Due = store.Abandoned, page, "", false, 0
	if err := v.bot.Notifier.Cancel(v, *t); err != nil {
		return staked, fmt.Errorf("table %d: %w", t.ID, err)
	}
	err = v.save(t)
	for _, brokenOff := range v.bot.BrokenOff {
		if err == nil && played {
			err = brokenOff(v, *t)
		}
	}
	return staked, err
}

// clearVotes withdraws all votes to end a table, but does not store the table.
func clearVotes(t *store.Table) {
	for i := range t.Seats {
		t.Seats[i].Ends = false
	}
}

// VotesSuffice reports whether there are enough votes to end a table, such as after a person has lost their vote.
func (b *Tables) VotesSuffice(t store.Table) bool {
	votes, needed := b.Ballot(t)
	return votes >= needed
}

// Tables after a backup was restored. Their dice would repeat rolls that people saw, or use a seed published since.

// Restored counts the tables that Tables.Restored has changed.
type Restored struct {
	Ended  int // running: they were ended and their stakes refunded
	Sealed int // in the lobby: they got a new seed, and their people have to agree again
}

// Restored ends all running matches of a restored database, refunds their stakes and gives lobbies a new seed, in one
// transaction. The boards are redrawn when the bot starts. A second call does no harm.
func (b *Tables) Restored(ctx context.Context) (done Restored, err error) {
	err = b.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
		done = Restored{}
		tables, err := tx.Tables.Active()
		if err != nil {
			return err
		}
		for _, at := range tables {
			v := b.Visit(b.QuietVisit(tx, store.Chat{}, store.Player{}))
			if err := v.restoreTable(at.ID, &done); err != nil {
				return fmt.Errorf("table %d: %w", at.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return Restored{}, fmt.Errorf("tables of a restored file: %w", err)
	}
	return done, nil
}

// restoreTable ends the match of the table id, or gives its lobby a new seed. It counts the table in done.
func (v *Visit) restoreTable(id int64, done *Restored) error {
	t, err := v.Tx.Tables.Table(id)
	if err != nil {
		return err
	}
	if t.State == store.Playing {
		done.Ended++
		return v.abandonWith(&t, board.PageRestored)
	}
	done.Sealed++
	seed, err := dice.NewSeed(v.bot.Rand)
	if err != nil {
		return err
	}
	t.Dice.Seed, t.Dice.Commitment = seed[:], seed.Commitment()
	t.Terms++ // all have to agree again
	t.Altered = board.AlteredSeal
	for i := range t.Seats {
		t.Seats[i].Worded = 0 // 0: the luck word is older than the seed, and is replaced when the player agrees
	}
	return v.save(&t)
}
