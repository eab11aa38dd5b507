"""The archive of a round (docs/archive.md).

Without Django, for whoever verifies at home: `format` · `checks` of what a file may hold · `reader` · `verify` · its
`report` · `verifier` all in one file. With the site's rows: `writer` · `incoming` · `importer` · `csv_import`
of old result tables. This face imports nothing, so that the first six stay so.
"""
