"""The objects of docs/api.md: what their schemas are written with (`shapes`), the schema of each (`submissions`,
`components`), the objects made of rows (`serializers`), and what is sent (`bodies`).
"""
