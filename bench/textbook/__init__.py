"""The site a tutorial would build: a DRF view, one Celery task a submission, one transaction a verdict.

Same replay code, web server, database and broker as ours, so that only the architecture differs. As shipped it has
the frameworks' defaults; with TEXTBOOK_TUNED=1 it has what a second, careful reading of their manuals gives; with
TEXTBOOK_BATCHED=1 besides what a careful engineer does about it in a week: one task that drains what waits, by
statements for many.
"""
