"""manage.py erase_freed_space: remove what was taken down from the files of PostgreSQL."""

from typing import Any

from django.db import connection

from annotator.common.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Rewrite all tables, so that PostgreSQL's files no longer hold the rows as they were before a page "
        "was taken down. Each table is locked while it is rewritten, and needs its size again on the disk."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("vacuum (full)")
        self.stdout.write("All tables are rewritten.")
