"""loggers/targets."""
