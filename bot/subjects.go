package bot

// What commands are about. Each is a page of /help, and none is called like a command.
const (
	ToPlay  = "play"    // tables and what one does at them
	ToTrust = "dice"    // rules, dice, games looked at again
	ToCount = "books"   // who has won what, who owes whom
	OfChat  = "chat"    // what a chat agrees on
	OfSelf  = "oneself" // what everybody decides for themselves
)

// Subjects are what commands are about, in the order in which /help shows them.
var Subjects = [...]string{ToPlay, ToTrust, ToCount, OfChat, OfSelf}

// commandTable lists the commands of the bot itself.
func (b *Bot) commandTable() []Command {
	return []Command{
		{Name: "news", Subject: OfChat, Run: (*Visit).newsCommand}, showCommand(),
	}
}
