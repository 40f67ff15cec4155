package bot

// Standings are the leaderboards and statistics of all chats.
type Standings struct {
	*Bot
	chances chances // what chance alone shuts
}

// NewStandings returns the leaderboards of a bot.
func NewStandings(b *Bot) *Standings { return &Standings{Bot: b} }

// standingsVisit is a visit that looks at them.
type standingsVisit struct {
	*visit
	bot *Standings
}

// Visit makes a visit one that looks at leaderboards and statistics.
func (b *Standings) Visit(v *visit) *standingsVisit { return &standingsVisit{v, b} }
