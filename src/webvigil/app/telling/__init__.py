"""Notices in the outbox in, messages to people out: contacts, preferences, summaries, feeds, share links."""
