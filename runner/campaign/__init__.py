"""Campaigns: from a YAML file to a `Campaign` and to its runs.

``file.py`` reads a campaign file. ``keys.py`` declares its keys, with the kinds of values of
``fields.py``. ``sections.py`` reads suites and optimizers, and ``yaml_tree.py`` parses YAML.
``checks.py`` checks optimizers and problems before any run, and ``plan.py`` lists the runs.
``batches.py`` divides a campaign into parts. ``resume.py`` decides whether a log may be continued,
and ``status.py`` reports the progress of a campaign.
"""
