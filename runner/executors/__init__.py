"""runner/executors."""
