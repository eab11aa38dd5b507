"""What is added up over final rounds.

`totals` of players and countries, on which the rest builds · `records` · `hall_of_fame` · `seasons` ·
`statistics` of a round, `all_rounds` of all together · `head_to_head` two players beside each other · `profiles` of
players · `authors` of levels · `visitors` by country.
"""
