"""The API (docs/reference/api.md): `views` and `sending` have its endpoints, `feeds` its event feed and bulk data.

`serializers` declares the objects, and `schema` makes the OpenAPI document from them · `authentication` · `exceptions`
for refusals · `pagination`. `contest.entrance` answers most posts before Django does."""
