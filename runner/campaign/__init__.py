"""Campaigns: from a YAML file to a ``Campaign`` (``file.py``), and to its runs (``plan.py``).

A key of campaign files is one line in ``keys.py``, with its kind of value from ``fields.py``; keys
with a structure of their own are read in ``sections.py``. ``checks.py`` looks at optimizers and
problems before any run. What a log says of its campaign is looked at by ``resume.py`` (may it be
continued?) and ``status.py`` (how far is it?).
"""
