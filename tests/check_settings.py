"""Settings for tools that read the models and ask no server: the type checker."""

import os

os.environ.setdefault("SECRET_KEY", "for tools only")
os.environ.setdefault("DATABASE_URL", "postgresql://localhost/none")
os.environ.setdefault("REDIS_URL", "redis://localhost")

from annotator.settings import *  # noqa: F403
