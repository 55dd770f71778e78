"""What the commands share: groups that import a command when it is used, lists, streams.

A command itself is a file in `firsthit/commands/`.
"""
