"""Staff pages of the desk: `members`, API `tokens`, acts that wait for a second organiser (`second_looks`)
and their `requests`, and acts that a worker carries out (`long_acts`).

Also `evidence` for rulings, the `testers` of a round, and the import of old rounds (`moving_in`).
"""
