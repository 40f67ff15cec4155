package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/fakes/needs"
)

// story is something that the page does in a real browser.
type story struct {
	name string
	run  func(*testing.T, *tab)
}

// onePage are the stories of every run: one of each page and of each kind of board, and what a page weighs.
var onePage = []story{
	{"the front page shows both ways to play", frontPage},
	{"four presses lead to the first throw", fourPresses},
	{"every kind of board can be seen", everyKindOfBoard},
	{"who of a screen presses is known to the page", actsAs},
	{"lists are tables", tablesShown},
	{"a page shows its picture", pictureShown},
	{"the replay that was asked for last wins", lastReplayWins},
	{"dice of records are thrown again", diceThrownAgain},
	{"dice and cells are touched", diceAndCellsTouched},
	{"a host and a guest see each other", hostAndGuest},
	{"a link of one's own leads to another browser", linkOfOnesOwn},
	{"who comes by the secret is asked for a name", askedForAName},
	{"without cookies a page says what it needs", cookiesNeeded},
	{"without a connection the page says so", saysThatItIsOffline},
	{"calls are notifications for whoever wants them", notifiedOfCalls},
	{"whoever types is not interrupted", typingGoesOn},
	{"a first visit weighs little", weighsLittle},
	{"a page waits for little", waitsForLittle},
	{"faults of a page are found", faultsAreFound},
	{"axe-core is asked for faults", axeIsAsked},
}

// more are all other stories, which are left to .ci/long.
var more = []story{
	{"both games are played by keyboard alone", playedByKeyboard},
	{"the focus stays on the same place", focusStays},
	{"whoever is to move sees what to press", moverSeesButtons},
	{"a command is typed without a mouse", typedCommand},
	{"a word is copied as it is", wordCopied},
	{"hashes are right", hashesAreRight},
	{"a link from elsewhere makes nobody somebody else", linkFromElsewhere},
	{"a page that has to wait says so", saysThatItWaits},
	{"what a step says is heard once", stepsAreHeardOnce},
	{"tiles are touched", tilesTouched},
	{"whoever waits alone plays another game", anotherGame},
	{"of many games the first have buttons", manyGames},
	{"the end is celebrated", endCelebrated},
	{"sounds are heard by whoever wants them", soundsHeard},
	{"what is shown for inviting works", invited},
}

func TestInTheBrowser(t *testing.T) { inTheBrowser(t, onePage) }

func TestMoreInTheBrowser(t *testing.T) {
	needs.Long(t)
	inTheBrowser(t, more)
}

// inTheBrowser has one browser go through stories, each with cookies of its own.
func inTheBrowser(t *testing.T, stories []story) {
	t.Helper()
	first := browser(t)
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := chromedp.NewContext(first, chromedp.WithNewBrowserContext())
			defer cancel()
			b := &tab{t: t, ctx: ctx}
			b.look(390, "light")
			b.keepsProposals()
			story.run(t, b)
		})
	}
}
