"""The profile `service`: a running referee is held against the clauses of its calls."""
