"""Findings in, something a person understands at a glance out."""
