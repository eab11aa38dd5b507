"""Objects of the API as DRF serializers; they define the OpenAPI document, the responses and the tables of docs/api.md.

Members with *required=False* are left out if the value is None; those with *allow_null* are null.
"""
