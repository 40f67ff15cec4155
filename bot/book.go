package bot

// Books are who owes whom what, and what was paid.
type Books struct{ *Bot }

// bookVisit is a visit that looks at them.
type bookVisit struct {
	*visit
	bot *Books
}

// Visit makes a visit one that looks at the books.
func (b *Books) Visit(v *visit) *bookVisit { return &bookVisit{v, b} }
