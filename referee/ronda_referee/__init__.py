"""The referee: the service that holds matches, their logs and their clocks."""
