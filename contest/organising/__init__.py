"""Acts of organisers with their forms, shared by the two entry points: the desk and the admin.

`acts` base classes · `round_acts` · `round_forms` · `object_forms` of tracks and programs · `settings_form` a round's
settings as fields · `filters` of the admin's lists · `checklist` open steps of a round · `figures` of running rounds ·
`day` what the site did on a day · `impact` of an act on tables, its other `effects` · `first_round` of a new site ·
`second_looks` acts that wait for a second organiser · `long_acts` that a worker carries out · `desk_tokens` API tokens
· `season` its calendar.
"""
