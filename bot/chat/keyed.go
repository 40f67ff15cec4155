package chat

import "knobel/store/lock"

// Keyed holds locks by key, for work that runs one at a time for each chat, table or interaction.
type Keyed[K comparable] = lock.Keyed[K]
