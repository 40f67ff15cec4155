package store

// Rules that a chat keeps under a name.

import (
	"cmp"
	"errors"
)

// HouseRules are one version of the rules of a game that a chat has given a name. It never changes.
type HouseRules struct {
	ID      int64
	Chat    string
	Game    string
	Name    string
	Rules   map[string]string
	Version string // what tells it from other versions, as the core spells it
	Kept    bool   // new tables can be opened by it: of a name, at most one version is
}

var (
	houseRuleColumns = columnsOf(`id, chat, game, name, rules, version, kept`, func(h *HouseRules) []any {
		return []any{&h.ID, (*sealedID)(&h.Chat), &h.Game, &h.Name, inJSON{&h.Rules}, &h.Version, &h.Kept}
	})
	newHouseRules    = houseRuleColumns.without("id")
	insertHouseRules = newHouseRules.insert("house_rules") + ` RETURNING id`
	selectHouseRules = `SELECT ` + houseRuleColumns.list("") + ` FROM house_rules WHERE `
	allHouseRules    = selectHouseRules + `chat = $1 ORDER BY game, name, id DESC`
)

// KeepHouseRules keeps house rules for new tables of their chat in place of another version of the same name, and
// returns their number: the same again for an earlier version. ID and Kept are ignored.
func (tx Chats) KeepHouseRules(h HouseRules) (int64, error) {
	h.Kept = true
	err := cmp.Or(
		tx.meetChat(h.Chat),
		tx.run(`UPDATE house_rules SET kept = FALSE WHERE chat = $1 AND game = $2 AND name = $3 AND kept`,
			sealedID(h.Chat), h.Game, h.Name),
		tx.get(`
			UPDATE house_rules SET kept = TRUE
			WHERE id = (SELECT MIN(id) FROM house_rules WHERE chat = $1 AND game = $2 AND name = $3 AND version = $4
			AND rules = $5)
			RETURNING id`,
			[]any{sealedID(h.Chat), h.Game, h.Name, h.Version, inJSON{&h.Rules}}, &h.ID))
	if errors.Is(err, ErrNotFound) {
		err = tx.get(insertHouseRules, newHouseRules.values(&h), &h.ID)
	}
	return h.ID, wrapped(err, "keep house rules of %s", h.Chat)
}

// DropHouseRules keeps house rules no longer. Tables that were opened by them stay as they are.
func (tx Chats) DropHouseRules(id int64) error {
	return wrapped(tx.run(`UPDATE house_rules SET kept = FALSE WHERE id = $1`, id), "drop house rules %d", id)
}

// HouseRules returns house rules by their number, kept or not, or ErrNotFound.
func (tx Chats) HouseRules(id int64) (HouseRules, error) {
	return oneBy(tx.Tx, doing("read house rules %d", id), houseRuleColumns.of, selectHouseRules+`id = $1`, id)
}

// AllHouseRules returns all versions of a chat's house rules, by game and name, the newest version first.
func (tx Chats) AllHouseRules(chat string) ([]HouseRules, error) {
	return collectBy(tx.Tx, doing("read house rules of %s", chat), houseRuleColumns.of, allHouseRules, sealedID(chat))
}
