package web

import (
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// Answers compressed on their way. Cookies are strict: another site can have nothing asked that belongs to a visitor,
// so that the length of an answer tells it nothing.

// compressed compresses those answers of a handler that are worth it.
var compressed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestCompression),
	gzhttp.ExceptContentTypes([]string{"image/png"})))

// streamed compresses each event of a stream by itself: a quiet stream holds no compressor, which takes a megabyte.
var streamed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.StatelessCompression)))
