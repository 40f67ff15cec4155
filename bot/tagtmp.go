package bot

import (
	"crypto/sha256"
	"encoding/base64"
)

// tag stands for an id or a unit in presses, which have no room for it.
func tag(id string, letters int) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:letters]
}

func personTag(player string) string { return tag(player, 4) }
