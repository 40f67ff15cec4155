// Package books is the command /settle: balances, their reasons, and payments that settle them.
package books

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// All house seats and the box are one party, "the house", so that the balances of a chat and unit add up to zero;
// unfinished games do not count. Presses name a party by the number of its account ("#17"), which implies the unit;
// texts name a person. Texts are about the unit that the chat plays for, or about another one if the person has no
// account in the first or, for explanations, a balance of zero there.

// Books are the commands about balances and payments.
type Books struct{ *bot.Bot }

// visit is a visit that looks at them.
type visit struct {
	*bot.Visit
	bot *Books
}

// Visit makes a visit one that looks at the books.
func (b *Books) Visit(v *bot.Visit) *visit { return &visit{v, b} }

// books holds the balances of all parties of a chat in one unit.
type books struct {
	unit    string
	parties []store.Party
	names   []string // as they are shown, unlike each other
}

// books reads the balances of all parties of the chat in a unit.
func (v *visit) books(unit string) (books, error) {
	parties, err := v.Tx.Books.Parties(v.Chat.ID, unit)
	return v.named(books{unit: unit, parties: parties}), err
}

// named returns books with the names of the parties in the language of the answer, no two of them alike.
func (v *visit) named(b books) books {
	var taken bot.TakenNames
	b.names = make([]string, len(b.parties))
	for i, p := range b.parties {
		shown := v.Say(games.Say("bot.settle.house", nil))
		if p.Account != store.House {
			shown = v.bot.ShownName(p.Name, v.Lang)
		}
		b.names[i] = taken.Unlike(shown)
	}
	return b
}

// allBooks reads the books of each unit, those of the unit that the chat plays for first.
func (v *visit) allBooks() ([]books, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	now := v.Unit()
	units = slices.DeleteFunc(units, func(unit string) bool { return unit == now })
	var all []books
	for _, unit := range slices.Insert(units, 0, now) {
		b, err := v.books(unit)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// of returns the index of an account, -1 if it is not in these books.
func (b books) of(account string) int {
	return slices.IndexFunc(b.parties, func(p store.Party) bool { return p.Account == account })
}

// mine returns the index of a person among the parties, -1 without an account.
func (b books) mine(user chat.User) int { return b.of("player:" + string(user)) }

// nameOf is how an account's party is shown.
func (b books) nameOf(account string) string {
	if i := b.of(account); i >= 0 {
		return b.names[i]
	}
	return "?"
}

// numbered returns the index of the party with a number ("#17"), -1 if there is none.
func (b books) numbered(said string) int {
	n, _ := strconv.ParseInt(strings.TrimPrefix(said, "#"), 10, 64)
	return slices.IndexFunc(b.parties, func(p store.Party) bool { return p.Has(n) })
}

// open reports whether a party's balance is not zero.
func open(b books, who int) bool { return b.parties[who].Balance != 0 }

// search looks a party up in the books of one unit after another. It returns the first books that fit, or else the
// first with the party, and its index, -1 if it is in none.
func search(all []books, who func(books) int, fits func(books, int) bool) (found books, at int) {
	found, at = all[0], -1
	for _, b := range all {
		i := who(b)
		if i >= 0 && fits(b, i) {
			return b, i
		}
		if at < 0 && i >= 0 {
			found, at = b, i
		}
	}
	return found, at
}

// party returns the party with a number ("#17"), or with a name in books that fit.
func (v *visit) party(all []books, said bot.Person, fits func(books, int) bool) (books, int, error) {
	if number, is := strings.CutPrefix(said.Name, "#"); is {
		if _, err := strconv.ParseInt(number, 10, 64); err != nil {
			return books{}, -1, games.Refuse("bot.settle-how", nil)
		}
		b, i := search(all, func(b books) int { return b.numbered(number) }, open)
		if i < 0 {
			return b, i, games.Refuse("bot.settle.nobody", nil)
		}
		return b, i, nil
	}
	b, i := search(all, func(b books) int { return v.means(b, said) }, fits)
	if i < 0 {
		return b, i, games.Refuse("bot.settle.no-such-person", games.Args{"Name": chat.Isolate(said.Name)})
	}
	return b, i, nil
}

// means returns the index of the party that is a mentioned person, or that has a shown or own name, behind the unit
// or not ("chips Ben"); -1 if there is none.
func (v *visit) means(b books, said bot.Person) int {
	i := said.Among(len(b.parties), func(i int) string { return b.parties[i].Player() },
		func(i int) string { return bot.Unisolated(b.names[i]) }, func(i int) string { return b.parties[i].Name })
	house := v.bot.Means("bot.house", said.Name) || v.bot.Means("bot.settle.house", said.Name)
	if i < 0 && house && said.User == "" {
		return b.of(store.House)
	}
	if name, behind := strings.CutPrefix(said.Name, b.unit+" "); i < 0 && behind {
		return v.means(b, bot.Person{Name: name})
	}
	return i
}

// Limits of one person's word: alone it settles no more than is open with a party that cannot
// answer, and a button counts only for the balances for which it was made.

// silent reports whether one side of a payment cannot answer.
func (b books) silent(p money.Payment) bool {
	return store.Silent(b.parties[p.From].Account) || store.Silent(b.parties[p.To].Account)
}

// possible is how much of a payment one word alone can book: what reduces both
// balances, and takes neither beyond zero.
func (b books) possible(p money.Payment) int64 {
	return max(0, min(-b.parties[p.From].Balance, b.parties[p.To].Balance))
}

// grows reports whether a payment takes both balances further from zero.
func (b books) grows(p money.Payment) bool {
	return b.parties[p.From].Balance >= 0 && b.parties[p.To].Balance <= 0
}

// between is a stored payment as these books see it; ok is false where one of its
// sides is not in them.
func (b books) between(p store.Payment) (found money.Payment, ok bool) {
	found = money.Payment{From: b.of(p.Payer), To: b.of(p.Payee), Amount: p.Amount}
	return found, found.From >= 0 && found.To >= 0
}

// stampLength is the size of a stamp at most.
const stampLength = 6

// stamp is a short word that is another once one of the two balances has moved, or
// once either side has paid or was paid something, though it be taken back.
func (b books) stamp(p money.Payment) string {
	h := fnv.New64a()
	for _, side := range []int{p.From, p.To} {
		party := b.parties[side]
		fmt.Fprintln(h, b.unit, party.Number, party.Balance, party.Paid)
	}
	fmt.Fprintln(h, p.Amount)
	spelled := strconv.FormatUint(h.Sum64(), 36)
	return spelled[:min(len(spelled), stampLength)]
}

// command is what the button of a payment carries.
func (b books) command(p money.Payment) string {
	return fmt.Sprintf("/settle paid %d #%d #%d @%s", p.Amount, b.parties[p.From].Number, b.parties[p.To].Number,
		b.stamp(p))
}

// transfer returns a payment in words: "Clara → Ben 120".
func (v *visit) transfer(b books, p money.Payment) string {
	return b.names[p.From] + " → " + b.names[p.To] + " " + v.Number(bot.PlainNumber(p.Amount))
}

// after returns a line with both balances after a payment of an amount.
func (v *visit) after(b books, p money.Payment, amount int64) string {
	return b.names[p.From] + " " + v.Number(bot.Signed(b.parties[p.From].Balance+amount)) + " · " +
		b.names[p.To] + " " + v.Number(bot.Signed(b.parties[p.To].Balance-amount))
}
