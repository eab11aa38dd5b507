"""A player's own pages: nickname, tokens, webhooks, letters, proposals, and logging in."""
