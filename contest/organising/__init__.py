"""What organisers may do, with its forms, below both of their doors: the desk and the admin.

`acts` what an act is · `round_acts` · `round_forms` · `settings_form` the settings of a round as fields · `filters` of
the admin's lists · `checklist` what a round still lacks · `figures` of the running rounds · `impact` what an act would
change · `second_looks` what waits for a second organiser · `desk_tokens` of organisers' programs.
"""
