"""People of the staff on the desk: who they are (`members`), what waits for a second one (`second_looks`).

And what they look at before they rule (`evidence`), and old rounds that they bring along (`moving_in`).
"""
