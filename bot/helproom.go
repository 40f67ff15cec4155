package bot

// Help: what there is, how the bot stands, and in which language it speaks.

// Help explains the bot, and tells how it stands.
type Help struct{ *Tables }

// helpVisit is a visit that asks for help.
type helpVisit struct {
	*TableVisit
	bot *Help
}

// Visit makes a visit one that asks for help.
func (b *Help) Visit(v *Visit) *helpVisit { return &helpVisit{b.Tables.Visit(v), b} }
