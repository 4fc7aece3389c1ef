"""The WSGI entry for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

from annotator.common.http import utf_8_only

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")

application = utf_8_only(get_wsgi_application())
