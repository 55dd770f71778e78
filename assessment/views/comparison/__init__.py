"""Tables about several algorithms: pairs, COCO's table, versions, losses, the best of all.

Their numbers depend on which algorithms are compared; those of the folder above never do. To add
one, copy `loss`, and give it a method of `Results`.
"""
