"""Revisions: saving drafts, submitting, reopening and skipping."""
