"""runner/campaign."""
