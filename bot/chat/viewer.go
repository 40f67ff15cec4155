package chat

// Viewer is whoever looks at a board on a page of their own: one browser, with the people who play there.
type Viewer struct {
	// Lang is the language of the page, "": that of the chat.
	Lang string
	// People are those of them whom the board concerns, as Message.Concerns names them.
	People []User
	// Unseated says that one who plays there has no seat at the table.
	Unseated bool
	// Offers says that they look at the seats that are offered, in place of the board.
	Offers bool
	// Open is the page that they have opened on this board for themselves.
	Open Opened
}

// View is a board as a viewer sees it.
type View struct {
	By      Viewer
	Message Message
}

// Opened is a page of a board that somebody has opened for themselves alone. It is open until a move is
// made at the table.
type Opened struct {
	Table int64
	Turn  int64
	// Page is its name, "" for the game alone.
	Page string
}
