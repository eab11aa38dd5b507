"""The archive of a round (docs/archive.md).

Without Django, for whoever verifies at home: `format` · `checks` of what a file may hold · `reader` · `packing` of the
ZIP · `proof` of chain, opening and revisions · `sealed` answers · `collected` links and checkpoints · `verify` · its
`report` · `verifier` all in one file. With the site's rows: `writer`, with `bound` for what the chain holds ·
`incoming` · `importer` · `csv_import` of old result tables · `witnesses` of the receipt chain. This face imports
nothing, so that the first ten stay so.
"""
