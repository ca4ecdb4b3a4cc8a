"""Findings in, a yes or no and a score out: decides whether a change is worth a notification."""
