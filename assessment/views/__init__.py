"""assessment/views."""
