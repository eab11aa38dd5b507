"""Who the organisers are.

Their `roles` · their `second_factors` · `account_acts` what was done to their accounts · the `audit_log` of what they
did.
"""
