"""A table in the terminal, for a person who plays or watches.

What is shown is worked out without the terminal: `Sight` follows what the seat may see, `Controls`
turns keys into moves, `screen_of` says what stands where, and `drawing` puts it into lines.
`TableApp` alone knows textual, which the extra `terminal` brings. A person is a bot to the SDK:
`Person.choose` waits for a key.
"""
