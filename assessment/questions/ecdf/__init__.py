"""Runtime profiles: `table` is the question, `figures` and `section` draw it."""
