package engine

// Replicas that share a database: joining, and joining again.

import (
	"context"
	"errors"
)

const (
	// replica is the prefix of the name of a replica's lease.
	replica = "replica "
	// isReplica matches the leases of replicas.
	isReplica = `name LIKE 'replica %'`
)

const (
	// makeInstance makes the lease of the whole database, without a holder.
	makeInstance = `INSERT INTO leases (name, holder, fence, ends) VALUES ($1, '', 1, 0) ON CONFLICT (name) DO NOTHING`
	// lockInstance keeps others from taking it, and from joining, until the transaction ends. It does not wait for
	// changes of its holder.
	lockInstance = `SELECT fence, ends FROM leases WHERE name = $1 FOR NO KEY UPDATE`
	// passInstance takes it from a dead holder, once its changes under way have ended.
	passInstance = `UPDATE leases SET holder = '', fence = fence + 1, ends = 0 WHERE name = $1 RETURNING fence`
	otherReplica = `SELECT name, ends FROM leases WHERE ` + isReplica + ` AND name <> $1`
	// dropReplicas deletes expired ones, once their changes under way have ended.
	dropReplicas = `DELETE FROM leases WHERE ` + isReplica + ` AND ends <= ` + now
	joinReplicas = `
		INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, $3, ` + now + ` + $4)
		ON CONFLICT (name) DO UPDATE SET ends = ` + now + ` + $4`
	// renewReplica also deletes leases that expired more than an hour ago, and waits for none.
	renewReplica = `
		WITH untidy AS (DELETE FROM leases WHERE name IN (SELECT name FROM leases WHERE ` + isReplica + `
			AND name <> $1 AND ends < ` + now + ` - 3600000 FOR UPDATE SKIP LOCKED)) ` + renewLease
	returnReplica = `DELETE FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`
)

// errMissing is the error of a replica's change that does not find the replica's lease.
var errMissing = &Error{Err: errors.New("the database does not know this replica any longer: try again")}

// join adds this replica to those that share the database, also again. It returns errInUse, and when that lease
// expires, if another process has the database alone.
func (l *lease) join(tx *Tx) (held map[string]int64, err error) {
	if err := tx.Run(makeInstance, instance); err != nil {
		return nil, err
	}
	var fence, ends int64
	err = tx.Rows(lockInstance, []any{instance}, func(row Row) error { return row.Scan(&fence, &ends) })
	if err == nil {
		held, err = tx.held(heldInstance, instance)
	}
	switch {
	case err != nil:
		return held, err
	case l.fence != 0 && l.fence != fence:
		return nil, l.taken()
	case ends != 0: // and it was not given back
		err = tx.Rows(passInstance, []any{instance}, func(row Row) error { return row.Scan(&fence) })
	}
	if err != nil {
		return nil, err
	}
	others, err := l.others(tx)
	if err != nil {
		return nil, err
	}
	err = tx.Run(joinReplicas, l.name, l.holder, fence, leaseLasts.Milliseconds())
	if err == nil && l.of.options.Join != nil {
		err = l.of.options.Join(tx, others)
	}
	if err == nil {
		l.fence = fence
	}
	return nil, err
}

// others reports whether there are other replicas. If none lives, it deletes the expired ones: they have to join again
// before they change anything.
func (l *lease) others(tx *Tx) (some bool, err error) {
	_, err = tx.held(otherReplica+` AND ends > `+now, l.name)
	if err == nil {
		err = tx.Run(dropReplicas)
	}
	if err == nil { // one may have been renewed before it was deleted
		_, err = tx.held(otherReplica, l.name)
	}
	if errors.Is(err, errInUse) {
		return true, nil
	}
	return false, err
}

// rejoin makes a replica join again. A refusal, or coming too late, loses the lease for good; an unanswered try is
// repeated.
func (l *lease) rejoin(ctx context.Context) error {
	err := l.of.leasing(ctx, func(tx *Tx) error {
		_, err := l.join(tx)
		if errors.Is(err, errInUse) {
			return l.taken() // another process has it alone now
		}
		return err
	})
	if _, passing := errors.AsType[*Error](err); err == nil || passing || ctx.Err() != nil {
		return err
	}
	return l.loses(err)
}
