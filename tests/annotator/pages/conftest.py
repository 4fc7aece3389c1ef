"""Sites to import from."""

from tests.annotator.fetching.conftest import good

__all__ = ["good"]
