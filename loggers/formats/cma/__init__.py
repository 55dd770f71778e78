"""pycma's files (``outcmaes/*.dat``): what its logger writes about one run of CMA-ES.

`reader.py` reads them. A further file of theirs is added to its list of parameters.
"""
