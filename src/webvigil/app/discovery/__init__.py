"""What a user searches for in, services that can be watched out: queued and worked off."""
