"""runner/optimizers."""
