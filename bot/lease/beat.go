package lease

// Renewing, taking and giving up leases as replicas come and go.

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/store"
)

// Start takes the free leases of chats and returns once it has them. After an error Run tries again. A nil Holder does
// nothing.
func (h *Holder) Start(ctx context.Context) error {
	if h == nil {
		return nil
	}
	return h.beat(ctx)
}

// Run renews the held leases, and takes and gives up leases as replicas come and go, until ctx is done. Then it returns
// all leases. For a nil Holder it returns at once.
func (h *Holder) Run(ctx context.Context) {
	if h == nil {
		return
	}
	for failing := false; ; {
		err := h.step(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil && !failing {
			h.Log.WarnContext(ctx, "renew leases failed; other replicas will take over", "error", err)
		}
		failing = err != nil
		select {
		case <-h.wake:
		case <-h.Clock.After(lookEvery):
		case <-ctx.Done():
		}
	}
	h.close()
}

// step calls beat if a renewal is due, a change was refused, or leases have to be returned, taken or given up.
func (h *Holder) step(ctx context.Context) error {
	doubted := h.doubted.Swap(false)
	h.mu.Lock()
	due := doubted || len(h.giving) > 0 || h.Clock.Now().Sub(h.renewed) >= lasts/10*3
	h.mu.Unlock()
	if !due {
		var all []store.Lease
		err := h.Store.View(ctx, func(tx *store.Tx) (err error) {
			all, err = tx.Leases.Leases(h.Clock.Now().UnixMilli())
			return err
		})
		if err != nil {
			return err
		}
		if p := h.plan(all); len(p.take)+len(p.give)+len(p.stop) == 0 {
			return nil
		}
	}
	return h.beat(ctx)
}

// beat renews the held leases, returns the queued ones, gives up those that other replicas should have, and takes free
// ones, all in one change. Then it stores which leases this replica holds.
func (h *Holder) beat(ctx context.Context) error {
	h.beating <- struct{}{}
	defer func() { <-h.beating }()
	began := h.Clock.Now()
	h.mu.Lock()
	giving := h.giving
	h.mu.Unlock()
	var all []store.Lease
	err := h.Store.Update(ctx, func(tx *store.Tx) error {
		now := h.Clock.Now().UnixMilli()
		if err := h.give(tx, giving); err != nil {
			return err
		}
		if err := tx.Leases.RenewLeases(h.Name, now, lasts.Milliseconds()); err != nil {
			return err
		}
		if err := tx.Leases.DropLeases(here, now, forgottenAfter.Milliseconds()); err != nil {
			return err
		}
		var err error
		if all, err = tx.Leases.Leases(now); err != nil {
			return err
		}
		p := h.plan(all)
		for _, name := range p.take {
			if err := tx.Leases.TakeLease(name, h.Name, now, lasts.Milliseconds()); err != nil {
				return err
			}
		}
		if err := h.give(tx, p.give); err != nil || len(p.take)+len(p.give) == 0 {
			return err
		}
		all, err = tx.Leases.Leases(now)
		return err
	})
	if err != nil {
		return err
	}
	h.gave(giving)
	h.adopt(all, began)
	return nil
}

// adopt stores which of the leases in all this replica holds after a renewal, and began, the time at which that began.
// It cancels the contexts of callers of Hold whose leases are lost or must go to other replicas, and calls the
// functions of Gained if this replica has got more chats.
func (h *Holder) adopt(all []store.Lease, began time.Time) {
	stops := h.plan(all).stop
	h.mu.Lock()
	broke := !h.valid()
	h.renewed = began
	now, gained := h.Clock.Now(), 0
	held := map[string]store.Lease{}
	for _, l := range all {
		of, i, ok := parse(l.Name)
		returns := slices.ContainsFunc(h.giving, func(g given) bool { return g.Name == l.Name })
		if ok && l.Holder == h.Name && h.kinds[of] != nil && h.kinds[of].wanted[i] > 0 && !returns {
			held[l.Name] = l
		}
	}
	for i := range h.turned {
		was, l := h.have[nameOf(chats, i)], held[nameOf(chats, i)]
		if broke || was == nil && l.Name != "" || was != nil && was.Fence != l.Fence {
			h.turned[i] = now
			if l.Name != "" {
				gained++
			}
		}
	}
	for name, l := range h.have {
		if held[name].Fence != l.Fence {
			h.drop(l)
		}
	}
	for name, l := range held {
		if h.have[name] == nil {
			h.have[name] = &lease{Lease: l}
		}
	}
	if n := max(len(replicasOf(all, chats)), 1); n != h.replicas {
		if n < h.replicas {
			h.Log.Info("replica gone; taking over its leases", "leases", gained, "replicas", n,
				"before", h.replicas)
		}
		h.replicas, h.since = n, now
	}
	for _, name := range stops {
		if l := h.have[name]; l != nil && l.stop != nil {
			l.stop() // its user then returns it
		}
	}
	close(h.changed)
	h.changed = make(chan struct{})
	calls := h.gained
	h.mu.Unlock()
	for _, call := range calls {
		if gained > 0 {
			call()
		}
	}
}

// drop removes a lost lease and cancels the context of its user. The caller holds h.mu.
func (h *Holder) drop(l *lease) {
	if l.stop != nil {
		l.stop()
	}
	delete(h.have, l.Name)
}

// Yield returns the leases of all chats, before this replica ends, and takes none of them again. A nil Holder keeps
// them.
func (h *Holder) Yield() {
	if !h.Shared() {
		return
	}
	h.mu.Lock()
	delete(h.kinds, chats)
	for i := range h.turned {
		h.turned[i] = h.Clock.Now()
		if l := h.have[nameOf(chats, i)]; l != nil {
			h.drop(l)
			h.giving = append(h.giving, given{Lease: l.Lease})
		}
	}
	h.mu.Unlock()
	h.giveAll()
}

// close ends the use of all leases and returns them.
func (h *Holder) close() {
	h.mu.Lock()
	for _, l := range h.have {
		h.drop(l)
	}
	h.mu.Unlock()
	h.beating <- struct{}{}
	defer func() { <-h.beating }()
	h.mu.Lock()
	giving := h.giving
	h.mu.Unlock()
	h.atEnd(func(tx *store.Tx) error {
		if err := h.give(tx, giving); err != nil { // with the pauses that their users asked for
			return err
		}
		now := h.Clock.Now().UnixMilli()
		all, err := tx.Leases.Leases(now)
		for _, l := range all {
			if l.Holder == h.Name && err == nil {
				err = tx.Leases.ReturnLease(l, now, 0)
			}
		}
		return err
	})
}

// here is the prefix of the name "here for KIND: REPLICA" of the lease by which a replica shows that it takes part in a
// kind. Other leases have the name "KIND NUMBER".
const here = "here for "

// nameOf returns the name of a lease from its kind, of, and its number, i.
func nameOf(of string, i int) string { return of + " " + strconv.Itoa(i) }

// parse returns the kind (of) and the number (i) of the lease called name. i is -1 for a lease by which a replica takes
// part in the kind; ok is false if name has neither form.
func parse(name string) (of string, i int, ok bool) {
	if of, is := strings.CutPrefix(name, here); is {
		of, _, ok = strings.Cut(of, ": ")
		return of, -1, ok
	}
	at := strings.LastIndexByte(name, ' ')
	if at < 0 {
		return "", 0, false
	}
	i, err := strconv.Atoi(name[at+1:])
	return name[:at], i, err == nil
}

// replicasOf returns the sorted names of the replicas that take part in a kind of leases, of, given all leases.
func replicasOf(all []store.Lease, of string) (replicas []string) {
	for _, l := range all {
		if name, is := strings.CutPrefix(l.Name, here+of+": "); is && !l.Ended && l.Holder == name {
			replicas = append(replicas, name)
		}
	}
	slices.Sort(replicas)
	return replicas
}

// plan holds the next changes to this replica's leases.
type plan struct {
	take []string
	give []given
	stop []string // in use: their users are asked to return them
}

// plan returns the next changes to this replica's leases, given all leases of the database.
func (h *Holder) plan(all []store.Lease) (p plan) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range all {
		of, i, ok := parse(l.Name)
		k := h.kinds[of]
		if ok && l.Holder == h.Name && (k == nil || i >= 0 && k.wanted[i] == 0) {
			p.give = append(p.give, given{Lease: l})
		}
	}
	for _, of := range slices.Sorted(maps.Keys(h.kinds)) {
		h.level(&p, all, of)
	}
	return p
}

