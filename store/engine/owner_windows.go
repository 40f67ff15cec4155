package engine

import "os"

// belong does nothing: a file on Windows has the rights of its folder.
func belong(*os.File, string) {}
