"""What players say of levels after the reveal, and what they are told (rule 27).

`subjects` the two kinds of levels that can be talked about · `votes` on three scales · `comments`, and what organisers
do about them · `stars` whom and what a player follows · `bell` what is told, read from what stands in the rows.
"""
