"""loggers/formats."""
