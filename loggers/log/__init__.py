"""loggers/log."""
