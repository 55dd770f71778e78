"""Commands that list what there is to benchmark, and what works on this machine."""
