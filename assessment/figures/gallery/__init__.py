"""All figures of a set of results: which there are, what they show of it, and their captions.

To add a kind, write its function beside those of its subject, and enter it in `kinds`.
"""
