package fakes

import "time"

// Patience is how long a test waits for a state before it says that this never came. It bounds what hangs, and no
// machine is so slow that anything else takes as long.
const Patience = 10 * time.Minute
