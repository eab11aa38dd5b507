"""The figures that the reference states are those of the code."""

from datetime import timedelta

import pytest
from django.conf import settings

from contest.infra.database import Pragma  # placeholder
