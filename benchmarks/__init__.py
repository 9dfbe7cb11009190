"""How fast it is: every figure as a ratio to a peer's in the same run, see docs/benchmarks.md."""