// level adds to p the changes for one kind of leases, of, after which replicas hold equal numbers of them, or differ by
// one. The caller holds h.mu.
func (h *Holder) level(p *plan, all []store.Lease, of string) {
	k, replicas := h.kinds[of], replicasOf(all, of)
	if !slices.Contains(replicas, h.Name) {
		p.take = append(p.take, here+of+": "+h.Name)
		replicas = append(replicas, h.Name)
	}
	held := map[string]int{}
	free := map[string]bool{}
	for i := range k.n {
		free[nameOf(of, i)] = true
	}
	var mine []store.Lease
	for _, l := range all {
		if !free[l.Name] || l.Ended {
			continue
		}
		delete(free, l.Name)
		held[l.Holder]++
		if l.Holder == h.Name {
			mine = append(mine, l)
		}
	}
	least, most := k.n/len(replicas), (k.n+len(replicas)-1)/len(replicas)
	if slices.ContainsFunc(replicas, func(r string) bool { return held[r] < least }) {
		most = max(least, 1)
	}
	for len(mine) > most && len(free) == 0 {
		last := mine[len(mine)-1]
		mine = mine[:len(mine)-1]
		if of == chats {
			p.give = append(p.give, given{Lease: last})
		} else if h.have[last.Name] != nil {
			p.stop = append(p.stop, last.Name)
		}
	}
	for i := 0; i < k.n && len(mine) < most; i++ {
		if name := nameOf(of, i); free[name] && k.wanted[i] > 0 {
			p.take = append(p.take, name)
			mine = append(mine, store.Lease{})
		}
	}
}
