"""The web server's entrance with the sabotage in it."""

from contest.wsgi import application as site
from tests.chaos import sabotage

sabotage.install()
application = sabotage.DyingOnOrder(site)
