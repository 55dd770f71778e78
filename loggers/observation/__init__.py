"""loggers/observation."""
