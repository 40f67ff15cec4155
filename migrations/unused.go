package migrations

// Unused lists the columns of a database on PostgreSQL, as "table.column", that this version no longer uses but
// replicas of the version before still do. The next version drops them together with their triggers.
var Unused = []string{
	"tables.away", "tables.behind", "tables.board", "tables.drawer", "tables.drawing", "tables.drawn", "tables.page",
	"tables.posted", "tables.repost", "tables.seen", "tables.seen_turn", "tables.staged", "tables.tapped",
	"tables.tapper",
}
