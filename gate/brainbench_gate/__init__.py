"""Judging and telling: what may merge, and why."""
