"""The site a tutorial would build: a DRF view, one Celery task per submission, one transaction per verdict.

It uses the same replay code, web server, database and broker as ours: only the architecture differs. As shipped it has
the frameworks' defaults; with TEXTBOOK_TUNED=1 it has the settings that a careful reading of their manuals gives; with
TEXTBOOK_BATCHED=1 also what a careful engineer adds within a week: one task that drains the queue with
bulk statements.
"""
