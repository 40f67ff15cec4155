package migrations

// Unused lists columns of a database on PostgreSQL, as "table.column". This version does not use them, but replicas of
// the previous version, which may still run, do. The next version drops the columns, and the functions and
// triggers of script 63.
var Unused = []string{
	"tables.away", "tables.behind", "tables.board", "tables.drawer", "tables.drawing", "tables.drawn", "tables.page",
	"tables.posted", "tables.repost", "tables.seen", "tables.seen_turn", "tables.staged", "tables.tapped",
	"tables.tapper",
}
