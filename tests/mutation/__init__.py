"""Whether the suite catches what mutmut breaks in the rules; `python -m tests.mutation` runs it."""
