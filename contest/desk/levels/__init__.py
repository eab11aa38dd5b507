"""Levels on the desk: import (`importing`), review of a collection (`collections`), publication (`publishing`), the
`library`, queueing (`queueing`), the queues of `series`, authors' `proposals`, searches by the solver (`vetting`).
"""
