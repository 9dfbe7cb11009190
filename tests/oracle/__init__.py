"""A second, naive implementation of Ronda, written from the specification pages and the schema.

It is slow and plain on purpose: cards are tuples in lists, what a page defines by enumeration is
enumerated, and views are made from the events alone. It is there to be compared with.
"""

from tests.oracle.respond import Run, respond

__all__ = ["Run", "respond"]
