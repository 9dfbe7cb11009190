"""The engine held against a second one that was written from the specification alone."""
