"""The archive of a round (docs/archive.md).

Without Django, for whoever verifies at home: `format` · `reader` · `verify` · `verifier` all of these in one file. With
the site's rows: `writer` · `importer` of what it wrote · `csv_import` of old result tables. This face imports nothing,
so that the first four stay so.
"""
