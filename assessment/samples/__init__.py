"""Samples: the frozen objects that questions receive.

`sample` defines `Sample`, the base class of all samples, and `Answer`, the data from which a caveat
is computed. `convention` defines `Convention`, the rule by which a table counts runs. Each other
module defines one kind of sample and its function ``open_…``, which reads the selected runs. A
question declares its sample with `questions._framework.needs`. The framework opens the sample and
passes it to the question.
"""
