"""Help texts of options that questions, ``firsthit report`` and ``firsthit figures`` share.

This module imports nothing, because help must not wait for the import of numpy.
"""

TARGETS_HELP = (
    "Target precisions: a list, e.g. 1e1,1e-8 or 1e-5,0,-1e-5; a range, e.g. 1e2..1e-8/5 (five per "
    "decade); runlength or runlength:0.5*D,10*D (with --reference); dynamic; or a file NAME.csv "
    "written by `assess targets`."
)
REFERENCE_HELP = (
    "Reference algorithm: an algorithm in LOGS; 'best', the best of them at each target; "
    "'best:A,B', the best of A and B; a reference of cocopp, e.g. best2009-bbob; or a file of such "
    "data or of `assess best --output`."
)
BACKGROUND_HELP = (
    "Logs or published data of other algorithms, separated by commas, e.g. 'coco:bbob/2009/*'."
)
