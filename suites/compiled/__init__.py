"""suites/compiled."""
