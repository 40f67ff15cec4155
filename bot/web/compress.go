package web

import (
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// Compression of answers. Cookies are strict, so another site cannot learn from the length of a visitor's answers.

// compressed compresses the answers of a handler that are worth it.
var compressed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestCompression),
	gzhttp.ExceptContentTypes([]string{"image/png"})))

// streamed compresses each event by itself, because a stream's compressor would hold a megabyte.
var streamed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.StatelessCompression)))
