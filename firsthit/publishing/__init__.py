"""A folder to publish: the runs, what was made of them, and who made them with what.

`contents.py` lists what stands in it: to add something, add a `Part` there. `metadata.py` is who
made it, for people and for machines, `campaigns.py` what makes the runs again; `pages.py` writes
what people read.
"""
