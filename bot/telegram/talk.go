package telegram

import (
	"slices"
	"sync"

	"knobel/bot/chat"
)

// Counting the messages below a board by message ids: those of a supergroup are consecutive, including those
// that the bot may not read. The newest known id tells how many are below an older one.
//
// All topics of a forum share these ids, so only messages that the bot has seen are counted there. In simple groups
// and private chats ids say nothing about the chat.

// talk holds the newest message ids, in memory only.
type talk struct {
	mu     sync.Mutex
	newest map[int64]int64        // by supergroup
	met    map[chat.Place][]int64 // in forums, by topic, the newest last
	forums map[int64]bool
}

const (
	// maxTalks is the number of chats or topics after which all are dropped.
	maxTalks = 4096
	// maxMet is how many messages of a topic are kept: more than a chat can ask for.
	maxMet = 64
)

// supergroups is the highest id of supergroups.
const supergroups = -1_000_000_000_000

// learn stores a message of a chat, by its topic in forums.
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
