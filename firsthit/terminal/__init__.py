"""What the commands share: lazy groups, the options of assessments, lists, streams.

A command itself is a file in a folder of `firsthit/commands/`.
"""
