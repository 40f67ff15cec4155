package standings

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The pages of /season and of /history about seasons.

// showSeason answers with the present season, its end, its final and its champion, and buttons to change these.
func (v *Visit) showSeason() error {
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	if len(seasons) == 0 {
		m := v.Private(v.noSeason())
		m.Rows(chat.MenuRow, v.cadenceButtons(store.Season{}, cadences[:len(cadences)-1])...)
		return nil
	}
	present := seasons[0]
	began, err := v.EveningIn(v.Chat.ID, present.Started)
	if err != nil {
		return err
	}
	day, err := v.DayLabel(began)
	if err != nil {
		return err
	}
	final, crowned, err := v.titleLine(present)
	switch {
	case err != nil:
		return err
	case crowned:
	case present.Final == 0:
		final = games.Say("bot.season.no-final", nil)
	default:
		final = games.Say("bot.season.final-of", games.Args{"N": int(present.Final)})
	}
	m := v.Private(games.Say("bot.season.now", games.Args{"Name": chat.Isolate(present.Name), "Day": day}),
		v.cadenceLine(present), final)
	row := []chat.Button{v.Button(games.Say("bot.button.leaderboard", nil), "/leaderboard season", games.Plain)}
	if len(seasons) > 1 {
		row = append(row, v.Button(games.Say("bot.button.seasons", nil), "/history seasons", games.Plain))
	}
	if present.Champion == "" && present.Final > 0 {
		row = append(row, v.Button(games.Say("bot.button.final", nil), "/season final", games.Plain))
	}
	m.Row(row...)
	if err := v.offerFirstTable(m, seasons); err != nil {
		return err
	}
	m.Row(v.cadenceButtons(present, cadences)...)
	m.Row(v.finalButtons(present)...)
	return nil
}

// noSeason returns the sentence that there is no season yet, and how to start one.
func (v *Visit) noSeason() games.Line {
	return games.Say(v.OrEquals("bot.season.none", "bot.season.none-hosted", "bot.season.none-equals"), nil)
}

// cadenceButtons returns a button for each of offered; that of the season's cadence is marked.
func (v *Visit) cadenceButtons(s store.Season, offered []cadence) (row []chat.Button) {
	for _, c := range offered {
		row = append(row, v.Button(games.Say("bot.text", games.Args{"Text": bot.Capital(v.Say(games.Say(c.key, nil)))}),
			"/season "+cmp.Or(c.name, "off"), bot.Chosen(s.ID != 0 && c.name == s.Cadence)))
	}
	return row
}

// finalButtons returns buttons for the number of people in the final of a season.
func (v *Visit) finalButtons(s store.Season) (row []chat.Button) {
	for _, n := range []int64{0, 2, store.DefaultFinal, 6} {
		label, value := games.Say("bot.button.final-of", games.Args{"N": int(n)}), strconv.FormatInt(n, 10)
		if n == 0 {
			label, value = games.Say("bot.button.no-final", nil), noFinal
		}
		row = append(row, v.Button(label, "/season final="+value, bot.Chosen(n == s.Final)))
	}
	return row
}

// maxSeasons is the largest number of seasons on a page of SeasonsPage.
const maxSeasons = 8

// SeasonsPage lists the seasons of the chat, the newest first, with their champions and buttons to the finals. If the
// option "game" is set, it lists only seasons with numbers below it.
func (v *Visit) SeasonsPage(w bot.Args) error {
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	if before, given := w.Amount("game"); given {
		seasons = slices.DeleteFunc(slices.Clone(seasons), func(s store.Season) bool { return s.ID >= before })
	}
	if len(seasons) == 0 {
		return v.showSeason()
	}
	m := v.Private(games.Say("bot.season.all", nil))
	var finals, pages []chat.Button
	for i, s := range seasons {
		if i == maxSeasons {
			older := fmt.Sprint("/history seasons ", seasons[i-1].ID)
			pages = append(pages, v.Button(games.Say("bot.button.older", nil), older, games.Plain))
			break
		}
		began, err := v.EveningIn(v.Chat.ID, s.Started)
		day, err2 := v.DayLabel(began)
		title, crowned, err3 := v.titleLine(s)
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		line := games.Say("bot.season.now", games.Args{"Name": chat.Isolate(s.Name), "Day": day})
		if crowned {
			args := games.Args{"Season": line, "Name": title.Args["Name"], "Table": s.FinalTable}
			if line = games.Say("bot.season.listed", args); s.FinalTable != 0 {
				line.Key = "bot.season.listed-final"
			}
		}
		m.Lines = append(m.Lines, v.Say(line))
		if s.FinalTable != 0 {
			label := games.Say("bot.button.game-number", games.Args{"Table": s.FinalTable})
			finals = append(finals, v.Button(label, fmt.Sprint("/history ", s.FinalTable), games.Plain))
		}
	}
	m.Row(finals...)
	m.Row(append(pages, v.Button(games.Say("bot.button.games", nil), "/history", games.Plain))...)
	return nil
}
