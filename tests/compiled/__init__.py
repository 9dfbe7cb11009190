"""The compiled engine says what the pure one says."""
