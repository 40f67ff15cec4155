package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"knobel/bot/chat"
)

// shortRooms keep rooms until the end.
type shortRooms struct {
	mu  sync.Mutex
	all []Room

	moved []shortMove // the oldest first
}

// shortMove is an address that a room had, and what it leads to.
type shortMove struct {
	room          int64
	print, sealed string
}

func (s *shortRooms) Make(_ context.Context, r Room) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Number = int64(len(s.all) + 1)
	s.all = append(s.all, r)
	return r.Number, nil
}

func (s *shortRooms) Find(_ context.Context, print string) (Room, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.all, func(r Room) bool { return r.Print == print && r.Number > 0 })
	if i < 0 {
		return Room{}, false, nil
	}
	return s.all[i].clone(), true, nil
}

func (s *shortRooms) Room(_ context.Context, number int64) (Room, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < 1 || number > int64(len(s.all)) || s.all[number-1].Number == 0 {
		return Room{}, false, nil
	}
	return s.all[number-1].clone(), true, nil
}

// clone is the room with a list of its own.
func (r Room) clone() Room {
	r.Out = slices.Clone(r.Out)
	return r
}

func (s *shortRooms) Seen(_ context.Context, number int64, host chat.User, seen, used time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.all[number-1]
	if used.After(r.Used) {
		r.Used = used
	}
	if r.Host == host && seen.After(r.HostSeen) {
		r.HostSeen = seen
	}
	return nil
}

func (s *shortRooms) Hand(_ context.Context, number int64, from, to chat.User, at time.Time) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.all[number-1]
	if r.Number == 0 || r.Host != from {
		return false, nil
	}
	r.Host, r.HostSeen = to, at
	return true, nil
}

func (s *shortRooms) Move(_ context.Context, number int64, from, to, sealed string, last int) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.all[number-1]
	if r.Print != from {
		return false, nil
	}
	r.Print = to
	s.moved = append(s.moved, shortMove{number, from, sealed})
	of := func(m shortMove) bool { return m.room == number }
	known := 0
	for _, m := range s.moved {
		if of(m) {
			known++
		}
	}
	if known > last {
		i := slices.IndexFunc(s.moved, of)
		s.moved = slices.Delete(s.moved, i, i+1)
	}
	return true, nil
}

func (s *shortRooms) Moved(_ context.Context, print string) (string, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.moved, func(m shortMove) bool { return m.print == print })
	if i < 0 {
		return "", false, nil
	}
	return s.moved[i].sealed, true, nil
}

func (s *shortRooms) ShowOut(_ context.Context, number int64, who string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[number-1].Out = append(s.all[number-1].Out, who)
	return nil
}

// DropIdle forgets nothing: the rooms end with the program.
func (s *shortRooms) DropIdle(context.Context, time.Time) error { return nil }
