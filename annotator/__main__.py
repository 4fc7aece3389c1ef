"""Django's command line with Goldpan's settings: what `manage.py` and `goldpan manage` run."""

import os
import sys


def main(program: str) -> None:
    """Run the management command that the arguments name; `program` is what its help calls us."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")
    from django.core.management import CommandError, execute_from_command_line

    from annotator.common.terminal import plain_errors

    try:
        with plain_errors():
            execute_from_command_line([program, *sys.argv[1:]])
    except CommandError as error:
        if "--traceback" in sys.argv:
            raise
        print(f"CommandError: {error}", file=sys.stderr)
        sys.exit(error.returncode)


if __name__ == "__main__":
    main("goldpan manage")
