package dice

// Bytes returns the first bytes of the stream that decides a die.
func Bytes(seed Seed, table string, entropies []string, n int) []byte {
	var stream []byte
	for b := range tableBytes(seed[:], table, entropies, n) {
		if stream = append(stream, b); len(stream) == 256 {
			break
		}
	}
	return stream
}
