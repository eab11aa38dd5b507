"""API objects as DRF serializers; they define the OpenAPI document, responses and tables of docs/reference/api.md.

Members with *required=False* are left out if the value is None; those with *allow_null* are null.
"""
