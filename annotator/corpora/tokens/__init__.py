"""Tokens with which a person's own programs use the API."""
