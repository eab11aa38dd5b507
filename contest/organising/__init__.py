"""What organisers may do, with its forms, below both of their doors: the desk and the admin.

`acts` what an act is · `round_acts` · `round_forms` · `filters` of the admin's lists · `checklist` what a round still
lacks · `impact` what an act would change.
"""
