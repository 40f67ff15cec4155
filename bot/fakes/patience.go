package fakes

import "time"

// Patience is how long a test waits for a state before it fails. It only bounds hangs: no machine is that slow.
const Patience = 10 * time.Minute
