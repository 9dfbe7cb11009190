"""Tournaments of bots that are dealt the same cards in turn, at any referee, over the protocol."""
