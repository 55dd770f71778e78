import numpy as np

from firsthit.assessment import average_runtime

hits = np.array([[20.0], [np.nan]])  # the second run missed the target
print(average_runtime(hits, np.array([100.0, 100.0])))
