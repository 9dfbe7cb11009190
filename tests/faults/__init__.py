"""Planted faults: whether the conformance suite finds each plausible misreading of the rules."""
