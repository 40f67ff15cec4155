package board

import (
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// addForGuest adds to the board of a chat in which the bot is a guest: before and after a game a sentence that says so,
// and a link that adds the bot; during it a button that ends it, and after it the books; if the board is perishable,
// always a button that draws it again.
func (s *BoardView) addForGuest() {
	var row []chat.Button
	key := "bot.guest.inline"
	if s.Table.Board.Expires > 0 {
		key = "bot.guest.perishable"
		row = append(row, s.namedButton("refresh", "!refresh", games.Plain))
	}
	if s.Table.State == store.Over { // people who have not added the bot to their account can use no command
		s.Message.Row(s.button(games.Say("bot.help.often.leaderboard", nil), "/leaderboard", games.Plain),
			s.button(games.Say("bot.help.often.settle", nil), "/settle", games.Plain))
	}
	between := s.Table.State != store.Playing
	asks := s.Table.Board.Page == PageEnd || s.Table.Board.Page == PageOffer || HasEndVote(s.Table)
	if !between && !asks { // people cannot type /abandon there
		end := s.endButton("!end")
		end.Style = games.Plain
		row = append(row, end)
	}
	if link := s.traits.Invite; between && link != "" {
		add := s.button(games.Say("bot.guest.add", nil), "", games.Plain)
		add.Press, add.Link = "", link
		row = append(row, add)
	}
	s.Message.Row(row...)
	if between {
		said := s.Say(key, nil)
		if s.Message.Small != "" {
			said = s.Message.Small + " · " + said
		}
		s.Message.Small = said
	}
}
