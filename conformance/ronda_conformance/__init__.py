"""The runner of the conformance suite."""
