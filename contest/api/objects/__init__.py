"""The objects of docs/api.md, each declared once: its schema, how it is written, its table.

`kinds` has what they are declared with; `problems`, `submissions`, `rankings`, `rounds`, `people`, `searches`,
`library`, `webhooks`, `dumps` and `site` have the objects, `components` all of them by name; `tables` makes the docs'
section of them, `bodies` reads what is sent.
"""
