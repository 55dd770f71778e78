"""Archives of runs on two objectives, and the reference fronts that they are measured against."""
