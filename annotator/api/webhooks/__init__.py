"""Webhooks: a program of the corpus's admins is told what has happened."""
