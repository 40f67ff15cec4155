package telegram

import (
	"slices"
	"sync"

	"knobel/bot/chat"
)

// How much is written in groups, as the numbers of messages tell: those of a supergroup follow one
// another, whoever writes and whether the bot reads it or not. The newest that the bot has met, in an
// update or as a message of its own, says how many stand below an older one.
//
// All topics of a forum share these numbers. There only messages that the bot has met are counted,
// which are fewer where it may not read everything. In groups of the simple kind and in private chats
// the numbers say nothing about the chat.

// talk is what is known of that. It is forgotten with the process.
type talk struct {
	mu     sync.Mutex
	newest map[int64]int64        // by supergroup
	met    map[chat.Place][]int64 // in forums, by topic, the newest last
	forums map[int64]bool
}

const (
	// maxTalks is how many chats, and topics, are known before all are forgotten.
	maxTalks = 4096
	// maxMet is how many messages of a topic are remembered: more than a chat can ask for.
	maxMet = 64
)

// supergroups is where the ids of supergroups begin, from zero downwards.
const supergroups = -1_000_000_000_000

// learn meets a message of a chat, in a topic of it where it is a forum.
func (t *talk) learn(group int64, forum bool, topic, message int64) {
	if group > supergroups || message == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.newest) >= maxTalks || len(t.met) >= maxTalks {
		t.newest, t.met, t.forums = nil, nil, nil
	}
	if t.newest == nil {
		t.newest, t.met, t.forums = map[int64]int64{}, map[chat.Place][]int64{}, map[int64]bool{}
	}
	t.newest[group] = max(t.newest[group], message)
	if !forum && topic == 0 {
		return
	}
	t.forums[group] = true
	place := placeID(group, topic)
	all := t.met[place]
	if slices.Contains(all, message) {
		return
	}
	t.met[place] = append(all[max(0, len(all)-maxMet+1):len(all):len(all)], message)
}

// since is how many messages of a place are newer than one of it.
func (t *talk) since(place chat.Place, group, message int64) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.forums[group] {
		return int(max(t.newest[group]-message, 0))
	}
	for _, id := range t.met[place] {
		if id > message {
			n++
		}
	}
	return n
}
