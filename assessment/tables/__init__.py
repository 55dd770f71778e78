"""assessment/tables."""
