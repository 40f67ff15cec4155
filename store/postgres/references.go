package postgres

// Which rows refer to something that is not there. The server sees to it that none does, unless somebody has told it
// not to.

import (
	"database/sql/driver"
	"fmt"
	"strings"
)

// references lists the columns of each rule that has rows refer to others, in order.
const references = `
	SELECT r.conrelid::regclass::text, r.confrelid::regclass::text, r.conname, a.attname, b.attname
	FROM pg_constraint r
	CROSS JOIN LATERAL unnest(r.conkey, r.confkey) WITH ORDINALITY AS k (from_column, to_column, number)
	JOIN pg_attribute a ON a.attrelid = r.conrelid AND a.attnum = k.from_column
	JOIN pg_attribute b ON b.attrelid = r.confrelid AND b.attnum = k.to_column
	WHERE r.contype = 'f' AND r.connamespace = quote_ident(current_schema())::regnamespace
	ORDER BY 1, r.conname, k.number`

// reference is one such rule.
type reference struct {
	from, to, name   string
	columns, targets []string
}

// StrayReferences is as of engine.Tx.
func (tx *Tx) StrayReferences() (string, error) {
	var all []reference
	err := tx.Rows(references, nil, func(row []driver.Value) error {
		text := make([]string, len(row))
		for i, value := range row {
			text[i], _ = value.(string)
		}
		if len(all) == 0 || all[len(all)-1].from != text[0] || all[len(all)-1].name != text[2] {
			all = append(all, reference{from: text[0], to: text[1], name: text[2]})
		}
		last := &all[len(all)-1]
		last.columns, last.targets = append(last.columns, text[3]), append(last.targets, text[4])
		return nil
	})
	if err != nil {
		return "", err
	}
	strays := make([]string, len(all))
	for i, r := range all {
		strays[i] = r.strays()
	}
	return `SELECT name, SUM(strays) FROM (` + strings.Join(strays, ` UNION ALL `) + `) counted
		GROUP BY name HAVING SUM(strays) > 0 ORDER BY name`, nil
}

// strays counts the rows for which a rule does not hold. Names stand as they are: those of the schema need no quotes.
func (r reference) strays() string {
	var whole, same []string
	for i, column := range r.columns {
		whole = append(whole, fmt.Sprintf("c.%s IS NOT NULL", column))
		same = append(same, fmt.Sprintf("p.%s = c.%s", r.targets[i], column))
	}
	return fmt.Sprintf(`SELECT '%s' AS name, COUNT(*) AS strays FROM %s c WHERE %s AND NOT EXISTS (SELECT 1 FROM %s p
		WHERE %s)`, r.from, r.from, strings.Join(whole, " AND "), r.to, strings.Join(same, " AND "))
}
