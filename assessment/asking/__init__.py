"""How questions are declared, found and asked; `questions` has one file for each.

`declaration` has ``@question``, `options` the types of its parameters, `registry` finds questions,
`drawing` makes their figures, `context` is what sections of the report are made from. `generate`
writes two files that are kept here so that nothing has to be imported: ``index.json`` (commands
with their options, for help) and ``methods.pyi`` (types of `Results` and ``results.plot``). Run it
after a question has changed: ``python -m firsthit.assessment.asking.generate``.
"""
