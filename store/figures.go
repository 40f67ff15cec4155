package store

// How much work is unfinished, for metrics.

import (
	"context"
	"strconv"
)

// Figures holds the amount of open work and the size of the database.
type Figures struct {
	Lobby, Playing int64            // tables that are being set up, or played at
	House          int64            // tables that wait for a house's move
	Clocks, Late   int64            // turns that have to be over some time, and those that had to be over by now
	Reviews        int64            // finished tables whose review is wanted
	Lagging        map[string]Delay // boards behind their tables, by the prefix of their ids
	File, Log      int64            // bytes of the database and of its write-ahead log
}

// Delay is boards that are behind.
type Delay struct {
	Boards int64
	Since  int64 // when the one that is longest behind fell behind, Unix milliseconds; 0: none is
}

// These queries read indexes of unfinished rows alone.
const (
	inLobby = `SELECT COUNT(*) FROM tables WHERE state = 'lobby' AND state IN ('lobby', 'playing')`
	inGame  = `SELECT COUNT(*) FROM tables WHERE state = 'playing' AND state IN ('lobby', 'playing')`
	atHouse = `SELECT COUNT(*) FROM tables WHERE waits AND id > 0`
	clocks  = `SELECT COUNT(*) FROM ` + clocked + ` > 0`
	late    = `SELECT COUNT(*) FROM ` + clocked + ` <= $1`
	reviews = `SELECT COUNT(*) FROM reviews WHERE state = 'wanted' AND table_id > 0`
)

// behindOf reads the index that holds nothing but boards that are behind.
const behindOf = `
	SELECT COUNT(*), COALESCE(MIN(behind), 0) FROM boards
	WHERE behind IS NOT NULL AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1`

// Figures returns how much work is unfinished at a moment, in Unix milliseconds, on the platforms
// whose ids begin with the prefixes. It reads indexes of unfinished rows alone, so it is quick
// however many tables are stored.
func (s *Store) Figures(ctx context.Context, at int64, prefixes ...string) (Figures, error) {
	f := Figures{Lagging: map[string]Delay{}}
	err := s.View(ctx, func(tx *Tx) error {
		for _, count := range []struct {
			query string
			args  []any
			into  *int64
		}{
			{inLobby, nil, &f.Lobby},
			{inGame, nil, &f.Playing},
			{atHouse, nil, &f.House},
			{clocks, nil, &f.Clocks},
			{late, []any{at}, &f.Late},
			{reviews, nil, &f.Reviews},
		} {
			if err := tx.get(count.query, count.args, count.into); err != nil {
				return err
			}
		}
		for _, prefix := range prefixes {
			var d Delay
			if err := tx.get(behindOf, []any{prefix}, &d.Boards, &d.Since); err != nil {
				return err
			}
			f.Lagging[prefix] = d
		}
		return nil
	})
	if err == nil {
		f.File, f.Log, err = s.Size()
	}
	return f, wrapped(err, "figures")
}

// settingProbe is where Probe writes.
const settingProbe = "probe"

// Probe writes and commits something, to see whether that can be done. It is
// something new each time: what stands there already may not be written again.
func (s *Store) Probe(ctx context.Context) error {
	return s.UpdateOf(ctx, OfSetting(settingProbe), func(tx *Tx) error {
		last, err := tx.Chats.Setting(settingProbe)
		if err != nil {
			return err
		}
		n, _ := strconv.ParseInt(last, 10, 64) // begins anew at whatever else stands there
		return tx.Chats.SaveSetting(settingProbe, strconv.FormatInt(n+1, 10))
	})
}
