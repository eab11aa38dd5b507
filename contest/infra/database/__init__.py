"""The database: `bulk_statements` many rows in one, `prepared` statements, `locks` taking turns, its
`state` while nothing is written, `row_by_row` what is asked by an index, work `beside` one's own, `passing_trouble`
what is over soon.
"""
