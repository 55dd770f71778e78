"""Tables of the evaluations that targets take."""
