"""The application's own settings, but for what would only make tests slow."""

from annotator.settings import *  # noqa: F403

# The hashers of production take most of a second for each password, on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
