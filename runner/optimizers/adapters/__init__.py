"""runner/optimizers/adapters."""
