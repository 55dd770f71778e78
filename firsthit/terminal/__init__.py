"""What the commands share: groups that import a command when it is used, lists, streams, Ctrl-C.

A command itself is a file in `firsthit/commands/`.
"""
