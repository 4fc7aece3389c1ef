"""Fetching from the web, politely and safely.

`client.Fetcher` is the only way in which Goldpan asks other servers for pages, sheets, images and feeds.
What it asks for is checked (`addresses`), where it connects to is checked and pinned (`transport`), what
comes back is limited (`limits`, `decoding`), and no site is asked more than it wishes (`robots`, `pace`).
"""
