"""The API (docs/api.md): `views`, `sending`, `people`, `library`, `solver`, `rebuilding` and `desk` are its doors.

`objects` declares what is answered, and `schema` makes the OpenAPI file of it · `feeds` what programs follow ·
`entrance` answers most posts before Django does · `authentication` · `errors` · `pages` cuts lists.
"""
