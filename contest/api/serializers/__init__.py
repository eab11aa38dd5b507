"""Objects of the API as DRF serializers; the OpenAPI file, the answers and the tables of docs/api.md follow from them.

Members that are *required=False* are left out where the value is None; those with *allow_null* are there as null.
"""
