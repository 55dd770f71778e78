"""runner/execution."""
