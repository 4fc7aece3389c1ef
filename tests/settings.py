"""The application's own settings, but for what would only make tests slow."""

import os

from annotator.settings import *  # noqa: F403
from annotator.settings import DATABASES

# The hashers of production take most of a second for each password, on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Each client of a test has a middleware of its own, which would list all static files.
WHITENOISE_AUTOREFRESH = True

# See tests/plugin.py.
DATABASES["default"]["TEST"] = {"TEMPLATE": os.environ.get("TEST_TEMPLATE")}
