// Package check looks at the files of deploy for operators: whether Kubernetes takes the manifests, by its own types,
// and whether what the compose files say fits together. It is a module of its own, so that the program's go.mod does
// not grow: go test -C deploy/check ./...
package check
