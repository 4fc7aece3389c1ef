"""The REST API, version 1: thin operations over the queries and actions that the screens use.

An operation is declared by `routing.operation`, and may be used as its row in `common.roles.OPERATIONS` says.
"""
