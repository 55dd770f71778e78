"""The type of all answers, and the forms it goes out in.

`table`: named columns that print as text and go to CSV, JSON and pandas; `latex`: their LaTeX. Add
an output form as a method ``to_…`` of `Table`.
"""
