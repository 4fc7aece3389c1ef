"""Django's PostgreSQL, which finds out that a connection is dead without asking over it."""

from select import POLLIN, poll
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    #: Names of the statements that this connection has prepared; see `common.written`.
    prepared: set[str]

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self.prepared = set()
        return super().get_new_connection(conn_params)

    def short_cursor(self) -> Any:
        """Like `cursor`, but the driver's own where nobody counts or wraps what is asked: half the way there.

        Its errors are Django's within `wrap_database_errors`.
        """
        if self.queries_logged or self.execute_wrappers:
            return self.cursor()
        self.ensure_connection()
        self.validate_no_broken_transaction()
        return self.create_cursor()

    def is_usable(self) -> bool:
        """Asked before the first query of a request, of a connection that is kept (CONN_HEALTH_CHECKS).

        A server that has gone has closed it, which lies in the socket to be read; where nothing lies there,
        and nothing went wrong, a `SELECT 1` and the wait for it say no more.
        """
        return (not self.errors_occurred and self._is_quiet()) or bool(super().is_usable())

    def _is_quiet(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        socket = poll()
        socket.register(self.connection.fileno(), POLLIN)
        return not socket.poll(0)
