"""loggers/indicators."""
