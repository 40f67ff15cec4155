package chat

// Viewer is a browser that watches a board, with the people who play in it.
type Viewer struct {
	// Lang is the language of the page, "": that of the chat.
	Lang string
	// People are those with a view of their own, as in Message.Concerns.
	People []User
	// Unseated says that a person there has no seat at the table.
	Unseated bool
	// Offers says that they see the offered seats instead of the board.
	Offers bool
	// Open is the page that they have opened on this board.
	Open Opened
}

// View is a board as a viewer sees it.
type View struct {
	By      Viewer
	Message Message
}

// Opened is a private page of a board. It is open until the next move at the table.
type Opened struct {
	Table int64
	Turn  int64
	// Page is its name, "" for the game alone.
	Page string
}
