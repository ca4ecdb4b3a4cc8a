"""Sentinels and two versions in, each change type computed once for all of them out."""
