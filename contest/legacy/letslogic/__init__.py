"""Calls in the shape of letslogic.com's API, so that programs written for it need only another address.

`views` has the calls, `rounds` and `library` the levels of which they tell, `words` what is read in the answers.
"""
