"""Start Goldpan on one machine: private servers, web, workers; back up and restore.

It must work before Django can, so it imports the standard library alone: neither annotator nor extraction.
Linux only: it reads /proc, and so do the wheels that bring PostgreSQL and Valkey.
"""
