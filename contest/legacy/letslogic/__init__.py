"""An API like letslogic.com's, so that programs written for that site need only another address.

`views` has the endpoints, `rounds` and `library` their levels, `words` the texts and keys of the responses.
"""
