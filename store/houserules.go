package store

// House rules: rules of a game that a chat has saved under a name.

import (
	"cmp"
	"errors"
)

// HouseRules is one version of the rules for a game that a chat has saved under a name. A version never changes.
type HouseRules struct {
	ID      int64
	Chat    string
	Game    string
	Name    string
	Rules   map[string]string
	Version string // the id of the rules, a hash from games.VersionOf
	Kept    bool   // new tables may use this version; true for at most one version of a name
}

var (
	newHouseRules = columnsOf(`chat, game, name, rules, version, kept`, func(h *HouseRules) []any {
		return []any{(*sealedID)(&h.Chat), &h.Game, &h.Name, inJSON{&h.Rules}, &h.Version, &h.Kept}
	})
	houseRuleColumns = columnsOf(`id`, func(h *HouseRules) []any { return []any{&h.ID} }).and(newHouseRules)
	insertHouseRules = newHouseRules.insert("house_rules") + ` RETURNING id`
	selectHouseRules = `SELECT ` + houseRuleColumns.list("") + ` FROM house_rules WHERE `
	allHouseRules    = selectHouseRules + `chat = $1 ORDER BY game, name, id DESC`
)

// KeepHouseRules lets new tables of the chat use h, in place of the version that they could use under that name. It
// returns the number of h or, if an equal version is stored, the number of that version. h.ID and h.Kept are ignored.
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
	return h.ID, wrapped(err, "save house rules of %s", h.Chat)
}

// DropHouseRules makes house rules unavailable for new tables. Tables that use them already do not change.
func (tx Chats) DropHouseRules(id int64) error {
	return wrapped(tx.run(`UPDATE house_rules SET kept = FALSE WHERE id = $1`, id), "delete house rules %d", id)
}

// HouseRules returns the house rules with the number id, even if new tables cannot use them, or ErrNotFound.
func (tx Chats) HouseRules(id int64) (HouseRules, error) {
	return oneBy(tx.Tx, doing("read house rules %d", id), houseRuleColumns.of, selectHouseRules+`id = $1`, id)
}

// AllHouseRules returns all versions of all house rules of a chat, ordered by game and name, the newest version first.
func (tx Chats) AllHouseRules(chat string) ([]HouseRules, error) {
	return collectBy(tx.Tx, doing("read house rules of %s", chat), houseRuleColumns.of, allHouseRules, sealedID(chat))
}
