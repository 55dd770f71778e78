"""loggers/hdf5."""
