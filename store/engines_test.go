package store_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// onServerToo are the tests that run once more on PostgreSQL in every run: one of each room of the store. All others
// but aboutFiles do so in long runs.
var onServerToo = []string{
	"TestAChatMovesWithEverything", "TestAPaymentFromWordToBooksAndBack", "TestATableEndsWithItsResultAndItsBooks",
	"TestCallsComeBack", "TestChatsPlayersAndSettingsComeBack", "TestLeasesOnBothEngines",
	"TestNothingIsLeftOfWhoIsForgotten", "TestReviewsAreWantedOnceAndKept", "TestRoomsAreFoundByTheirPrints",
	"TestStandingsAreAdded",
}

// aboutFiles are the tests that are about files, or how SQLite does something, and those within the package, which open
// files: they do not run once more on PostgreSQL.
var aboutFiles = []string{
	"TestADatabaseMovesThereAndBack", "TestBoardsBesideTheVersionBefore", "TestReplicasShareAStore",
	"TestReplicasHaveOneTimeZone", "TestCallsReadFewMovesOfALongGame", "TestChangesReadWhatIsStored",
	"TestABackupIsADatabase", "TestABackupIsRestored", "TestABackupOfWhatIsDamaged", "TestABackupThatCannotBe",
	"TestABackupThatEndsInTheMiddle", "TestAChangeOfNothingTellsOfNoRoom", "TestADatabaseOfANewerVersion",
	"TestADiskThatIsFullAtAnyWrite", "TestAFailedCommitIsToldToAll", "TestAFileThatIsGoneTakesNothing",
	"TestAJournalIsNotRolledBackInWhatIsRefused", "TestALockFileIsRemoved", "TestALogThatIsRemovedIsPutBack",
	"TestAProbeNoticesAFullDisk", "TestBackupsDuringWrites",
	"TestBackupsThatAreNotRestored", "TestChangesThatWaitShareACommit", "TestCheckFindsADamagedFile",
	"TestCloseFinishesWhatWaits", "TestFileNames", "TestFilesThatAreCutShort",
	"TestFilesThatAreNoDatabaseOfOurs", "TestFlippedPages", "TestJournalsAreNotTakenForThoseOfWhatIsRestored",
	"TestKilledAtWork", "TestLargeReviewsOfOlderVersionsHeal", "TestLogsAreRestoredAndKept",
	"TestNothingGoesThatMayBeAllThereIs", "TestNothingIsRestoredOverAnInstance",
	"TestOnlyCopiesOfACrashAreRemoved", "TestReadingNeedsADatabase", "TestRestoredForTheOwnerOfTheFolder",
	"TestSecretsOfABackupOfBeforeAreSealedWhenItIsRestored", "TestSecretsOfBeforeAreSweptOnceNobodyReadsThem",
	"TestTablesStayAtHand", "TestTheLogIsRemovedUnderAFullDisk", "TestTheSecondInstanceComesByAnotherName",
	"TestTogetherIsFaster", "TestWaitingForAnotherReplicaIsCounted", "TestWhatACrashHasLeftInAJournalIsRolledBack",
	// Within the package:
	"TestAGameIsNewAgainAfterAThousandOthers", "TestEveryColumnOfPeopleIsOnBoardsOrNot",
	"TestEveryColumnOfTextIsSealedOrNot", "TestEveryTableIsToldOf",
	"TestLeaderboardsAreOneRange", "TestOwnLinesOfTheBooksAreReadByIndex", "TestPressesReadByIndex",
	"TestTablesThatShowSomebody", "TestTheDeskKnowsWhatChangesTables",
}

// TestOnPostgreSQL is skipped where the tests did not run once more on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) { postgrestest.Need(t) }

// onServer opens a database on PostgreSQL, whatever the other tests are on.
func onServer(t *testing.T) *store.Store {
	t.Helper()
	return reopen(t, storetest.OnServer(t))
}

// isOuch reports whether a panic has come through. SQLite's writer catches it in another goroutine, and says where it
// was.
func isOuch(p any) bool {
	if storetest.OnPostgres() {
		return p == "ouch"
	}
	return strings.HasPrefix(fmt.Sprint(p), "ouch\n")
}
