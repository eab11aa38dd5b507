"""The web server's entry point with the sabotage installed."""

from contest.wsgi import application as site
from tests.chaos import sabotage

sabotage.install()
application = sabotage.DyingOnOrder(site)
