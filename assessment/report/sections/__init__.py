"""The scripts of the report's sections, and the answer at its top.

A folder's ``section.js`` draws the section of its name with the functions of ``page/core.js``; what
it draws comes from the question's function below ``@NAME.report`` (`questions`).
"""
