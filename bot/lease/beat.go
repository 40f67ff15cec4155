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

// Start takes this replica's share of the free leases of chats, and returns when it has them. After an error Run tries
// again. For a nil Holder it is a no-op.
func (h *Holder) Start(ctx context.Context) error {
	if h == nil {
		return nil
	}
	return h.renew(ctx)
}

// Run renews the held leases until ctx is done, and then releases them all. As other replicas come and go, it gives
// leases up or takes more. For a nil Holder it is a no-op.
func (h *Holder) Run(ctx context.Context) {
	if h == nil {
		return
	}
	for failing := false; ; {
		err := h.renewIfDue(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil && !failing {
			h.Log.WarnContext(ctx, "renew leases failed; other replicas will take them over", "error", err)
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

// renewIfDue calls renew if it is time for that, a change was refused, or leases have to be released or taken.
func (h *Holder) renewIfDue(ctx context.Context) error {
	doubted := h.doubted.Swap(false)
	h.mu.Lock()
	due := doubted || len(h.returning) > 0 || h.Clock.Now().Sub(h.renewed) >= lasts/10*3
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
	return h.renew(ctx)
}

// renew makes one change in the database: it renews the held leases, releases those queued in h.returning and those
// that other replicas should have, and takes free ones. Then it calls adopt.
func (h *Holder) renew(ctx context.Context) error {
	h.beating <- struct{}{}
	defer func() { <-h.beating }()
	began := h.Clock.Now()
	h.mu.Lock()
	queued := h.returning
	h.mu.Unlock()
	var all []store.Lease
	err := h.Store.Update(ctx, func(tx *store.Tx) error {
		now := h.Clock.Now().UnixMilli()
		if err := h.returnLeases(tx, queued); err != nil {
			return err
		}
		if err := tx.Leases.RenewLeases(h.Name, now, lasts.Milliseconds()); err != nil {
			return err
		}
		if err := tx.Leases.DropLeases(memberPrefix, now, forgottenAfter.Milliseconds()); err != nil {
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
		if err := h.returnLeases(tx, p.give); err != nil || len(p.take)+len(p.give) == 0 {
			return err
		}
		all, err = tx.Leases.Leases(now)
		return err
	})
	if err != nil {
		return err
	}
	h.unqueue(queued)
	h.adopt(all, began)
	return nil
}

// adopt stores in h which leases this replica holds, after a renewal that began at the time began. all lists the leases
// of all replicas. A caller of Hold whose lease is lost, or must go to another replica, has its context canceled. If
// this replica has got more chats, adopt calls the functions registered by Gained.
func (h *Holder) adopt(all []store.Lease, began time.Time) {
	stops := h.plan(all).stop
	h.mu.Lock()
	wasUncertain := !h.isCertain()
	h.renewed = began
	now, gained := h.Clock.Now(), 0
	held := map[string]store.Lease{}
	for _, l := range all {
		kindName, i, ok := parseName(l.Name)
		queued := slices.ContainsFunc(h.returning, func(r dueReturn) bool { return r.Name == l.Name })
		if ok && l.Holder == h.Name && h.kinds[kindName] != nil && h.kinds[kindName].wanted[i] > 0 && !queued {
			held[l.Name] = l
		}
	}
	for i := range h.changedAt {
		was, l := h.held[leaseName(chats, i)], held[leaseName(chats, i)]
		if wasUncertain || was == nil && l.Name != "" || was != nil && was.Fence != l.Fence {
			h.changedAt[i] = now
			if l.Name != "" {
				gained++
			}
		}
	}
	for name, l := range h.held {
		if held[name].Fence != l.Fence {
			h.drop(l)
		}
	}
	for name, l := range held {
		if h.held[name] == nil {
			h.held[name] = &lease{Lease: l}
		}
	}
	if n := max(len(replicasOf(all, chats)), 1); n != h.replicas {
		if n < h.replicas {
			h.Log.Info("replica gone; taking over its leases", "leases", gained, "replicas", n,
				"replicas_before", h.replicas)
		}
		h.replicas, h.since = n, now
	}
	for _, name := range stops {
		if l := h.held[name]; l != nil && l.stop != nil {
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

// drop removes the lost or returned lease l and cancels the context of its user, a caller of Hold. h.mu must be held.
func (h *Holder) drop(l *lease) {
	if l.stop != nil {
		l.stop()
	}
	delete(h.held, l.Name)
}

// Yield releases the leases of all chats and takes no more: this replica will end. For a nil Holder it is a no-op.
func (h *Holder) Yield() {
	if !h.Shared() {
		return
	}
	h.mu.Lock()
	delete(h.kinds, chats)
	for i := range h.changedAt {
		h.changedAt[i] = h.Clock.Now()
		if l := h.held[leaseName(chats, i)]; l != nil {
			h.drop(l)
			h.returning = append(h.returning, dueReturn{Lease: l.Lease})
		}
	}
	h.mu.Unlock()
	h.returnQueued()
}

// close cancels the contexts of all callers of Hold, and releases all leases.
func (h *Holder) close() {
	h.mu.Lock()
	for _, l := range h.held {
		h.drop(l)
	}
	h.mu.Unlock()
	h.beating <- struct{}{}
	defer func() { <-h.beating }()
	h.mu.Lock()
	queued := h.returning
	h.mu.Unlock()
	h.runReturn(func(tx *store.Tx) error {
		if err := h.returnLeases(tx, queued); err != nil { // with the pauses that their users asked for
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

// memberPrefix begins the name "here for KIND: REPLICA" of a lease by which a replica shows that it shares in the
// leases of a kind. All other leases are called "KIND NUMBER".
const memberPrefix = "here for "

// leaseName returns the name of the lease with the number i of the kind kindName.
func leaseName(kindName string, i int) string { return kindName + " " + strconv.Itoa(i) }

// parseName returns the kind and the number i of the lease called name. i is -1 for a lease that only shows that a
// replica shares in the leases of the kind. ok is false if name is not the name of a lease.
func parseName(name string) (kindName string, i int, ok bool) {
	if kindName, member := strings.CutPrefix(name, memberPrefix); member {
		kindName, _, ok = strings.Cut(kindName, ": ")
		return kindName, -1, ok
	}
	space := strings.LastIndexByte(name, ' ')
	if space < 0 {
		return "", 0, false
	}
	i, err := strconv.Atoi(name[space+1:])
	return name[:space], i, err == nil
}

// replicasOf returns the sorted names of the running replicas that divide the leases of a kind among them, including
// replicas that hold none. all lists all leases.
func replicasOf(all []store.Lease, kindName string) (replicas []string) {
	for _, l := range all {
		if name, ok := strings.CutPrefix(l.Name, memberPrefix+kindName+": "); ok && !l.Ended && l.Holder == name {
			replicas = append(replicas, name)
		}
	}
	slices.Sort(replicas)
	return replicas
}

// plan holds the changes that this replica has to make to its leases.
type plan struct {
	take []string    // names of the leases to take
	give []dueReturn // the leases to return
	stop []string    // names of leases in use: their users are asked to return them
}

// plan returns the changes that this replica has to make to its leases. all lists the leases of all replicas.
func (h *Holder) plan(all []store.Lease) (p plan) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range all {
		kindName, i, ok := parseName(l.Name)
		k := h.kinds[kindName]
		if ok && l.Holder == h.Name && (k == nil || i >= 0 && k.wanted[i] == 0) {
			p.give = append(p.give, dueReturn{Lease: l})
		}
	}
	for _, kindName := range slices.Sorted(maps.Keys(h.kinds)) {
		h.balance(&p, all, kindName)
	}
	return p
}

// balance adds to p the changes to the leases of one kind that share them evenly: no replica then holds more than one
// lease more than another. all lists the leases of all replicas. The caller holds h.mu.
func (h *Holder) balance(p *plan, all []store.Lease, kindName string) {
	k, replicas := h.kinds[kindName], replicasOf(all, kindName)
	if !slices.Contains(replicas, h.Name) {
		p.take = append(p.take, memberPrefix+kindName+": "+h.Name)
		replicas = append(replicas, h.Name)
	}
	held := map[string]int{}
	free := map[string]bool{}
	for i := range k.n {
		free[leaseName(kindName, i)] = true
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
		if kindName == chats {
			p.give = append(p.give, dueReturn{Lease: last})
		} else if h.held[last.Name] != nil {
			p.stop = append(p.stop, last.Name)
		}
	}
	for i := 0; i < k.n && len(mine) < most; i++ {
		if name := leaseName(kindName, i); free[name] && k.wanted[i] > 0 {
			p.take = append(p.take, name)
			mine = append(mine, store.Lease{})
		}
	}
}
