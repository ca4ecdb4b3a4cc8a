"""Requests in, the API and the dashboard out."""
