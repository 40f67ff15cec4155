package migrations

// Unused holds the columns of a database on PostgreSQL that only replicas of the version before read and write, as
// "table.column". The next version drops them, with the triggers on them.
var Unused = []string{
	"tables.away", "tables.behind", "tables.board", "tables.drawer", "tables.drawing", "tables.drawn", "tables.page",
	"tables.posted", "tables.repost", "tables.seen", "tables.seen_turn", "tables.staged", "tables.tapped",
	"tables.tapper",
}
