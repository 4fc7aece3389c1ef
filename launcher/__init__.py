"""Run Goldpan on one machine: private servers, web server and workers; one-off commands; backup and restore.

It works before Django is configured: it imports the standard library only (and pyrage for an encrypted
backup), neither annotator nor extraction.
Linux only: it reads /proc, and so do the wheels that bring PostgreSQL and Valkey.
"""
