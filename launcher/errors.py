"""What the launcher tells its user when it cannot go on."""


class LauncherError(Exception):
    """A sentence for the person at the keyboard: what was seen and what to do. Never a traceback."""
