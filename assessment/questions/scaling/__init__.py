"""Average runtimes by dimension: `table` is the question, `figures` draws it."""
