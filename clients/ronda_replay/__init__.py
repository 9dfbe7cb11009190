"""Replays: a match log's records told step by step, as text, as JSON and as a page.

Works on generated protos and the glossary alone. It shows what stands in the records and judges
nothing, so it also tells a log that does not verify, as far as its records can be read.
"""
