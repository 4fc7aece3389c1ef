"""Slots: claims, leases, and opening the page of a slot."""
