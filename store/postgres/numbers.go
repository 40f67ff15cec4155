package postgres

// numbers are those that a change has taken, over all its runs, by table.
type numbers struct {
	taken map[string][]int64
	used  map[string]int // in this run
}

// again returns a number that a run before has taken and this one has not yet, 0: there is none.
func (n *numbers) again(table string) int64 {
	if n == nil || n.used[table] >= len(n.taken[table]) {
		return 0
	}
	n.used[table]++
	return n.taken[table][n.used[table]-1]
}

// took notes a number of this run, unless there was an error, and returns that.
func (n *numbers) took(table string, id int64, err error) error {
	if n == nil || err != nil {
		return err
	}
	if n.taken == nil {
		n.taken = map[string][]int64{}
	}
	n.taken[table] = append(n.taken[table], id)
	n.used[table]++
	return nil
}
