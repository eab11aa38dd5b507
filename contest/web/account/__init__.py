"""A player's own pages, and logging in: `adapter` says what of django-allauth is ours, and whose an address is.

`me` looks after nicknames · `tokens` · `webhooks` · `letters` are the updates by e-mail, not those that log somebody
in · `prizes` · `questions` of a round · `proposing` levels.
"""
