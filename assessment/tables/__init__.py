"""The type of all answers of questions, and its output formats.

`table` has named columns, which are converted to text, CSV, JSON and pandas; `latex` converts them
to LaTeX, and `csv_text` reads and writes CSV. To add an output format, add a method ``to_…`` to
`Table`.
"""
