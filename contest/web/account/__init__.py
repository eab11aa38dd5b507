"""Account pages and sign-in. `adapter` customises django-allauth, including e-mail ownership.

`signing_up` takes the same time for known and unknown addresses · `me` manages nicknames · `tokens` · `webhooks` ·
`letters` are the e-mail updates, not the sign-in codes · `prizes` · `questions` of a round · `proposing` levels ·
`exporting` all own data · `passkeys` are the forms for them · `forms` · `my_page`.
"""
