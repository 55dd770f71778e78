"""assessment/data."""
