"""Database tools: `bulk_statements` many rows in one statement, `prepared` statements, `locks` advisory locks,
`state` whether anything was written, `row_by_row` an EXISTS that uses an index, `beside` work in another thread,
`passing_trouble` temporary errors, `sessions` of browsers.
"""
