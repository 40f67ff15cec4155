// Package conventions tests rules about the repository itself: allowed imports, the form and links of documentation,
// line lengths and size limits, licences, pinned modules and images, and that every fault in docs/reliability.md has a
// test. The tests build no program and take about a second.
package conventions
