#!/usr/bin/env python
"""Django's command line, with Goldpan's settings."""

from annotator.__main__ import main

if __name__ == "__main__":
    main("manage.py")
