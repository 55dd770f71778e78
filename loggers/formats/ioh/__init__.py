"""loggers/formats/ioh."""
