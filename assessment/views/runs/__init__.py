"""How runs went, and what came before them: endings, restarts, seconds, tuning.

To add a view, copy `endings`.
"""
