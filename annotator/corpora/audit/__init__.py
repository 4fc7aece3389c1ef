"""The audit log: who changed access, settings, gold or releases, and who signed in."""
