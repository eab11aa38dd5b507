"""Statistics over final rounds.

`totals` of players and countries, the basis of the rest · `records` · `hall_of_fame` · `seasons` ·
`statistics` of a round, `all_rounds` of all rounds · `head_to_head` comparison of two players · `profiles` of
players · `authors` of levels · `visitors` by country.
"""
