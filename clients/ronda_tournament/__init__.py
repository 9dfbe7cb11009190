"""Tournaments: the seeds of their shuffles."""
