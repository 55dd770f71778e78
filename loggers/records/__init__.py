"""loggers/records."""
