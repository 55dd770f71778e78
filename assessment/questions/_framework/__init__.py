"""The framework of questions: how they are declared, found, answered and drawn.

`question` has ``@question`` and answers questions. `needs` opens the samples of a question,
`options` has the types of its options, and `docstrings` completes its documentation. `registry`
finds questions; `catalogue` lists those of firsthit, so that help imports no question. `render`
draws figures, each of a `cell` of a table. `context` reads the data that all sections of the report
share. `methods` makes methods of questions, and `codegen` writes ``methods.pyi``, the types of
these methods. Run `codegen` after a question has changed:
``python -m firsthit.assessment.questions._framework.codegen``.
"""
