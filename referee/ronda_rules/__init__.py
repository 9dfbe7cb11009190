"""The rules of Ronda as a pure engine."""
