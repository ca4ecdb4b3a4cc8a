"""Sentinels and two versions of a page in, findings out; each change type runs once for all sentinels."""
