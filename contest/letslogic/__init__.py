"""Calls in the shape of letslogic.com's API, so that programs written for it need only another address."""
