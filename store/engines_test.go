package store_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// onServerToo lists the tests that every run repeats on PostgreSQL: one for each part of the store. Long runs repeat
// all tests except aboutFiles.
var onServerToo = []string{
	"TestAChatMovesWithEverything", "TestAPaymentFromWordToBooksAndBack", "TestATableEndsWithItsResultAndItsBooks",
	"TestCallsComeBack", "TestChatsPlayersAndSettingsComeBack", "TestLeasesOnBothEngines",
	"TestNothingIsLeftOfWhoIsForgotten", "TestPlayersOfOnePerson", "TestPushes", "TestReviewsAreWantedOnceAndKept",
	"TestRoomsAreFoundByTheirPrints", "TestSeasonsFollowEachOther", "TestStandingsAreAdded",
}

// aboutFiles lists the tests that are not repeated on PostgreSQL: they test files or SQLite, or are inside the package
// and open files.
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
	// Tests in the package store itself:
	"TestAGameIsNewAgainAfterAThousandOthers", "TestEveryColumnOfPeopleIsOnBoardsOrNot",
	"TestEveryColumnOfTextIsSealedOrNot", "TestEveryTableIsToldOf",
	"TestLeaderboardsAreOneRange", "TestOwnLinesOfTheBooksAreReadByIndex", "TestPressesReadByIndex",
	"TestTablesThatShowSomebody", "TestTheDeskKnowsWhatChangesTables",
}

// TestOnPostgreSQL is skipped if the tests were not repeated on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) { postgrestest.Need(t) }

// onServer opens a new database on PostgreSQL, even if the other tests use files.
func onServer(t *testing.T) *store.Store {
	t.Helper()
	return reopen(t, storetest.OnServer(t))
}

// isOuch reports whether p is the panic "ouch" of a test. On SQLite, p also has the stack, on further lines.
func isOuch(p any) bool {
	if storetest.OnPostgres() {
		return p == "ouch"
	}
	return strings.HasPrefix(fmt.Sprint(p), "ouch\n")
}
