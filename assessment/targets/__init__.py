"""assessment/targets."""
