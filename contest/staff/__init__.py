"""The staff: roles, members and their accounts.

`roles` · `track_owners`, who organise some tracks only · `members`, invited, given a role, removed · `second_factors`,
with `allauth_internals` · `first_minutes` of a site, without second factors · `account_acts`, changes of an account's
credentials · `audit_log` of organisers' acts · `letters` in all languages of the site.
"""
