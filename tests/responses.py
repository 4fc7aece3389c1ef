"""`Response`: what a test client answers, with the attributes that Django adds to it there.

Django has no class for it; its stubs have one, under a name of their own.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response
else:
    from django.http import HttpResponse as Response

__all__ = ["Response"]
