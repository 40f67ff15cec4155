// Package check tests the files of deploy for operators: whether Kubernetes accepts the manifests, by its own types,
// and whether the compose files are consistent. It is a separate module, so that the program's go.mod does not grow:
// go test -C deploy/check ./...
package check
