"""assessment/statistics."""
