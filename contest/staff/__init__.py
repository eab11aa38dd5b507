"""Who the organisers are.

Their `roles` · the `track_owners`, who organise some tracks only · the `members`, invited, given a role and taken off ·
their `second_factors`, with `allauth_internals` · the `first_minutes` without · `account_acts` what was done to their
accounts · the `audit_log` of what they did.
"""
