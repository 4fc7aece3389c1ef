"""Errors that end the launcher."""


class LauncherError(Exception):
    """A message for the person at the terminal: what is wrong and what to do. Printed without a traceback."""
