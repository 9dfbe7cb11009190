"""The compiled modules say what the pure ones say."""
