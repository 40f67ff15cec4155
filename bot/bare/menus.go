package bare

import (
	"context"

	"knobel/store"
)

// Change changes what is stored.
func (h *House) Change(by func(tx *store.Tx) error) {
	h.T.Helper()
	if err := h.Store.UpdateOf(context.Background(), store.OfAll, by); err != nil {
		h.T.Fatal(err)
	}
}
