"""Tables of algorithms against each other, or a reference, function by function."""
